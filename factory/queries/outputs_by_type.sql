-- question: What do the calls return, by type, and how varied is it?
-- columns: output_type, traces, distinct_values, commonest, commonest_share
WITH counted AS (
    SELECT output_type, output_value, count(*) AS n
    FROM traces
    WHERE outcome = 'returned'
    GROUP BY output_type, output_value
)
SELECT output_type, sum(n)::BIGINT AS traces, count(*) AS distinct_values,
    first(output_value ORDER BY n DESC, output_value) AS commonest, max(n) / sum(n) AS commonest_share
FROM counted
GROUP BY output_type
ORDER BY traces DESC, output_type
