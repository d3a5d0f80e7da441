-- question: Which variables change most often, and how?
-- columns: program_id, name, changes, bound, rebound, mutated, deleted, traces
-- parameter top=20: how many variables
SELECT program_id, name, count(*) AS changes,
    count(*) FILTER (WHERE op = 'bind') AS bound,
    count(*) FILTER (WHERE op = 'rebind') AS rebound,
    count(*) FILTER (WHERE op = 'mutate') AS mutated,
    count(*) FILTER (WHERE op IN ('delete', 'implicit_delete')) AS deleted,
    count(DISTINCT trace_id) AS traces
FROM changes
GROUP BY program_id, name
ORDER BY changes DESC, program_id, name
LIMIT $top
