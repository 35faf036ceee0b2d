SELECT cardinality(cites) AS cites, count(*) AS n
FROM findings GROUP BY 1
