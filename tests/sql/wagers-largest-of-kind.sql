SELECT kind, wager, amount_cents
FROM (SELECT kind, round, wager, amount_cents, rank() OVER (PARTITION BY kind ORDER BY amount_cents DESC, round, property, nth) AS place FROM wagers) w WHERE place <= 2
