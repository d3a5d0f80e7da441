-- question: How long are the traces of each level?
-- columns: level, traces, shortest, median, p90, longest
SELECT level, count(*) AS traces, min(n_steps) AS shortest,
    quantile_disc(n_steps, 0.5) AS median, quantile_disc(n_steps, 0.9) AS p90,
    max(n_steps) AS longest
FROM traces
GROUP BY level
ORDER BY level NULLS LAST
