SELECT round, wager
FROM wagers WHERE returned_cents > given_cents
