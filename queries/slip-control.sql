-- slip-control
-- for: auditors
-- about: A5, slips: every fill and credit with its request, its delivery, its parts, and who signed. The exception says
--   what is wrong: no request, amounts or parts that differ, denominations that do not add up, a number twice or left
--   out of its series, a void that is not signed by two, a signature that is missing, a delivery that took too long. A slip that was
--   voided and that brought nothing has a row of its own.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as MB-05; all if left out.
-- param minutes int = 30: A delivery may take so long after its request.
WITH copies AS (
    SELECT *, row_number() OVER (PARTITION BY property, table_id, seq ORDER BY log_offset) AS copy
    FROM slips
    WHERE
        ($table IS NULL OR table_id = $table)
        AND gaming_day BETWEEN CAST($first AS DATE) - INTERVAL '8 days' AND CAST($last AS DATE) + INTERVAL '8 days'
),
told AS (
    SELECT * FROM copies WHERE copy = 1
),
chips AS (
    SELECT
        property, table_id, seq, denominations, unnest(json_object_keys(denominations)) AS chip
    FROM told
    WHERE deed = 'delivered' AND denominations IS NOT NULL
),
sums AS (
    SELECT
        property, table_id, seq,
        sum(CAST(chip AS BIGINT) * json_get_int(denominations, chip)) AS chips_cents
    FROM chips
    GROUP BY property, table_id, seq
),
filed AS (
    SELECT
        property, slip, count(*) AS parts_filed, count(DISTINCT part) AS kinds_filed,
        min(amount_cents) AS least_cents, max(amount_cents) AS most_cents,
        string_agg(part, ' ' ORDER BY part) AS parts
    FROM told
    WHERE deed = 'filed'
    GROUP BY property, slip
),
voided AS (
    SELECT
        property, slip, min(at) AS voided_at, min(gaming_day) AS gaming_day, min(table_id) AS table_id, min(seq) AS seq,
        max(person) AS voided_by, max(witness) AS void_witness,
        max(reason) AS void_reason
    FROM told
    WHERE deed = 'voided'
    GROUP BY property, slip
),
numbered AS (
    SELECT DISTINCT
        property, slip, regexp_replace(slip, '[0-9]+$', '') AS series,
        CAST(nullif(substr(slip, character_length(regexp_replace(slip, '[0-9]+$', '')) + 1), '') AS BIGINT) AS number
    FROM told
    WHERE slip IS NOT NULL AND deed IN ('delivered', 'voided')
),
series AS (
    SELECT property, slip, number - lag(number) OVER (PARTITION BY property, series ORDER BY number) - 1 AS left_out
    FROM numbered
),
delivered AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY property, slip ORDER BY at, table_id, seq) AS nth,
        count(*) OVER (PARTITION BY property, slip) AS times
    FROM told
    WHERE deed = 'delivered'
),
requested AS (
    SELECT
        *, row_number() OVER (PARTITION BY property, table_id, request ORDER BY seq) AS nth
    FROM told
    WHERE deed = 'requested'
),
listed AS (
    SELECT
        coalesce(delivered.gaming_day, requested.gaming_day) AS gaming_day,
        coalesce(delivered.property, requested.property) AS property,
        coalesce(delivered.table_id, requested.table_id) AS table_id,
        coalesce(delivered.kind, requested.kind) AS kind,
        delivered.slip, coalesce(delivered.request, requested.request) AS request,
        requested.at AS requested_at, requested.amount_cents AS requested_cents, requested.person AS requested_by,
        delivered.at AS delivered_at, delivered.amount_cents AS delivered_cents,
        delivered.prepared_by, delivered.carried_by, delivered.dealer, delivered.supervisor,
        delivered.times, delivered.seq AS delivered_seq, requested.seq AS requested_seq
    FROM delivered
    FULL JOIN (SELECT * FROM requested WHERE nth = 1) AS requested
        ON requested.property = delivered.property AND requested.table_id = delivered.table_id
        AND requested.request = delivered.request
    UNION ALL
    SELECT
        gaming_day, property, table_id, NULL AS kind, slip, NULL AS request, NULL AS requested_at,
        NULL AS requested_cents, NULL AS requested_by, NULL AS delivered_at, NULL AS delivered_cents,
        NULL AS prepared_by, NULL AS carried_by, NULL AS dealer, NULL AS supervisor, NULL AS times,
        NULL AS delivered_seq, seq AS requested_seq
    FROM voided
    WHERE NOT EXISTS (
        SELECT 1 FROM delivered WHERE delivered.property = voided.property AND delivered.slip = voided.slip
    )
)
SELECT
    listed.gaming_day, listed.property, listed.table_id, listed.kind, listed.slip, listed.request,
    requested_at, delivered_at,
    CAST(round((to_unixtime(delivered_at) - to_unixtime(requested_at)) / 60.0) AS BIGINT) AS took_minutes,
    requested_cents, delivered_cents, filed.parts, filed.least_cents AS filed_least_cents,
    filed.most_cents AS filed_most_cents,
    requested_by, prepared_by, carried_by, dealer, supervisor,
    voided.void_reason, voided.voided_by, voided.void_witness,
    nullif(concat_ws('; ',
        CASE WHEN delivered_at IS NULL AND voided.voided_at IS NULL THEN 'asked for, and not delivered' END,
        CASE WHEN delivered_at IS NOT NULL AND requested_at IS NULL THEN 'no request' END,
        CASE WHEN delivered_cents <> requested_cents THEN 'delivered otherwise than asked for' END,
        CASE WHEN filed.least_cents <> filed.most_cents OR filed.most_cents <> delivered_cents
            OR filed.least_cents <> delivered_cents THEN 'parts differ' END,
        CASE WHEN delivered_at IS NOT NULL AND filed.parts IS NULL THEN 'no part was filed' END,
        CASE WHEN filed.parts_filed > filed.kinds_filed AND listed.times = 1 THEN 'a part was filed twice' END,
        CASE WHEN sums.chips_cents <> delivered_cents THEN 'denominations do not add up' END,
        CASE WHEN listed.times > 1 THEN 'its number was used ' || listed.times || ' times' END,
        CASE WHEN series.left_out > 0 THEN series.left_out || ' numbers before it are missing' END,
        CASE WHEN voided.voided_at IS NOT NULL AND (voided.voided_by IS NULL OR voided.void_witness IS NULL)
            THEN 'void and not signed by two' END,
        CASE WHEN delivered_at IS NOT NULL AND (prepared_by IS NULL OR carried_by IS NULL OR dealer IS NULL
            OR supervisor IS NULL) THEN 'a signature is missing' END,
        CASE WHEN to_unixtime(delivered_at) - to_unixtime(requested_at) > $minutes * 60
            THEN 'took longer than ' || $minutes || ' minutes' END
    ), '') AS exception
FROM listed
LEFT JOIN sums
    ON sums.property = listed.property AND sums.table_id = listed.table_id AND sums.seq = listed.delivered_seq
LEFT JOIN filed ON filed.property = listed.property AND filed.slip = listed.slip
LEFT JOIN voided ON voided.property = listed.property AND voided.slip = listed.slip
LEFT JOIN series ON series.property = listed.property AND series.slip = listed.slip
WHERE listed.gaming_day BETWEEN $first AND $last
ORDER BY
    listed.gaming_day, listed.property, listed.table_id, coalesce(listed.delivered_seq, listed.requested_seq)
