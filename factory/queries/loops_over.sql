-- question: Which loops ran their body more than `more` times in one trace?
-- columns: trace_id, program_id, line, kind, iterations, evaluations
-- parameter more=3: iterations that a loop must exceed
SELECT trace_id, program_id, line, kind,
    count(*) FILTER (WHERE entered) AS iterations, count(*) AS evaluations
FROM headers
WHERE kind IN ('For', 'AsyncFor', 'While')
GROUP BY trace_id, program_id, stmt, line, kind
HAVING iterations > $more
ORDER BY iterations DESC, trace_id, stmt
