-- non-value-chips
-- for: auditors
-- about: A12, chips without a value by table and colour, as a rule for a month: how many there were at the last count
--   before, how many were brought to the table and taken back from it, and how many were counted last.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as RO-05; all if left out.
WITH copies AS (
    SELECT *, row_number() OVER (PARTITION BY property, table_id, seq, kind ORDER BY log_offset) AS copy
    FROM money
    WHERE
        colours IS NOT NULL AND kind IN ('chips_moved', 'chips_counted', 'impressment')
        AND gaming_day BETWEEN CAST($first AS DATE) - INTERVAL '62 days' AND $last
),
chips AS (
    SELECT
        *, unnest(json_object_keys(colours)) AS colour
    FROM copies
    WHERE copy = 1
),
moves AS (
    SELECT
        property, coalesce(location, table_id) AS place, colour, 'counted' AS what, gaming_day, at, log_offset,
        json_get_int(colours, colour) AS number
    FROM chips
    WHERE kind IN ('chips_counted', 'impressment')
    UNION ALL
    SELECT property, "to", colour, 'came', gaming_day, at, log_offset, json_get_int(colours, colour)
    FROM chips
    WHERE kind = 'chips_moved' AND "to" IS NOT NULL
    UNION ALL
    SELECT property, "from", colour, 'left', gaming_day, at, log_offset, json_get_int(colours, colour)
    FROM chips
    WHERE kind = 'chips_moved' AND "from" IS NOT NULL
),
sums AS (
    SELECT
        property, place AS table_id, colour,
        last_value(CASE WHEN gaming_day < $first THEN number END ORDER BY
            CASE WHEN what = 'counted' AND gaming_day < $first THEN 1 ELSE 0 END, at, log_offset) AS before,
        first_value(CASE WHEN gaming_day >= $first AND what = 'counted' THEN number END ORDER BY
            CASE WHEN what = 'counted' AND gaming_day >= $first THEN 0 ELSE 1 END, at, log_offset) AS first_count,
        sum(CASE WHEN what = 'came' AND gaming_day >= $first THEN number ELSE 0 END) AS distributed,
        sum(CASE WHEN what = 'left' AND gaming_day >= $first THEN number ELSE 0 END) AS returned,
        last_value(CASE WHEN what = 'counted' AND gaming_day >= $first THEN number END ORDER BY
            CASE WHEN what = 'counted' AND gaming_day >= $first THEN 1 ELSE 0 END, at, log_offset) AS ended,
        bool_or(what = 'counted') AS is_counted
    FROM moves
    WHERE ($table IS NULL OR place = $table)
    GROUP BY property, place, colour
)
SELECT
    property, table_id, colour, coalesce(before, first_count) AS began, distributed, returned,
    coalesce(before, first_count) + distributed - returned AS expected, ended,
    ended - (coalesce(before, first_count) + distributed - returned) AS difference,
    CASE
        WHEN ended IS NULL THEN 'not counted'
        WHEN ended <> coalesce(before, first_count) + distributed - returned THEN 'chips are missing or too many'
    END AS exception
FROM sums
WHERE is_counted
ORDER BY property, table_id, colour
