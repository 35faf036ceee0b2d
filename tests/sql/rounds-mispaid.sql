SELECT round, difference_cents
FROM rounds WHERE difference_cents <> 0
ORDER BY abs(difference_cents) DESC, round
