SELECT d.action, count(*) AS n
FROM dispositions d JOIN findings f ON f.id = d.finding GROUP BY d.action
