-- question: Where did one step change several names of the same object?
-- columns: trace_id, program_id, step, line, names, type, value
SELECT trace_id, program_id, step, line, string_agg(name, ', ' ORDER BY name) AS names,
    type, value
FROM changes
WHERE op = 'mutate'
GROUP BY trace_id, program_id, step, line, type, value
HAVING count(*) > 1
ORDER BY trace_id, step, names
