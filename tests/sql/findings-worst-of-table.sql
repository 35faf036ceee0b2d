SELECT DISTINCT table_id, max(exposure_cents) OVER (PARTITION BY table_id) AS worst
FROM findings
