SELECT table_id, seq, type
FROM events
ORDER BY "at" DESC, table_id, seq, log_offset LIMIT 20
