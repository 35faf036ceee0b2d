SELECT kind, sum(commission_cents) AS due, sum(commission_taken_cents) AS taken
FROM wagers WHERE commission_cents > 0 GROUP BY kind
