-- question: In which statements did an exception (or the end of the trace) strike?
-- columns: program_id, line, kind, times, traces
SELECT program_id, line, kind, count(*) AS times, count(DISTINCT trace_id) AS traces
FROM steps
WHERE NOT completed
GROUP BY program_id, stmt, line, kind
ORDER BY times DESC, program_id, stmt
