-- question: Which variables grew past the value limit, so that nothing is asked about them?
-- columns: program_id, name, line, times, traces
SELECT program_id, name, line, count(*) AS times, count(DISTINCT trace_id) AS traces
FROM changes
WHERE starts_with(value, 'too_large(')
GROUP BY program_id, name, line
ORDER BY times DESC, program_id, name, line
