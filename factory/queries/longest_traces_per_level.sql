-- question: Which traces have the most steps, level by level?
-- columns: level, place, trace_id, program_id, n_steps, entry_point, args
-- parameter top=3: how many traces of each level
SELECT traces.level,
    row_number() OVER (PARTITION BY traces.level ORDER BY n_steps DESC, trace_id) AS place,
    trace_id, program_id, n_steps, entry_point, args
FROM traces JOIN programs USING (program_id)
QUALIFY place <= $top
ORDER BY traces.level NULLS LAST, place
