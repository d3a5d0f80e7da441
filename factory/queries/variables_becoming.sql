-- question: Which variables become a `type` (and what were they before)?
-- columns: program_id, name, line, was, times, traces
-- parameter type=set: the type text of the new value
WITH history AS (
    SELECT trace_id, program_id, activation, name, -1 AS step, NULL AS line, type FROM entries
    UNION ALL
    SELECT trace_id, program_id, activation, name, step, line, type FROM changes
), followed AS (
    SELECT *, lag(type) OVER (PARTITION BY trace_id, activation, name ORDER BY step) AS was
    FROM history
)
SELECT program_id, name, line, was, count(*) AS times, count(DISTINCT trace_id) AS traces
FROM followed
WHERE step >= 0 AND type = $type AND was IS DISTINCT FROM $type
GROUP BY program_id, name, line, was
ORDER BY times DESC, program_id, name, line, was NULLS FIRST
