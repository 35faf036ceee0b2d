-- chip-liability
-- for: auditors
-- about: A10, the liability for value chips by denomination, on the last of the days: chips received from a vendor or
--   told as received, less those destroyed, less those on hand at the last count of each place and each tray. Below 0
--   there are more chips on hand than the house ever had: counterfeits. computed is what the house told itself last, and
--   is held against what was told until then.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
WITH copies AS (
    SELECT *, row_number() OVER (PARTITION BY property, table_id, seq, kind ORDER BY log_offset) AS copy
    FROM money
    -- What was there before the first of the days is there on the last of them.
    WHERE denominations IS NOT NULL AND gaming_day <= $last AND $first <= $last
),
told AS (
    SELECT
        *,
        CASE WHEN kind IN ('inventory', 'opening_inventory', 'closing_inventory') THEN 'tray of ' || table_id
            ELSE coalesce(location, 'the house') END AS place,
        lower(coalesce("from", '')) LIKE '%vendor%' OR lower(coalesce("from", '')) LIKE '%manufacturer%'
            OR lower(coalesce(reason, '')) = 'received' AS is_receipt
    FROM copies
    WHERE copy = 1 AND NOT coalesce(tournament, FALSE)
),
liable AS (
    SELECT *, row_number() OVER (PARTITION BY property ORDER BY at DESC, log_offset DESC) AS nth
    FROM told
    WHERE kind = 'liability'
),
-- What was told until the house computed its liability.
until_then AS (
    SELECT told.*
    FROM told
    JOIN liable
        ON liable.nth = 1 AND liable.property = told.property
        AND (told.at < liable.at OR told.at = liable.at AND told.log_offset < liable.log_offset)
),
counted_then AS (
    SELECT *, row_number() OVER (PARTITION BY property, place ORDER BY at DESC, log_offset DESC) AS nth
    FROM until_then
    WHERE kind IN ('chips_counted', 'inventory', 'opening_inventory', 'closing_inventory')
),
counted AS (
    SELECT *, row_number() OVER (PARTITION BY property, place ORDER BY at DESC, log_offset DESC) AS nth
    FROM told
    WHERE kind IN ('chips_counted', 'inventory', 'opening_inventory', 'closing_inventory')
),
said AS (
    SELECT property, 'received' AS what, denominations FROM told WHERE kind = 'chips_moved' AND is_receipt
    UNION ALL
    SELECT property, 'destroyed', denominations FROM told WHERE kind = 'chips_destroyed'
    UNION ALL
    SELECT property, 'on hand', denominations FROM counted WHERE nth = 1
    UNION ALL
    SELECT property, 'computed', denominations FROM liable WHERE nth = 1
    UNION ALL
    SELECT property, 'then', denominations FROM until_then WHERE kind = 'chips_moved' AND is_receipt
    UNION ALL
    SELECT property, 'gone then', denominations FROM until_then WHERE kind = 'chips_destroyed'
    UNION ALL
    SELECT property, 'gone then', denominations FROM counted_then WHERE nth = 1
),
chips AS (
    SELECT property, what, denominations, unnest(json_object_keys(denominations)) AS chip FROM said
),
sums AS (
    SELECT
        property, CAST(chip AS BIGINT) AS chip_cents,
        sum(CASE WHEN what = 'received' THEN json_get_int(denominations, chip) ELSE 0 END) AS received,
        sum(CASE WHEN what = 'destroyed' THEN json_get_int(denominations, chip) ELSE 0 END) AS destroyed,
        sum(CASE WHEN what = 'on hand' THEN json_get_int(denominations, chip) ELSE 0 END) AS on_hand,
        sum(CASE WHEN what = 'computed' THEN json_get_int(denominations, chip) END) AS computed,
        sum(CASE
            WHEN what = 'then' THEN json_get_int(denominations, chip)
            WHEN what = 'gone then' THEN -json_get_int(denominations, chip)
            ELSE 0
        END) AS outstanding_then
    FROM chips
    GROUP BY property, CAST(chip AS BIGINT)
)
SELECT
    property, chip_cents, received, destroyed, on_hand, received - destroyed - on_hand AS outstanding,
    (received - destroyed - on_hand) * chip_cents AS liability_cents,
    computed * chip_cents AS computed_cents,
    nullif(concat_ws('; ',
        CASE WHEN received = 0 THEN 'no receipt of these chips was told' END,
        CASE WHEN received > 0 AND received - destroyed - on_hand < 0
            THEN 'more on hand than the house had: look for counterfeits' END,
        CASE WHEN received > 0 AND computed <> outstanding_then
            THEN 'computed otherwise' END
    ), '') AS exception
FROM sums
ORDER BY property, chip_cents
