SELECT game, median(amount_cents) AS middle
FROM wagers GROUP BY game
