SELECT table_id, count(DISTINCT round) AS rounds, count(*) AS cards
FROM cards GROUP BY table_id
