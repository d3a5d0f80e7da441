-- question: Which lines of the whole dataset ran most often?
-- columns: program_id, line, steps, traces, text
-- parameter top=20: how many lines
WITH counted AS (
    SELECT program_id, line, count(*) AS steps, count(DISTINCT trace_id) AS traces
    FROM steps
    GROUP BY program_id, line
    ORDER BY steps DESC, program_id, line
    LIMIT $top
)
SELECT counted.*, min(text) AS text
FROM counted JOIN statements USING (program_id, line)
GROUP BY ALL
ORDER BY steps DESC, program_id, line
