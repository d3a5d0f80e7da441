-- question: How often was each function entered?
-- columns: program_id, function, activations, traces, most_in_one_trace
SELECT program_id, function, sum(n)::BIGINT AS activations, count(*) AS traces,
    max(n) AS most_in_one_trace
FROM (
    SELECT program_id, function, trace_id, count(*) AS n
    FROM activations
    GROUP BY program_id, function, trace_id
)
GROUP BY program_id, function
ORDER BY activations DESC, program_id, function
