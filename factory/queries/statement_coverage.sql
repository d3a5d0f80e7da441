-- question: What share of its statements did the traces of each program reach, lowest first?
-- columns: program_id, traces, statements, executed, share
WITH reached AS (
    SELECT DISTINCT program_id, stmt, true AS ran FROM steps
), counted AS (
    SELECT program_id, count(*) AS total, count(ran) AS executed
    FROM statements LEFT JOIN reached USING (program_id, stmt)
    WHERE called AND steppable
    GROUP BY program_id
)
SELECT program_id, traces, total AS statements, executed, executed / total AS share
FROM counted
    JOIN (SELECT program_id, count(*) AS traces FROM traces GROUP BY program_id)
        USING (program_id)
ORDER BY share, program_id
