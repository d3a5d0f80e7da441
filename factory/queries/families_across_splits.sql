-- question: Which program families stand in more than one split (there must be none)?
-- columns: family_id, splits, programs
SELECT family_id, string_agg(DISTINCT split, ', ' ORDER BY split) AS splits,
    count(*) AS programs
FROM programs
GROUP BY family_id
HAVING count(DISTINCT split) > 1
ORDER BY family_id
