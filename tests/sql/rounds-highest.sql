SELECT round, staked_cents
FROM rounds
ORDER BY staked_cents DESC, round LIMIT 25
