SELECT round, seq
FROM events WHERE type = 'wager_placed' AND body->>'seat' = '1'
ORDER BY table_id, seq, log_partition, log_offset LIMIT 50
