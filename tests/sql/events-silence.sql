SELECT table_id, max(quiet) AS longest
FROM (SELECT table_id, CAST(floor(date_part('epoch', "at")) AS bigint) - lag(CAST(floor(date_part('epoch', "at")) AS bigint)) OVER (PARTITION BY table_id ORDER BY "at", seq, log_offset) AS quiet FROM events) q GROUP BY table_id
