SELECT substr(card, 1, 1) AS rank, count(*) AS n
FROM cards WHERE card IS NOT NULL GROUP BY 1
