SELECT date_trunc('hour', "at") AS hour, count(*) AS n
FROM events GROUP BY 1
