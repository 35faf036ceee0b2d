-- cage
-- for: auditors
-- about: A11, the cage by gaming day: the last count or impressment before it, chips that came (credits from tables,
--   chips moved there), chips that left (fills to tables, chips moved away), and what was counted. Chips that patrons
--   change for cash, and checks that they redeem, leave its worth as it is. remark says what is no
--   exception: a first count has nothing before it, and what moved since the last count is counted next.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param location text = cage: The place, as the house names it.
WITH copies AS (
    SELECT *, row_number() OVER (PARTITION BY property, table_id, seq, kind ORDER BY log_offset) AS copy
    FROM money
    WHERE
        gaming_day BETWEEN CAST($first AS DATE) - INTERVAL '40 days' AND $last
        AND kind IN ('impressment', 'chips_counted', 'chips_moved', 'chips_destroyed', 'fill', 'credit')
),
told AS (
    SELECT
        *,
        CASE
            WHEN kind IN ('impressment', 'chips_counted') AND location = $location THEN 'counted'
            WHEN kind = 'credit' OR kind = 'chips_moved' AND "to" = $location THEN 'came'
            WHEN kind = 'fill' OR kind = 'chips_moved' AND "from" = $location THEN 'left'
            WHEN kind = 'chips_destroyed' AND location = $location THEN 'left'
        END AS what
    FROM copies
    WHERE copy = 1
),
cut AS (
    SELECT
        *,
        count(*) FILTER (WHERE what = 'counted') OVER (
            PARTITION BY property ORDER BY at, log_offset ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS period
    FROM told
    WHERE what IS NOT NULL
),
periods AS (
    SELECT
        property, period,
        max(CASE WHEN what = 'counted' THEN gaming_day END) AS gaming_day,
        max(CASE WHEN what = 'counted' THEN at END) AS counted_at,
        max(CASE WHEN what = 'counted' THEN person END) AS counted_by,
        max(CASE WHEN what = 'counted' THEN witness END) AS witness,
        sum(CASE WHEN what = 'came' THEN amount_cents ELSE 0 END) AS receipts_cents,
        sum(CASE WHEN what = 'left' THEN amount_cents ELSE 0 END) AS disbursements_cents,
        max(CASE WHEN what = 'counted' THEN amount_cents END) AS counted_cents
    FROM cut
    GROUP BY property, period
),
rolled AS (
    SELECT *, lag(counted_cents) OVER (PARTITION BY property ORDER BY period) AS opening_cents FROM periods
)
SELECT
    gaming_day, property, opening_cents, receipts_cents, disbursements_cents,
    opening_cents + receipts_cents - disbursements_cents AS expected_cents, counted_at, counted_cents,
    counted_cents - (opening_cents + receipts_cents - disbursements_cents) AS difference_cents,
    counted_by, witness,
    CASE
        WHEN counted_cents IS NULL THEN 'not counted since'
        WHEN opening_cents IS NULL THEN 'the first count that the archive has'
    END AS remark,
    nullif(concat_ws('; ',
        CASE WHEN counted_cents <> opening_cents + receipts_cents - disbursements_cents
            THEN 'the count does not agree' END,
        CASE WHEN counted_cents IS NOT NULL AND (counted_by IS NULL OR witness IS NULL)
            THEN 'not signed by two' END
    ), '') AS exception
FROM rolled
WHERE coalesce(gaming_day, $last) BETWEEN $first AND $last
ORDER BY property, period
