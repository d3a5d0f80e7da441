-- question: What was left out at each stage of the build, and why?
-- columns: stage, reason, drops, example
SELECT stage, reason, count(*) AS drops, min("where") AS example
FROM drops
GROUP BY stage, reason
ORDER BY drops DESC, stage, reason
