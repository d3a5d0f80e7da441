-- question: What do the GRPO prompts of each level ask, and how is `executed` answered?
-- columns: task, level, prompts, questions, executed_yes, executed_no
SELECT task, level, count(*) AS prompts, sum(len(kinds))::BIGINT AS questions,
    sum(len(list_filter(range(len(kinds)), lambda i:
        kinds[i + 1] = 'executed' AND keys[i + 1] = 'yes')))::BIGINT AS executed_yes,
    sum(len(list_filter(range(len(kinds)), lambda i:
        kinds[i + 1] = 'executed' AND keys[i + 1] = 'no')))::BIGINT AS executed_no
FROM stage1
GROUP BY task, level
ORDER BY task, level NULLS LAST
