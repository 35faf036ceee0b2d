SELECT type, count(*) AS n
FROM events GROUP BY type
