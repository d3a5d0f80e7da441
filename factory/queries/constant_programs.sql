-- question: Which programs give the same answer to each of their (at least two) inputs?
-- columns: program_id, entry_point, traces, output
SELECT program_id, any_value(entry_point) AS entry_point, count(*) AS traces,
    min(output_value) AS output
FROM traces JOIN programs USING (program_id)
WHERE outcome = 'returned'
GROUP BY program_id
HAVING count(*) > 1 AND count(DISTINCT (output_type, output_value)) = 1
ORDER BY traces DESC, program_id
