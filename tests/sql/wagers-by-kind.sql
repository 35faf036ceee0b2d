SELECT game, kind, result, count(*) AS n, sum(amount_cents) AS staked, sum(returned_cents) AS due
FROM wagers GROUP BY game, kind, result
