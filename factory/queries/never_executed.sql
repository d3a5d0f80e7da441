-- question: Which statements of a traced program did no trace ever reach?
-- columns: program_id, stmt, line, kind, text
SELECT program_id, stmt, line, kind, text
FROM statements
WHERE called AND steppable
    AND program_id IN (SELECT program_id FROM traces)
    AND (program_id, stmt) NOT IN (SELECT (program_id, stmt) FROM steps)
ORDER BY program_id, stmt
