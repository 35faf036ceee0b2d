SELECT table_id, round, sum(staked_cents) OVER (PARTITION BY table_id ORDER BY closed_at, log_partition, log_offset) AS so_far
FROM rounds
