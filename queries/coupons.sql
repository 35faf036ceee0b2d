-- coupons
-- for: auditors
-- about: A9, coupons by gaming day, table and serial: taken at the table, and counted in its box, once each. Where a
--   feed tells no serials, the sums by table stand against each other: what was wagered is what was counted.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as MB-05; all if left out.
-- uses: boxes
WITH taken AS (
    SELECT
        property, instrument AS coupon, coupon_kind, amount_cents, gaming_day, table_id, at, player, seq,
        row_number() OVER (PARTITION BY property, instrument ORDER BY at, table_id, seq) AS nth,
        count(*) OVER (PARTITION BY property, instrument) AS times
    FROM told
    WHERE kind = 'coupon' AND instrument IS NOT NULL
),
counted AS (
    SELECT
        property, table_id, at, instrument AS coupon
    FROM (
        SELECT
            property, table_id, at,
            unnest(string_to_array(regexp_replace(instruments, '[\[\]" ]', '', 'g'), ',')) AS instrument
        FROM told
        WHERE kind = 'drop' AND instruments IS NOT NULL
    ) AS lying
),
found AS (
    SELECT property, coupon, count(*) AS times, min(at) AS counted_at, min(table_id) AS counted_of
    FROM counted
    GROUP BY property, coupon
)
SELECT
    taken.gaming_day, taken.property, taken.table_id, taken.coupon, taken.coupon_kind AS type,
    taken.at AS taken_at, taken.player, taken.amount_cents AS face_cents, found.counted_at,
    nullif(concat_ws('; ',
        CASE WHEN taken.times > 1 THEN 'taken ' || taken.times || ' times' END,
        CASE WHEN found.times IS NULL THEN 'not found in a drop box' END,
        CASE WHEN found.times > 1 THEN 'counted ' || found.times || ' times' END,
        CASE WHEN found.counted_of <> taken.table_id THEN 'counted at another table' END
    ), '') AS exception
FROM taken
LEFT JOIN found ON found.property = taken.property AND found.coupon = taken.coupon
WHERE taken.gaming_day BETWEEN $first AND $last
ORDER BY taken.gaming_day, taken.property, taken.table_id, taken.at, taken.coupon
