SELECT table_id, round, row_number() OVER (PARTITION BY table_id ORDER BY closed_at, log_offset) AS nth
FROM rounds
