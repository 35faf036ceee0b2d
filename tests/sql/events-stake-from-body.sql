SELECT table_id, sum(CAST(body->>'amount' AS bigint)) AS staked
FROM events WHERE type = 'wager_placed' GROUP BY table_id
