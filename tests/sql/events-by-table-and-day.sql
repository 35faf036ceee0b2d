SELECT gaming_day, table_id, count(*) AS n, min(seq) AS first_seq, max(seq) AS last_seq
FROM events GROUP BY gaming_day, table_id
