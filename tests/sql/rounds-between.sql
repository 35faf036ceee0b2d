SELECT count(*) AS n
FROM rounds WHERE closed_at BETWEEN (SELECT min(opened_at) FROM rounds) AND (SELECT max(opened_at) FROM rounds)
