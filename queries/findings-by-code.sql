-- findings-by-code
-- for: surveillance, investigators, auditors
-- about: How many findings of each code each table has, and what the house lost by them.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
SELECT
    code, severity, property, table_id, count(*) AS findings,
    sum(exposure_cents) AS exposure_cents, min(at) AS first_at, max(at) AS last_at
FROM findings
WHERE gaming_day BETWEEN $first AND $last
GROUP BY code, severity, property, table_id
ORDER BY code, property, table_id
