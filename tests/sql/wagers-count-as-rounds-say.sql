SELECT r.game, sum(r.wagers) AS said, sum(w.n) AS found
FROM rounds r JOIN (SELECT property, round, count(*) AS n FROM wagers GROUP BY property, round) w USING (property, round) GROUP BY r.game
