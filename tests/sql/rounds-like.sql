SELECT count(*) AS n
FROM rounds WHERE round LIKE '%1'
