-- question: How many programs and traces does each cell (type, method, level) have?
-- columns: type, method, level, programs, traces
WITH ran AS (SELECT program_id, count(*) AS n FROM traces GROUP BY program_id)
SELECT "constraint".type AS type, "constraint".method AS method, level,
    count(*) AS programs, coalesce(sum(n), 0)::BIGINT AS traces
FROM programs LEFT JOIN ran USING (program_id)
WHERE "constraint" IS NOT NULL
GROUP BY ALL
ORDER BY type, method, level
