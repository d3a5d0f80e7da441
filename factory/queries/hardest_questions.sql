-- question: Which questions of each kind have the highest score?
-- columns: kind, place, question_id, score, level, steps, text
-- parameter top=3: questions of each kind
SELECT kind, row_number() OVER (PARTITION BY kind ORDER BY score DESC, question_id) AS place,
    question_id, score, level, effort.steps AS steps, split_part(text, chr(10), 1) AS text
FROM questions
QUALIFY place <= $top
ORDER BY kind, place
