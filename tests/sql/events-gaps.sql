SELECT table_id, max(seq) - min(seq) + 1 - count(DISTINCT seq) AS missing
FROM events GROUP BY table_id
