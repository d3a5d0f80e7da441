-- question: How often is the baseline model right, level by level and kind by kind?
-- columns: level, kind, questions, answers, passes, share, never, always
SELECT level, kind, count(*) AS questions, sum(difficulty.n)::BIGINT AS answers,
    sum(difficulty.passes)::BIGINT AS passes, sum(difficulty.passes) / sum(difficulty.n) AS share,
    count(*) FILTER (difficulty.passes = 0) AS never,
    count(*) FILTER (difficulty.passes = difficulty.n) AS always
FROM questions
WHERE difficulty IS NOT NULL
GROUP BY level, kind
ORDER BY level NULLS LAST, kind
