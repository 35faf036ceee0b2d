SELECT r.game, f.code, count(*) AS n
FROM findings f JOIN rounds r ON r.round = f.round AND r.property = f.property GROUP BY r.game, f.code
