-- reconciliation
-- for: auditors
-- about: The win of each table and gaming day by its chips and its drop, beside the win by its settled rounds.
--   Counted win is drop + closing inventory + credits - opening inventory - fills. Settled win is stakes less
--   what the rules return, and rake. Mispaid is what players were given beyond the rules; what it does not
--   explain of the difference is unexplained. A drop belongs to the day on which its box was removed. What is not
--   known has no number, and not_computed says why: the table was open overnight, so that its drop is of two days;
--   it has not closed, or its drop is not counted yet; players bank the game, so that its chips are theirs too; or
--   there are rounds that are not judged or not settled yet.
-- param table text = none: The table, such as MB-05; all if left out.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
WITH copies AS (
    SELECT
        *, row_number() OVER (PARTITION BY property, table_id, seq, kind ORDER BY log_offset) AS copy
    FROM money
    WHERE $table IS NULL OR table_id = $table
),
-- What was sent twice counts once.
told AS (
    SELECT * FROM copies WHERE copy = 1
),
moved AS (
    SELECT
        gaming_day, property, table_id,
        sum(CASE WHEN kind = 'fill' THEN amount_cents ELSE 0 END) AS fills_cents,
        sum(CASE WHEN kind = 'credit' THEN amount_cents ELSE 0 END) AS credits_cents,
        sum(CASE WHEN kind = 'rake' THEN amount_cents ELSE 0 END) AS rake_cents
    FROM told
    -- What is counted on a day was taken from the table on the one before.
    WHERE kind <> 'drop'
    GROUP BY gaming_day, property, table_id
),
-- A box is taken from the table, and counted before it is taken again. What lies in that of a bad beat is the
-- players', and no win of the table.
boxes AS (
    SELECT
        *, lead(seq) OVER (PARTITION BY property, table_id, box ORDER BY seq) AS next_seq
    FROM told
    WHERE
        kind = 'drop_box_removed'
        AND lower(coalesce(box, '')) NOT LIKE '%jackpot%'
        AND lower(coalesce(box, '')) NOT LIKE '%bad%beat%'
),
counted AS (
    SELECT
        boxes.gaming_day, boxes.property, boxes.table_id, boxes.seq, sum(told.amount_cents) AS drop_cents
    FROM boxes
    LEFT JOIN told
        ON told.kind = 'drop'
        AND told.property = boxes.property
        AND told.table_id = boxes.table_id
        AND coalesce(told.box, '') = coalesce(boxes.box, '')
        AND told.seq > boxes.seq
        AND told.seq < coalesce(boxes.next_seq, 9223372036854775807)
    GROUP BY boxes.gaming_day, boxes.property, boxes.table_id, boxes.seq
),
dropped AS (
    SELECT
        gaming_day, property, table_id, sum(drop_cents) AS drop_cents,
        count(*) FILTER (WHERE drop_cents IS NULL) AS uncounted
    FROM counted
    GROUP BY gaming_day, property, table_id
),
-- What was counted of a box of which nobody told that it was taken from the table.
strays AS (
    SELECT told.gaming_day, told.property, told.table_id
    FROM told
    LEFT JOIN boxes
        ON boxes.property = told.property
        AND boxes.table_id = told.table_id
        AND coalesce(boxes.box, '') = coalesce(told.box, '')
        AND boxes.seq < told.seq
    WHERE
        told.kind = 'drop' AND boxes.seq IS NULL
        AND lower(coalesce(told.box, '')) NOT LIKE '%jackpot%'
        AND lower(coalesce(told.box, '')) NOT LIKE '%bad%beat%'
    GROUP BY told.gaming_day, told.property, told.table_id
),
counts AS (
    SELECT
        gaming_day, property, table_id,
        first_value(kind ORDER BY seq) AS first_kind,
        first_value(amount_cents ORDER BY seq) AS first_cents,
        last_value(kind ORDER BY seq) AS last_kind,
        last_value(amount_cents ORDER BY seq) AS last_cents
    FROM told
    WHERE kind IN ('opening_inventory', 'closing_inventory', 'inventory')
    GROUP BY gaming_day, property, table_id
),
trays AS (
    SELECT
        gaming_day, property, table_id,
        CASE WHEN first_kind = 'opening_inventory' THEN first_cents END AS opening_cents,
        CASE WHEN last_kind = 'closing_inventory' THEN last_cents END AS closing_cents,
        lead(gaming_day) OVER (PARTITION BY property, table_id ORDER BY gaming_day) AS next_day
    FROM counts
),
-- A patron banks, or may: seat 0 is then the house, which plays against the bank like anybody else.
banked AS (
    SELECT gaming_day, property, table_id
    FROM wagers
    WHERE (seat = 0 OR kind IN ('bank', 'dealer_vs_bank')) AND ($table IS NULL OR table_id = $table)
    UNION
    SELECT gaming_day, property, table_id
    FROM rounds
    WHERE document LIKE '%"kind":"bank"%' AND ($table IS NULL OR table_id = $table)
),
settled AS (
    SELECT
        gaming_day, property, table_id, count(*) AS rounds,
        count(*) FILTER (WHERE rules IS NULL) AS not_judged,
        -- A round that the floor called off gave its stakes back. Of others without a sum nobody knows the win.
        count(*) FILTER (
            WHERE NOT coalesce(voided, FALSE) AND returned_cents IS NULL AND staked_cents <> 0 AND game <> 'poker'
        ) AS unknown_rounds,
        -- Players of the poker room win from each other: the house has the rake.
        sum(CASE WHEN game <> 'poker' THEN staked_cents - returned_cents ELSE 0 END) AS win_cents,
        sum(CASE WHEN game <> 'poker' THEN difference_cents ELSE 0 END) AS mispaid_cents
    FROM rounds
    WHERE $table IS NULL OR table_id = $table
    GROUP BY gaming_day, property, table_id
),
-- Rounds of which the archive has the beginning and no settlement.
unsettled AS (
    SELECT begun.gaming_day, begun.property, begun.table_id, count(DISTINCT begun.round) AS unsettled_rounds
    FROM events AS begun
    LEFT JOIN rounds
        ON rounds.property = begun.property AND rounds.table_id = begun.table_id AND rounds.round = begun.round
    WHERE
        begun.type = 'round_opened' AND rounds.round IS NULL AND ($table IS NULL OR begun.table_id = $table)
        AND begun.gaming_day BETWEEN $first AND $last
    GROUP BY begun.gaming_day, begun.property, begun.table_id
),
days AS (
    SELECT gaming_day, property, table_id FROM moved
    UNION SELECT gaming_day, property, table_id FROM dropped
    UNION SELECT gaming_day, property, table_id FROM strays
    UNION SELECT gaming_day, property, table_id FROM settled
    UNION SELECT gaming_day, property, table_id FROM unsettled
),
known AS (
    SELECT
        days.gaming_day, days.property, days.table_id,
        trays.opening_cents,
        coalesce(moved.fills_cents, 0) AS fills_cents,
        coalesce(moved.credits_cents, 0) AS credits_cents,
        CASE WHEN dropped.uncounted = 0 THEN dropped.drop_cents END AS drop_cents,
        trays.closing_cents,
        CASE
            WHEN banked.table_id IS NOT NULL THEN 'players bank the game'
            WHEN trays.table_id IS NULL THEN 'no inventory was counted'
            WHEN trays.opening_cents IS NULL THEN 'open overnight'
            WHEN trays.closing_cents IS NULL AND trays.next_day IS NOT NULL THEN 'open overnight'
            WHEN trays.closing_cents IS NULL THEN 'not closed yet'
            WHEN strays.table_id IS NOT NULL THEN 'a drop was counted whose box was not removed'
            WHEN dropped.table_id IS NULL THEN 'no drop box was removed'
            WHEN dropped.uncounted > 0 THEN 'drop not counted yet'
        END AS not_counted,
        CASE
            -- It is said already.
            WHEN banked.table_id IS NOT NULL THEN ''
            WHEN unsettled.unsettled_rounds > 0 THEN concat('rounds not settled yet: ', unsettled.unsettled_rounds)
            WHEN settled.unknown_rounds > 0 THEN concat('rounds not judged: ', settled.unknown_rounds)
        END AS not_settled,
        coalesce(settled.rounds, 0) AS rounds,
        coalesce(settled.not_judged, 0) AS not_judged,
        coalesce(settled.win_cents, 0) + coalesce(moved.rake_cents, 0) AS settled_win_cents,
        coalesce(settled.mispaid_cents, 0) AS mispaid_cents
    FROM days
    LEFT JOIN moved
        ON moved.gaming_day = days.gaming_day AND moved.property = days.property
        AND moved.table_id = days.table_id
    LEFT JOIN dropped
        ON dropped.gaming_day = days.gaming_day AND dropped.property = days.property
        AND dropped.table_id = days.table_id
    LEFT JOIN strays
        ON strays.gaming_day = days.gaming_day AND strays.property = days.property
        AND strays.table_id = days.table_id
    LEFT JOIN trays
        ON trays.gaming_day = days.gaming_day AND trays.property = days.property
        AND trays.table_id = days.table_id
    LEFT JOIN banked
        ON banked.gaming_day = days.gaming_day AND banked.property = days.property
        AND banked.table_id = days.table_id
    LEFT JOIN settled
        ON settled.gaming_day = days.gaming_day AND settled.property = days.property
        AND settled.table_id = days.table_id
    LEFT JOIN unsettled
        ON unsettled.gaming_day = days.gaming_day AND unsettled.property = days.property
        AND unsettled.table_id = days.table_id
),
compared AS (
    SELECT
        gaming_day, property, table_id, opening_cents, fills_cents, credits_cents, drop_cents, closing_cents,
        CASE
            WHEN not_counted IS NULL
            THEN drop_cents + closing_cents + credits_cents - opening_cents - fills_cents
        END AS counted_win_cents,
        CASE WHEN not_settled IS NULL THEN settled_win_cents END AS settled_win_cents,
        CASE WHEN not_settled IS NULL THEN mispaid_cents END AS mispaid_cents,
        rounds, not_judged,
        nullif(concat_ws('; ', not_counted, nullif(not_settled, '')), '') AS why
    FROM known
)
SELECT
    gaming_day, property, table_id, opening_cents, fills_cents, credits_cents, drop_cents,
    closing_cents, counted_win_cents, settled_win_cents,
    counted_win_cents - settled_win_cents AS difference_cents,
    mispaid_cents,
    counted_win_cents - settled_win_cents + mispaid_cents AS unexplained_cents,
    rounds, not_judged, 'not computed: ' || why AS not_computed
FROM compared
WHERE gaming_day BETWEEN $first AND $last
ORDER BY gaming_day, property, table_id
