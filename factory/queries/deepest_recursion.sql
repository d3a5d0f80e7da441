-- question: Which functions were open most often at once in one trace?
-- columns: trace_id, program_id, function, open_at_once, activations
-- parameter top=20: how many rows
WITH RECURSIVE repeated AS (
    SELECT trace_id, program_id, function, count(*) AS activations
    FROM activations
    GROUP BY trace_id, program_id, function
    HAVING activations > 1
), linked AS (
    SELECT child.trace_id, child.activation, child.function, steps.activation AS parent
    FROM activations AS child
        LEFT JOIN steps ON steps.trace_id = child.trace_id AND steps.step = child.parent_step
    WHERE child.trace_id IN (SELECT trace_id FROM repeated)
), stacked AS (
    SELECT trace_id, activation, function, [function] AS stack FROM linked WHERE parent IS NULL
    UNION ALL
    SELECT linked.trace_id, linked.activation, linked.function,
        list_append(stacked.stack, linked.function)
    FROM linked JOIN stacked
        ON stacked.trace_id = linked.trace_id AND stacked.activation = linked.parent
)
SELECT trace_id, program_id, function,
    max(len(list_filter(stack, lambda f: f = function))) AS open_at_once,
    any_value(activations) AS activations
FROM stacked JOIN repeated USING (trace_id, function)
GROUP BY trace_id, program_id, function
HAVING open_at_once > 1
ORDER BY open_at_once DESC, trace_id, function
LIMIT $top
