-- question: How many contrastive pairs are there of each dimension and kind, and how alike in length?
-- columns: dimension, pair_kind, pairs, chosen_longer, rejected_longer, chosen_chars, rejected_chars
SELECT dimension, pair_kind, count(*) AS pairs,
    count(*) FILTER (chosen_chars > rejected_chars) AS chosen_longer,
    count(*) FILTER (chosen_chars < rejected_chars) AS rejected_longer,
    round(avg(chosen_chars), 1) AS chosen_chars, round(avg(rejected_chars), 1) AS rejected_chars
FROM crpl
GROUP BY dimension, pair_kind
ORDER BY dimension, pair_kind
