SELECT kind, round(CAST(sum(amount_cents) - sum(returned_cents) AS double) / sum(amount_cents), 6) AS hold
FROM wagers WHERE result IN ('win', 'lose', 'push') GROUP BY kind HAVING sum(amount_cents) > 0
