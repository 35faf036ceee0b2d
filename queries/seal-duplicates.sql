-- seal-duplicates
-- for: investigators
-- about: Seals that were on more than one set: a seal has one number.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
SELECT
    property, seal, count(DISTINCT kind || ' ' || table_id || ' ' || item) AS sets,
    min(at) AS first_at, max(at) AS last_at,
    array_to_string(array_sort(array_agg(DISTINCT table_id || ' ' || item)), ', ') AS items
FROM custody
WHERE seal IS NOT NULL AND deed IN ('delivered', 'introduced') AND gaming_day BETWEEN $first AND $last
GROUP BY property, seal
HAVING count(DISTINCT kind || ' ' || table_id || ' ' || item) > 1
ORDER BY property, seal
