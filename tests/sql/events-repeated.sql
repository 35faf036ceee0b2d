SELECT table_id, seq, count(*) AS n
FROM events GROUP BY table_id, seq HAVING count(*) > 1
