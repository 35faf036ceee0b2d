SELECT code, severity, count(*) AS n, sum(exposure_cents) AS exposure
FROM findings GROUP BY code, severity
