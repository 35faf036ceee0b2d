SELECT document->>'game' AS game, count(*) AS n
FROM rounds WHERE document IS NOT NULL GROUP BY 1
