SELECT seat, count(DISTINCT player) AS players
FROM wagers GROUP BY seat
