SELECT table_id, date_trunc('hour', closed_at) AS hour, count(*) AS n
FROM rounds GROUP BY 1, 2
