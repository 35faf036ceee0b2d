SELECT CASE WHEN amount_cents < 2500 THEN 'small' WHEN amount_cents < 10000 THEN 'middle' ELSE 'large' END AS size, count(*) AS n
FROM wagers GROUP BY 1
