-- question: Which exceptions left a function, and in how many traces did they end the call?
-- columns: type, activations, traces, ended_call
SELECT type, count(*) AS activations, count(DISTINCT trace_id) AS traces,
    count(DISTINCT trace_id) FILTER (WHERE outcome = 'raised' AND type = output_type)
        AS ended_call
FROM activations JOIN (SELECT trace_id, outcome, output_type FROM traces) USING (trace_id)
WHERE "end" = 'raised'
GROUP BY type
ORDER BY activations DESC, type
