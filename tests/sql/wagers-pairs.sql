SELECT a.round, a.wager AS one, b.wager AS other
FROM wagers a JOIN wagers b ON a.round = b.round AND a.property = b.property AND a.nth < b.nth WHERE a.amount_cents = b.amount_cents AND a.seat = b.seat
