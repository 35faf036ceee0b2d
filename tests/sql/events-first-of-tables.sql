SELECT table_id, type
FROM events WHERE seq = 1
ORDER BY table_id, type
