-- question: How did the traced calls end, level by level?
-- columns: level, outcome, type, traces
SELECT level, outcome, CASE WHEN outcome = 'raised' THEN output_type END AS type,
    count(*) AS traces
FROM traces
GROUP BY ALL
ORDER BY level NULLS LAST, traces DESC, outcome, type
