-- non-value-chips
-- for: auditors
-- about: A12, chips without a value by table and colour, as a rule for a month: how many there were at the last count
--   before, how many were brought to the table and taken back from it until the last count, and how many were counted then.
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
ordered AS (
    SELECT *, row_number() OVER (PARTITION BY property, place, colour ORDER BY at, log_offset) AS nth
    FROM moves
    WHERE $table IS NULL OR place = $table
),
-- It begins with the last count before the first of the days, or with the first of them, and ends with the last.
bounds AS (
    SELECT
        property, place, colour,
        coalesce(
            max(CASE WHEN what = 'counted' AND gaming_day < $first THEN nth END),
            min(CASE WHEN what = 'counted' THEN nth END)
        ) AS first_nth,
        max(CASE WHEN what = 'counted' AND gaming_day >= $first THEN nth END) AS last_nth,
        max(nth) AS all_nth
    FROM ordered
    GROUP BY property, place, colour
),
sums AS (
    SELECT
        ordered.property, ordered.place AS table_id, ordered.colour,
        sum(CASE WHEN nth = first_nth THEN number END) AS began,
        sum(CASE WHEN what = 'came' AND nth > first_nth AND nth < coalesce(last_nth, all_nth + 1) THEN number ELSE 0 END)
            AS distributed,
        sum(CASE WHEN what = 'left' AND nth > first_nth AND nth < coalesce(last_nth, all_nth + 1) THEN number ELSE 0 END)
            AS returned,
        sum(CASE WHEN nth = last_nth THEN number END) AS ended,
        sum(CASE WHEN nth > last_nth THEN 1 ELSE 0 END) AS since
    FROM ordered
    JOIN bounds
        ON bounds.property = ordered.property AND bounds.place = ordered.place AND bounds.colour = ordered.colour
    WHERE first_nth IS NOT NULL
    GROUP BY ordered.property, ordered.place, ordered.colour
)
SELECT
    property, table_id, colour, began, distributed, returned, began + distributed - returned AS expected, ended,
    ended - (began + distributed - returned) AS difference,
    CASE
        WHEN ended IS NULL THEN 'not counted'
        WHEN ended <> began + distributed - returned THEN 'chips are missing or too many'
        WHEN since > 0 THEN 'moved since the last count'
    END AS exception
FROM sums
ORDER BY property, table_id, colour
