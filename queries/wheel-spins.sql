-- wheel-spins
-- for: investigators
-- about: How often each pocket of a wheel came at a table, beside its even share, and the spins that were called off.
-- param table text: The table.
-- param wheel text = none: Only this wheel.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
WITH spins AS (
    SELECT DISTINCT property, seq, wheel, result, valid
    FROM outcomes
    WHERE
        kind = 'spin' AND table_id = $table AND gaming_day BETWEEN $first AND $last
        AND ($wheel IS NULL OR wheel = $wheel)
)
SELECT
    property, wheel, result,
    sum(CASE WHEN valid THEN 1 ELSE 0 END) AS spins,
    sum(CASE WHEN valid THEN 0 ELSE 1 END) AS called_off,
    round(100.0 * sum(CASE WHEN valid THEN 1 ELSE 0 END)
        / nullif(sum(sum(CASE WHEN valid THEN 1 ELSE 0 END)) OVER (PARTITION BY property, wheel), 0), 2) AS percent
FROM spins
GROUP BY property, wheel, result
ORDER BY property, wheel, spins DESC, result
