-- question: Which functions were open most often at once in one trace?
-- columns: trace_id, program_id, function, open_at_once, activations
-- parameter top=20: how many rows
WITH RECURSIVE called AS (
    SELECT trace_id, program_id, act_function,
        list_transform(act_parent_step, lambda step: activations[step + 1]) AS parents
    FROM traces
    WHERE len(list_distinct(act_function)) < len(act_function)
), linked AS (
    SELECT trace_id, program_id, generate_subscripts(act_function, 1) - 1 AS activation,
        unnest(act_function) AS function, unnest(parents) AS parent
    FROM called
), above AS (
    SELECT *, 1 AS open FROM linked
    UNION ALL
    SELECT above.trace_id, above.program_id, above.activation, above.function, linked.parent,
        above.open + (linked.function = above.function)::INTEGER AS open
    FROM above JOIN linked
        ON linked.trace_id = above.trace_id AND linked.activation = above.parent
)
SELECT trace_id, program_id, function, max(open) AS open_at_once,
    count(DISTINCT activation) AS activations
FROM above
GROUP BY trace_id, program_id, function
HAVING open_at_once > 1
ORDER BY open_at_once DESC, trace_id, function
LIMIT $top
