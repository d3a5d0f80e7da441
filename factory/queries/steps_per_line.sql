-- question: How often did each line of each program run?
-- columns: program_id, line, steps, traces
SELECT program_id, line, count(*) AS steps, count(DISTINCT trace_id) AS traces
FROM steps
GROUP BY program_id, line
ORDER BY program_id, line
