SELECT split_part(code, '.', 1) AS area, count(*) AS n
FROM findings GROUP BY 1
