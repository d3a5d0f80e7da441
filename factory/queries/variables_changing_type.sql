-- question: Which variables hold values of several types in one activation?
-- columns: program_id, name, was, becomes, times, traces
WITH history AS (
    SELECT trace_id, program_id, activation, name, -1 AS step, type FROM entries
    UNION ALL
    SELECT trace_id, program_id, activation, name, step, type FROM changes
    WHERE type IS NOT NULL
), followed AS (
    SELECT *, lag(type) OVER (PARTITION BY trace_id, activation, name ORDER BY step) AS was
    FROM history
)
SELECT program_id, name, was, type AS becomes,
    count(*) AS times, count(DISTINCT trace_id) AS traces
FROM followed
WHERE was <> type
GROUP BY program_id, name, was, type
ORDER BY times DESC, program_id, name, was, becomes
