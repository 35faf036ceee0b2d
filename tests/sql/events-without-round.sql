SELECT type, count(*) AS n
FROM events WHERE round IS NULL GROUP BY type
