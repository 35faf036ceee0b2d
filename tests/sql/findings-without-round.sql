SELECT code, count(*) AS n
FROM findings WHERE round IS NULL GROUP BY code
