SELECT dealer, count(*) AS n, sum(given_cents) AS given
FROM rounds WHERE dealer IS NOT NULL GROUP BY dealer
