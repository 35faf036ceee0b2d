SELECT player, count(*) AS n, sum(amount_cents) AS staked
FROM wagers WHERE player IS NOT NULL GROUP BY player
ORDER BY staked DESC, player LIMIT 30
