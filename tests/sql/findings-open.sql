SELECT count(*) AS n
FROM findings f WHERE NOT EXISTS (SELECT 1 FROM dispositions d WHERE d.finding = f.id)
