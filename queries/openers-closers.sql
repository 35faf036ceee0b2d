-- openers-closers
-- for: auditors
-- about: A4, openers and closers: each table opens with what it closed with, with fills since and less credits, by
--   denomination. The exception says what does not agree or is not signed.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as MB-05; all if left out.
-- uses: boxes
WITH counted AS (
    SELECT
        *,
        max(CASE WHEN kind = 'closing_inventory' THEN seq END) OVER earlier AS closed_seq,
        max(CASE WHEN kind = 'opening_inventory' THEN seq END) OVER earlier AS opened_before_seq,
        sum(CASE WHEN kind = 'fill' THEN amount_cents ELSE 0 END) OVER so_far AS fills_so_far,
        sum(CASE WHEN kind = 'credit' THEN amount_cents ELSE 0 END) OVER so_far AS credits_so_far
    FROM told
    WHERE kind IN ('opening_inventory', 'closing_inventory', 'fill', 'credit') AND NOT coalesce(tournament, FALSE)
    WINDOW
        earlier AS (PARTITION BY property, table_id ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
        so_far AS (PARTITION BY property, table_id ORDER BY seq ROWS UNBOUNDED PRECEDING)
),
paired AS (
    SELECT
        opened.gaming_day, opened.property, opened.pit, opened.game, opened.table_id,
        closed.at AS closed_at, closed.slip AS closing_slip, closed.amount_cents AS closer_cents,
        closed.person AS closed_by, closed.witness AS closing_witness,
        coalesce(opened.fills_so_far - closed.fills_so_far, 0) AS fills_since_cents,
        coalesce(opened.credits_so_far - closed.credits_so_far, 0) AS credits_since_cents,
        opened.at AS opened_at, opened.slip AS opening_slip, opened.amount_cents AS opener_cents,
        opened.person AS opened_by, opened.witness AS opening_witness,
        opened.denominations AS opened_with, closed.denominations AS closed_with,
        coalesce(opened.opened_before_seq > opened.closed_seq, opened.opened_before_seq IS NOT NULL) AS again,
        opened.seq
    FROM counted AS opened
    LEFT JOIN counted AS closed
        ON closed.property = opened.property AND closed.table_id = opened.table_id
        AND closed.seq = opened.closed_seq AND closed.kind = 'closing_inventory'
    WHERE opened.kind = 'opening_inventory' AND opened.gaming_day BETWEEN $first AND $last
),
compared AS (
    SELECT
        *,
        closer_cents + fills_since_cents - credits_since_cents AS expected_cents,
        opener_cents - (closer_cents + fills_since_cents - credits_since_cents) AS difference_cents
    FROM paired
)
SELECT
    gaming_day, property, pit, game, table_id, closed_at, closing_slip, closer_cents, fills_since_cents,
    credits_since_cents, expected_cents, opened_at, opening_slip, opener_cents, difference_cents,
    closed_by, closing_witness, opened_by, opening_witness,
    nullif(concat_ws('; ',
        CASE WHEN again THEN 'opened twice without a closing between' END,
        CASE WHEN NOT again AND difference_cents <> 0 THEN 'opened with other chips than it had closed with' END,
        CASE WHEN NOT again AND difference_cents = 0 AND fills_since_cents = 0 AND credits_since_cents = 0
            AND opened_with <> closed_with THEN 'denominations differ' END,
        CASE WHEN closer_cents IS NOT NULL AND closing_slip IS NOT NULL
            AND (closed_by IS NULL OR closing_witness IS NULL) THEN 'the closer is not signed by two' END,
        CASE WHEN opening_slip IS NOT NULL AND (opened_by IS NULL OR opening_witness IS NULL)
            THEN 'the opener is not signed by two' END
    ), '') AS exception
FROM compared
ORDER BY gaming_day, property, table_id, seq
