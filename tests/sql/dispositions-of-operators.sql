SELECT operator, action, count(*) AS n
FROM dispositions GROUP BY operator, action
