-- question: Which answers could a lazy model guess, kind by kind?
-- columns: kind, place, key, questions, share
-- parameter top=3: answers of each kind
SELECT kind, row_number() OVER (PARTITION BY kind ORDER BY count(*) DESC, key) AS place, key,
    count(*) AS questions, count(*) / sum(count(*)) OVER (PARTITION BY kind) AS share
FROM questions
GROUP BY kind, key
QUALIFY place <= $top
ORDER BY kind, place
