SELECT count(*) FILTER (WHERE NOT complete) AS incomplete, count(*) FILTER (WHERE voided) AS voided, count(*) AS n
FROM rounds
