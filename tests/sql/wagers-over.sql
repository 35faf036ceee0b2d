SELECT round, wager, difference_cents
FROM wagers WHERE difference_cents > 0
