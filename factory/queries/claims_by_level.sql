-- question: How many claims of a rationale were checked, at each level and for each task?
-- columns: level, task, rows, claims, fewest, mean, most
SELECT level, task, count(*) AS rows, sum(claims)::BIGINT AS claims, min(claims) AS fewest,
    round(avg(claims), 2) AS mean, max(claims) AS most
FROM sft
GROUP BY level, task
ORDER BY level NULLS LAST, task
