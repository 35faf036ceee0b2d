-- drop-chain
-- for: auditors
-- about: A6, the way of every drop box: attached, taken, received, counted and accepted, once each, by whom, and how
--   the counts agree: the first with the second, the count with what the main bank took over, and the count with what
--   was bought in for in cash, raked or contributed while the box was at the table. What lies in an
--   emergency box is held with the main one that it stood beside. The exception says what is missing or does not agree. Whoever takes boxes does not count them.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as MB-05; all if left out.
-- param hours int = 24: A box is counted within so many hours.
-- uses: boxes
WITH steps AS (
    SELECT
        boxes.*,
        max(attached.seq) AS attached_seq, max(attached.at) AS attached_at,
        count(DISTINCT attached.seq) AS times_attached
    FROM boxes
    LEFT JOIN told AS attached
        ON attached.kind = 'drop_box_attached' AND attached.property = boxes.property
        AND attached.table_id = boxes.table_id AND attached.box = boxes.box AND attached.seq < boxes.removed_seq
    GROUP BY
        boxes.property, boxes.table_id, boxes.removed_seq, boxes.removed_at, boxes.removed_day, boxes.box,
        boxes.box_is, boxes.counts, boxes.counted_at, boxes.cash_cents, boxes.checks_issued_cents,
        boxes.checks_redeemed_cents, boxes.chips_cents, boxes.foreign_chips_cents, boxes.other_cents,
        boxes.coupons_cents, boxes.first_count_cents, boxes.second_count_cents, boxes.accepted_cents,
        boxes.accepted_by, boxes.count_team
),
received AS (
    SELECT
        steps.property, steps.table_id, steps.removed_seq,
        min(received.at) AS received_at, count(DISTINCT received.seq) AS times_received
    FROM steps
    JOIN told AS received
        ON received.kind = 'drop_box_received' AND received.property = steps.property
        AND received.table_id = steps.table_id AND received.box = steps.box AND received.seq > steps.removed_seq
    GROUP BY steps.property, steps.table_id, steps.removed_seq
),
-- What went into the box while it was at the table, as far as it was told.
put_in AS (
    SELECT
        steps.property, steps.table_id, steps.removed_seq, sum(moved.amount_cents) AS told_cents
    FROM steps
    JOIN told AS moved
        ON moved.property = steps.property AND moved.table_id = steps.table_id
        AND moved.seq > steps.attached_seq AND moved.seq < steps.removed_seq
        AND (
            steps.box_is = 'main' AND (
                moved.kind = 'buy_in' AND moved.form = 'cash'
                OR moved.kind = 'rake' AND coalesce(moved."to", 'drop_box') = 'drop_box'
            )
            OR steps.box_is = 'bad_beat' AND moved.kind = 'jackpot_drop'
        )
    GROUP BY steps.property, steps.table_id, steps.removed_seq
),
-- A second box stands at the table while the first is full: together they hold what was told.
beside AS (
    SELECT
        steps.property, steps.table_id, steps.removed_seq,
        sum(beside_it.cash_cents + beside_it.chips_cents) AS emergency_cents
    FROM steps
    JOIN steps AS beside_it
        ON beside_it.box_is = 'emergency' AND beside_it.property = steps.property AND beside_it.table_id = steps.table_id
        AND beside_it.removed_seq > steps.attached_seq AND beside_it.attached_seq < steps.removed_seq
    WHERE steps.box_is = 'main'
    GROUP BY steps.property, steps.table_id, steps.removed_seq
),
teams AS (
    SELECT property, table_id, seq, team AS drop_team FROM told WHERE kind = 'drop_box_removed'
),
last_told AS (
    SELECT max(at) AS at FROM told
),
chain AS (
    SELECT
        steps.*, received.received_at, received.times_received, teams.drop_team,
        coalesce(put_in.told_cents, 0) AS told_cents,
        coalesce(beside.emergency_cents, 0) AS emergency_cents,
        CASE WHEN steps.attached_seq IS NOT NULL AND steps.box_is IN ('main', 'bad_beat')
            THEN steps.cash_cents + steps.chips_cents + coalesce(beside.emergency_cents, 0) - coalesce(put_in.told_cents, 0) END AS told_variance_cents,
        steps.second_count_cents - steps.first_count_cents AS count_variance_cents,
        steps.accepted_cents - steps.cash_cents AS bank_variance_cents,
        (to_unixtime(coalesce(steps.counted_at, last_told.at)) - to_unixtime(steps.removed_at)) / 3600.0 AS hours
    FROM steps
    CROSS JOIN last_told
    LEFT JOIN received
        ON received.property = steps.property AND received.table_id = steps.table_id
        AND received.removed_seq = steps.removed_seq
    LEFT JOIN put_in
        ON put_in.property = steps.property AND put_in.table_id = steps.table_id
        AND put_in.removed_seq = steps.removed_seq
    LEFT JOIN beside
        ON beside.property = steps.property AND beside.table_id = steps.table_id
        AND beside.removed_seq = steps.removed_seq
    LEFT JOIN teams
        ON teams.property = steps.property AND teams.table_id = steps.table_id AND teams.seq = steps.removed_seq
)
SELECT
    removed_day AS gaming_day, property, table_id, box, box_is AS kind,
    attached_at, removed_at, received_at, counted_at,
    cash_cents, CASE WHEN counts > 0 THEN chips_cents END AS chips_cents, first_count_cents, second_count_cents, count_variance_cents, accepted_cents, accepted_by,
    bank_variance_cents, emergency_cents, told_cents, told_variance_cents, drop_team, count_team,
    nullif(concat_ws('; ',
        CASE WHEN attached_at IS NULL THEN 'never attached' END,
        CASE WHEN received_at IS NULL THEN 'not received by the count room' END,
        CASE WHEN times_received > 1 THEN 'received ' || times_received || ' times' END,
        CASE WHEN counts = 0 AND hours > $hours THEN 'not counted for more than ' || $hours || ' hours' END,
        CASE WHEN counts = 0 AND hours <= $hours THEN 'not counted yet' END,
        CASE WHEN counts > 0 AND hours > $hours THEN 'counted after more than ' || $hours || ' hours' END,
        CASE WHEN counts > 1 THEN 'counted ' || counts || ' times' END,
        CASE WHEN counts > 0 AND accepted_by IS NULL THEN 'not accepted by the main bank' END,
        CASE WHEN count_variance_cents <> 0 THEN 'the counts differ' END,
        CASE WHEN bank_variance_cents <> 0 THEN 'the main bank took over another amount' END,
        CASE WHEN told_variance_cents < 0 THEN 'less was counted than was told to lie in it' END,
        CASE WHEN box_is = 'bad_beat' AND told_variance_cents > 0 THEN 'more was counted than was contributed' END,
        CASE WHEN array_has_any(
            string_to_array(regexp_replace(drop_team, '[\[\]" ]', '', 'g'), ','),
            string_to_array(regexp_replace(count_team, '[\[\]" ]', '', 'g'), ',')
        ) THEN 'one who took it counted it too' END
    ), '') AS exception
FROM chain
WHERE removed_day BETWEEN $first AND $last
ORDER BY removed_day, property, table_id, removed_seq
