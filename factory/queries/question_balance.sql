-- question: How many questions of each kind are there at each level, and what share of the level?
-- columns: level, kind, questions, share
SELECT level, kind, count(*) AS questions,
    count(*) / sum(count(*)) OVER (PARTITION BY level) AS share
FROM questions
GROUP BY level, kind
ORDER BY level NULLS LAST, kind
