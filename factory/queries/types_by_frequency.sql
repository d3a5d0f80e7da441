-- question: Which types do variables take, how often, and in how many traces?
-- columns: type, changes, variables, traces
SELECT type, count(*) AS changes, count(DISTINCT (program_id, name)) AS variables,
    count(DISTINCT trace_id) AS traces
FROM changes
WHERE type IS NOT NULL
GROUP BY type
ORDER BY changes DESC, type
