SELECT count(*) AS n, min(closed_at) AS first, max(closed_at) AS last
FROM rounds WHERE gaming_day = (SELECT max(gaming_day) FROM rounds)
