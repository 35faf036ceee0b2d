SELECT round
FROM rounds
ORDER BY round, property LIMIT 10 OFFSET 5
