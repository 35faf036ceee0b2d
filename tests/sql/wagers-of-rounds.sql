SELECT r.round, count(*) AS n, sum(w.amount_cents) AS staked
FROM rounds r JOIN wagers w ON w.round = r.round AND w.property = r.property GROUP BY r.round
