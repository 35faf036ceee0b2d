-- reconciliation
-- for: auditors
-- about: The win of each table and gaming day by its chips and its drop, beside the win by its settled rounds.
--   Counted win is drop + closing inventory + credits - opening inventory - fills. Settled win is stakes less
--   what the rules return, and rake. Mispaid is what players were given beyond the rules; what it does not
--   explain of the difference is unexplained. A drop belongs to the day on which its box was removed; a table that
--   stays open overnight begins the day with its last count.
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
    GROUP BY gaming_day, property, table_id
),
boxes AS (
    SELECT
        coalesce(max(removed.gaming_day), counted.gaming_day) AS gaming_day,
        counted.property, counted.table_id, counted.seq, counted.amount_cents
    FROM told AS counted
    LEFT JOIN told AS removed
        ON removed.kind = 'drop_box_removed'
        AND removed.property = counted.property
        AND removed.table_id = counted.table_id
        AND removed.box = counted.box
        AND removed.seq < counted.seq
    WHERE
        counted.kind = 'drop'
        -- Contributions to a bad beat are the players', and no win of the table.
        AND lower(coalesce(counted.box, '')) NOT LIKE '%jackpot%'
        AND lower(coalesce(counted.box, '')) NOT LIKE '%bad%beat%'
    GROUP BY
        counted.gaming_day, counted.property, counted.table_id, counted.seq, counted.amount_cents
),
dropped AS (
    SELECT gaming_day, property, table_id, sum(amount_cents) AS drop_cents
    FROM boxes
    GROUP BY gaming_day, property, table_id
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
        CASE
            WHEN first_kind = 'opening_inventory' THEN first_cents
            ELSE lag(last_cents) OVER (PARTITION BY property, table_id ORDER BY gaming_day)
        END AS opening_cents,
        CASE WHEN last_kind <> 'opening_inventory' THEN last_cents END AS closing_cents
    FROM counts
),
settled AS (
    SELECT
        gaming_day, property, table_id, count(*) AS rounds,
        count(*) FILTER (WHERE rules IS NULL) AS not_judged,
        -- Players of the poker room win from each other: the house has the rake.
        sum(CASE WHEN game <> 'poker' THEN staked_cents - returned_cents ELSE 0 END) AS win_cents,
        sum(CASE WHEN game <> 'poker' THEN difference_cents ELSE 0 END) AS mispaid_cents
    FROM rounds
    WHERE $table IS NULL OR table_id = $table
    GROUP BY gaming_day, property, table_id
),
days AS (
    SELECT gaming_day, property, table_id FROM moved
    UNION SELECT gaming_day, property, table_id FROM dropped
    UNION SELECT gaming_day, property, table_id FROM settled
),
wins AS (
    SELECT
        days.gaming_day, days.property, days.table_id,
        trays.opening_cents,
        coalesce(moved.fills_cents, 0) AS fills_cents,
        coalesce(moved.credits_cents, 0) AS credits_cents,
        coalesce(dropped.drop_cents, 0) AS drop_cents,
        trays.closing_cents,
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
    LEFT JOIN trays
        ON trays.gaming_day = days.gaming_day AND trays.property = days.property
        AND trays.table_id = days.table_id
    LEFT JOIN settled
        ON settled.gaming_day = days.gaming_day AND settled.property = days.property
        AND settled.table_id = days.table_id
),
compared AS (
    SELECT
        *, drop_cents + closing_cents + credits_cents - opening_cents - fills_cents AS counted_win_cents
    FROM wins
)
SELECT
    gaming_day, property, table_id, opening_cents, fills_cents, credits_cents, drop_cents,
    closing_cents, counted_win_cents, settled_win_cents,
    counted_win_cents - settled_win_cents AS difference_cents,
    mispaid_cents,
    counted_win_cents - settled_win_cents + mispaid_cents AS unexplained_cents,
    rounds, not_judged
FROM compared
WHERE gaming_day BETWEEN $first AND $last
ORDER BY gaming_day, property, table_id
