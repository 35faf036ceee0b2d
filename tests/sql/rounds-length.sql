SELECT game, max(last_seq - first_seq) AS most, min(last_seq - first_seq) AS least
FROM rounds GROUP BY game
