SELECT *
FROM (SELECT kind, count(*) AS n, sum(amount_cents) AS amount FROM money GROUP BY kind) m
