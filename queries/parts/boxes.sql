-- boxes
-- What was told of money, each event once, and the drop boxes with what was counted of them. A week on either side
-- of the days that are asked for is read too, because a box may be counted later than it was taken.
copies AS (
    SELECT
        *, row_number() OVER (PARTITION BY property, table_id, seq, kind ORDER BY log_offset) AS copy
    FROM money
    WHERE
        ($table IS NULL OR table_id = $table)
        AND gaming_day BETWEEN CAST($first AS DATE) - INTERVAL '8 days' AND CAST($last AS DATE) + INTERVAL '8 days'
),
told AS (
    SELECT
        *,
        CASE
            WHEN kind NOT LIKE 'drop%' THEN NULL
            WHEN box_kind IS NOT NULL THEN box_kind
            -- Before boxes had a kind they had a name.
            WHEN lower(coalesce(box, '')) LIKE '%jackpot%' OR lower(coalesce(box, '')) LIKE '%bad%beat%' THEN 'bad_beat'
            ELSE 'main'
        END AS box_is
    FROM copies
    WHERE copy = 1
),
removed AS (
    SELECT
        *, lead(seq) OVER (PARTITION BY property, table_id, box ORDER BY seq) AS next_seq
    FROM told
    WHERE kind = 'drop_box_removed'
),
-- A box is taken from the table, and counted before it is taken again.
boxes AS (
    SELECT
        removed.property, removed.table_id, removed.seq AS removed_seq, removed.at AS removed_at,
        removed.gaming_day AS removed_day, removed.box, removed.box_is,
        count(counted.seq) AS counts,
        min(counted.at) AS counted_at,
        sum(counted.cash_cents) AS cash_cents,
        sum(coalesce(counted.counter_checks_cents, 0)) AS checks_issued_cents,
        sum(coalesce(counted.checks_redeemed_cents, 0)) AS checks_redeemed_cents,
        sum(coalesce(counted.chips_cents, 0)) AS chips_cents,
        sum(coalesce(counted.foreign_chips_cents, 0)) AS foreign_chips_cents,
        sum(coalesce(counted.vouchers_cents, 0) + coalesce(counted.front_money_cents, 0)) AS other_cents,
        sum(coalesce(counted.coupons_cents, 0)) AS coupons_cents,
        max(counted.first_count_cents) AS first_count_cents,
        max(counted.second_count_cents) AS second_count_cents,
        max(counted.accepted_cents) AS accepted_cents,
        max(counted.accepted_by) AS accepted_by,
        max(counted.team) AS count_team
    FROM removed
    LEFT JOIN told AS counted
        ON counted.kind = 'drop'
        AND counted.property = removed.property
        AND counted.table_id = removed.table_id
        AND coalesce(counted.box, '') = coalesce(removed.box, '')
        AND counted.seq > removed.seq
        AND counted.seq < coalesce(removed.next_seq, 9223372036854775807)
    GROUP BY
        removed.property, removed.table_id, removed.seq, removed.at, removed.gaming_day, removed.box, removed.box_is
)
