-- question: Which `if`s were evaluated at least `least` times and always went the same way?
-- columns: program_id, line, always, evaluations, traces
-- parameter least=2: evaluations that count as enough
SELECT program_id, line, bool_and(entered) AS always,
    count(*) AS evaluations, count(DISTINCT trace_id) AS traces
FROM headers
WHERE kind = 'If' AND completed
GROUP BY program_id, stmt, line
HAVING bool_and(entered) = bool_or(entered) AND evaluations >= $least
ORDER BY program_id, stmt
