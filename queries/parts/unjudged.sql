-- unjudged
-- What the house won by rounds of which the rules do not say it: those that were called off, those of which events are
-- missing, and those that hang on what nobody saw. They count by what was recorded as collected and paid; a stake of
-- which neither was told is uncertain.
recorded AS (
    SELECT
        rounds.property, rounds.table_id,
        coalesce(spans.period, -1) AS period,
        CASE WHEN spans.period IS NULL THEN rounds.gaming_day END AS stray_day,
        sum(coalesce(wagers.collected_cents, 0) - wagers.paid_cents + coalesce(wagers.commission_taken_cents, 0))
            AS recorded_cents,
        sum(CASE
            WHEN coalesce(rounds.voided, FALSE) OR wagers.collected_cents IS NOT NULL
                OR wagers.pushed_cents IS NOT NULL OR wagers.paid_cents <> 0 OR coalesce(wagers.form, '') = 'coupon'
            THEN 0
            ELSE wagers.amount_cents
        END) AS uncertain_cents
    FROM rounds
    JOIN wagers
        ON wagers.property = rounds.property AND wagers.table_id = rounds.table_id
        AND wagers.round = rounds.round AND wagers.gaming_day = rounds.gaming_day
    LEFT JOIN spans
        ON spans.property = rounds.property AND spans.table_id = rounds.table_id
        AND spans.gaming_day = rounds.gaming_day
        AND rounds.last_seq > spans.from_seq AND rounds.last_seq <= spans.to_seq
    WHERE
        rounds.returned_cents IS NULL AND rounds.game <> 'poker' AND NOT coalesce(rounds.tournament, FALSE)
        -- Seat 0 is the house: what it stakes against a bank is in the bank's share.
        AND wagers.seat <> 0
        AND ($table IS NULL OR rounds.table_id = $table)
        AND rounds.gaming_day
            BETWEEN CAST($first AS DATE) - INTERVAL '1 day' AND CAST($last AS DATE) + INTERVAL '1 day'
    GROUP BY
        rounds.property, rounds.table_id, coalesce(spans.period, -1),
        CASE WHEN spans.period IS NULL THEN rounds.gaming_day END
)
