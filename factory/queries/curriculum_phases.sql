-- question: How many training prompts does each phase of the curriculum have, from which levels?
-- columns: phase, prompts, levels, mean_score
SELECT phase, count(*) AS prompts, list(DISTINCT level ORDER BY level) AS levels,
    round(avg(score), 2) AS mean_score
FROM stage1
WHERE split = 'train'
GROUP BY phase
ORDER BY phase
