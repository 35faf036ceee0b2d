-- bad-beat
-- for: auditors
-- about: A8, the bad beat fund of each table and gaming day: what was contributed, what it paid, what its display
--   showed first and last, and what was counted of its box. Between the two readings the fund is the first + what was
--   contributed - what the house keeps of it by its posted rules - what was paid. The box holds what was contributed
--   while it was at the table.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as PO-05; all if left out.
-- uses: boxes
WITH posted AS (
    SELECT property, table_id, round, max(json_get_int(options, 'jackpot', 'withheld_bp')) AS withheld_bp
    FROM rounds
    WHERE
        game = 'poker' AND ($table IS NULL OR table_id = $table)
        AND gaming_day BETWEEN CAST($first AS DATE) - INTERVAL '8 days' AND CAST($last AS DATE) + INTERVAL '8 days'
    GROUP BY property, table_id, round
),
of_fund AS (
    SELECT
        told.*,
        CASE WHEN kind = 'jackpot_drop'
            THEN CAST(amount_cents * coalesce(posted.withheld_bp, 0) / 10000 AS BIGINT) ELSE 0 END AS withheld_cents
    FROM told
    LEFT JOIN posted
        ON posted.property = told.property AND posted.table_id = told.table_id AND posted.round = told.round
    WHERE
        kind = 'jackpot_drop'
        OR kind IN ('jackpot_paid', 'meter', 'meter_adjusted', 'fund')
            AND (lower(meter) LIKE '%bad%beat%' OR lower(coalesce(fund, '')) LIKE '%bad%beat%')
),
bounds AS (
    SELECT
        gaming_day, property, table_id,
        min(CASE WHEN kind IN ('meter', 'fund') THEN seq END) AS first_seq,
        max(CASE WHEN kind IN ('meter', 'fund') THEN seq END) AS last_seq
    FROM of_fund
    GROUP BY gaming_day, property, table_id
),
days AS (
    SELECT
        of_fund.gaming_day, of_fund.property, of_fund.table_id,
        sum(CASE WHEN kind = 'jackpot_drop' THEN amount_cents ELSE 0 END) AS contributed_cents,
        sum(withheld_cents) AS withheld_cents,
        sum(CASE WHEN kind = 'jackpot_paid' THEN amount_cents ELSE 0 END) AS paid_cents,
        max(CASE WHEN seq = first_seq THEN amount_cents END) AS first_display_cents,
        max(CASE WHEN seq = last_seq THEN amount_cents END) AS last_display_cents,
        sum(CASE WHEN kind = 'jackpot_drop' AND seq > first_seq AND seq < last_seq
            THEN amount_cents - withheld_cents ELSE 0 END) AS contributed_between_cents,
        sum(CASE WHEN kind = 'jackpot_paid' AND seq > first_seq AND seq < last_seq THEN amount_cents ELSE 0 END)
            AS paid_between_cents,
        sum(CASE WHEN kind = 'meter_adjusted' AND seq > first_seq AND seq < last_seq
            THEN amount_cents - coalesce(before_cents, amount_cents) ELSE 0 END) AS adjusted_cents
    FROM of_fund
    JOIN bounds
        ON bounds.gaming_day = of_fund.gaming_day AND bounds.property = of_fund.property
        AND bounds.table_id = of_fund.table_id
    GROUP BY of_fund.gaming_day, of_fund.property, of_fund.table_id
),
counted AS (
    SELECT
        boxes.removed_day AS gaming_day, boxes.property, boxes.table_id,
        sum(boxes.cash_cents + boxes.chips_cents) AS box_cents,
        count(*) FILTER (WHERE boxes.counts = 0) AS uncounted,
        sum(coalesce(put_in.put_in_cents, 0)) AS put_in_cents
    FROM boxes
    LEFT JOIN (
        SELECT
            taken.property, taken.table_id, taken.removed_seq, sum(moved.amount_cents) AS put_in_cents
        FROM (
            SELECT
                property, table_id, removed_seq,
                coalesce(lag(removed_seq) OVER (PARTITION BY property, table_id ORDER BY removed_seq), -1) AS since_seq
            FROM boxes
            WHERE box_is = 'bad_beat'
        ) AS taken
        JOIN told AS moved
            ON moved.kind = 'jackpot_drop' AND moved.property = taken.property AND moved.table_id = taken.table_id
            AND moved.seq > taken.since_seq AND moved.seq < taken.removed_seq
        GROUP BY taken.property, taken.table_id, taken.removed_seq
    ) AS put_in
        ON put_in.property = boxes.property AND put_in.table_id = boxes.table_id
        AND put_in.removed_seq = boxes.removed_seq
    WHERE boxes.box_is = 'bad_beat'
    GROUP BY boxes.removed_day, boxes.property, boxes.table_id
),
joined AS (
    SELECT
        coalesce(days.gaming_day, counted.gaming_day) AS gaming_day,
        coalesce(days.property, counted.property) AS property,
        coalesce(days.table_id, counted.table_id) AS table_id,
        coalesce(days.contributed_cents, 0) AS contributed_cents,
        coalesce(days.withheld_cents, 0) AS withheld_cents,
        coalesce(days.paid_cents, 0) AS paid_cents,
        days.first_display_cents, days.last_display_cents,
        days.first_display_cents + days.contributed_between_cents - days.paid_between_cents + days.adjusted_cents
            AS expected_display_cents,
        counted.put_in_cents, counted.box_cents, counted.uncounted
    FROM days
    FULL JOIN counted
        ON counted.gaming_day = days.gaming_day AND counted.property = days.property
        AND counted.table_id = days.table_id
)
SELECT
    gaming_day, property, table_id, contributed_cents, withheld_cents, paid_cents, first_display_cents,
    last_display_cents, expected_display_cents, last_display_cents - expected_display_cents AS display_variance_cents,
    put_in_cents, box_cents, box_cents - put_in_cents AS box_variance_cents,
    nullif(concat_ws('; ',
        CASE WHEN uncounted > 0 THEN 'its box is not counted' END,
        CASE WHEN box_cents <> put_in_cents THEN 'its box holds another amount than was contributed' END,
        CASE WHEN last_display_cents <> expected_display_cents THEN 'its display does not show the fund' END
    ), '') AS exception
FROM joined
WHERE gaming_day BETWEEN $first AND $last
ORDER BY gaming_day, property, table_id
