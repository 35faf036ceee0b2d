SELECT rules IS NULL AS unjudged, count(*) AS n
FROM rounds GROUP BY 1
