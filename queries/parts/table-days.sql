-- table-days
-- The days of each table, from one count of its tray to the next at which its drop box was taken, or at which it
-- closed. Of a table that stays open at night the count that ends one day begins the next. A day has the name of
-- the gaming day on which most of its rounds ended.
marked AS (
    SELECT
        *,
        sum(CASE WHEN kind IN ('buy_in', 'fill', 'credit', 'rake', 'opening_inventory') THEN 1 ELSE 0 END)
            OVER (PARTITION BY property, table_id ORDER BY seq ROWS UNBOUNDED PRECEDING) AS stretch
    FROM told
    WHERE kind IN (
        'opening_inventory', 'closing_inventory', 'inventory', 'fill', 'credit', 'buy_in', 'rake', 'jackpot_drop',
        'jackpot_paid', 'commission', 'coupon', 'drop_box_removed'
    )
),
-- Between two movements of money a count, and a box that is taken, belong together.
stretches AS (
    SELECT
        *,
        max(CASE WHEN kind IN ('closing_inventory', 'inventory') THEN seq END)
            OVER (PARTITION BY property, table_id, stretch) AS last_count_seq,
        max(CASE WHEN kind = 'closing_inventory' OR kind = 'drop_box_removed' AND box_is = 'main' THEN 1 ELSE 0 END)
            OVER (PARTITION BY property, table_id, stretch) AS ends_here
    FROM marked
),
cut AS (
    SELECT
        *,
        kind IN ('closing_inventory', 'inventory') AND seq = last_count_seq AND ends_here = 1 AS is_end,
        sum(CASE WHEN kind IN ('closing_inventory', 'inventory') AND seq = last_count_seq AND ends_here = 1
            THEN 1 ELSE 0 END)
            OVER (PARTITION BY property, table_id ORDER BY seq ROWS UNBOUNDED PRECEDING) AS ends
    FROM stretches
),
placed AS (
    SELECT
        *,
        -- The count that ends a day belongs to it, and so does a box that is taken after it.
        CASE
            WHEN is_end THEN ends - 1
            WHEN kind = 'drop_box_removed' AND ends_here = 1 AND last_count_seq < seq THEN ends - 1
            ELSE ends
        END AS period
    FROM cut
),
opened AS (
    SELECT
        *,
        min(CASE WHEN kind = 'opening_inventory' THEN seq END)
            OVER (PARTITION BY property, table_id, period) AS opened_seq
    FROM placed
),
moves AS (
    SELECT
        property, table_id, period,
        min(seq) AS least_seq,
        min(gaming_day) AS least_day,
        max(CASE WHEN seq = opened_seq THEN amount_cents END) AS counted_opener_cents,
        max(CASE WHEN seq = opened_seq THEN gaming_day END) AS opened_day,
        max(CASE WHEN seq = opened_seq THEN pit END) AS pit,
        max(CASE WHEN seq = opened_seq THEN game END) AS game,
        bool_or(coalesce(tournament, FALSE)) AS tournament,
        max(CASE WHEN is_end THEN amount_cents END) AS closer_cents,
        max(CASE WHEN is_end THEN seq END) AS end_seq,
        max(CASE WHEN is_end THEN gaming_day END) AS end_day,
        max(CASE WHEN is_end THEN kind END) AS end_kind,
        -- What came to a closed table was there when it opened.
        sum(CASE WHEN kind = 'fill' AND seq > coalesce(opened_seq, -1) THEN amount_cents ELSE 0 END) AS fills_cents,
        sum(CASE WHEN kind = 'credit' AND seq > coalesce(opened_seq, -1) THEN amount_cents ELSE 0 END) AS credits_cents,
        sum(CASE WHEN kind = 'buy_in' AND coalesce(form, '') <> 'coupon' THEN amount_cents ELSE 0 END) AS buy_ins_cents,
        sum(CASE WHEN kind = 'rake' THEN amount_cents ELSE 0 END) AS rake_cents,
        sum(CASE WHEN kind = 'rake' AND coalesce("to", 'drop_box') = 'drop_box' THEN amount_cents ELSE 0 END)
            AS rake_in_box_cents,
        sum(CASE WHEN kind = 'jackpot_paid' AND paid_from IN ('cage', 'safekeeping') THEN amount_cents ELSE 0 END)
            AS jackpots_outside_cents,
        -- What was marked in a round is owed until it is taken between two.
        sum(CASE WHEN kind = 'commission' AND round IS NULL THEN amount_cents ELSE 0 END) AS vigorish_taken_cents,
        sum(CASE WHEN kind IN ('opening_inventory', 'closing_inventory', 'inventory', 'fill', 'credit', 'buy_in',
            'rake') THEN 1 ELSE 0 END) AS movements
    FROM opened
    GROUP BY property, table_id, period
),
-- It may name the round that it was marked in, which had ended.
taken_late AS (
    SELECT opened.property, opened.table_id, opened.period, sum(opened.amount_cents) AS late_cents
    FROM opened
    JOIN (
        SELECT property, table_id, round, max(last_seq) AS last_seq
        FROM rounds
        WHERE
            ($table IS NULL OR table_id = $table)
            AND gaming_day BETWEEN CAST($first AS DATE) - INTERVAL '8 days' AND CAST($last AS DATE) + INTERVAL '8 days'
        GROUP BY property, table_id, round
    ) AS ended
        ON ended.property = opened.property AND ended.table_id = opened.table_id AND ended.round = opened.round
    WHERE opened.kind = 'commission' AND opened.seq > ended.last_seq
    GROUP BY opened.property, opened.table_id, opened.period
),
dropped AS (
    SELECT
        placed.property, placed.table_id, placed.period,
        count(*) AS boxes,
        count(*) FILTER (WHERE boxes.box_is = 'emergency') AS emergency_boxes,
        count(*) FILTER (WHERE boxes.counts = 0) AS uncounted,
        count(*) FILTER (WHERE boxes.counts > 1) AS counted_twice,
        sum(boxes.cash_cents) AS cash_cents,
        sum(boxes.checks_issued_cents) AS checks_issued_cents,
        sum(boxes.checks_redeemed_cents) AS checks_redeemed_cents,
        sum(boxes.chips_cents) AS chips_cents,
        sum(boxes.foreign_chips_cents) AS foreign_chips_cents,
        sum(boxes.other_cents) AS other_cents,
        sum(boxes.coupons_cents) AS coupons_cents
    FROM boxes
    JOIN placed
        ON placed.kind = 'drop_box_removed' AND placed.property = boxes.property
        AND placed.table_id = boxes.table_id AND placed.seq = boxes.removed_seq
    -- Of a bad beat the players have what lies in its box, of tips the dealers: it is no drop.
    WHERE boxes.box_is IN ('main', 'emergency')
    GROUP BY placed.property, placed.table_id, placed.period
),
periods AS (
    SELECT
        moves.*,
        coalesce(lag(end_seq) OVER w, -1) AS from_seq,
        coalesce(end_seq, 9223372036854775807) AS to_seq,
        coalesce(lag(end_day) OVER w, least_day) AS from_day,
        coalesce(end_day, (SELECT max(gaming_day) FROM told), least_day) AS to_day,
        coalesce(counted_opener_cents, lag(closer_cents) OVER w) AS opener_cents,
        row_number() OVER (PARTITION BY property, table_id ORDER BY period DESC) = 1 AS is_last
    FROM moves
    WINDOW w AS (PARTITION BY property, table_id ORDER BY period)
),
spans AS (
    SELECT
        property, table_id, period, from_seq, to_seq,
        unnest(generate_series(from_day, greatest(from_day, to_day), INTERVAL '1 day')) AS gaming_day
    FROM periods
),
-- The rounds, each in the day of its table; those of a table that counts nothing are in none.
dealt AS (
    SELECT
        rounds.property, rounds.table_id, spans.period, rounds.gaming_day, rounds.game, rounds.pit, rounds.shift,
        count(*) AS rounds,
        count(*) FILTER (WHERE rounds.rules IS NULL AND NOT coalesce(rounds.voided, FALSE)) AS not_judged,
        -- Players of the poker room play against each other, and tournament chips are no money.
        sum(CASE WHEN is_house THEN rounds.staked_cents ELSE 0 END) AS handle_cents,
        sum(CASE WHEN is_house AND rounds.returned_cents IS NOT NULL
            THEN rounds.staked_cents - rounds.returned_cents ELSE 0 END) AS judged_win_cents,
        sum(CASE WHEN is_house THEN coalesce(rounds.difference_cents, 0) ELSE 0 END) AS mispaid_cents,
        sum(CASE WHEN is_house THEN coalesce(rounds.owed_cents, 0) ELSE 0 END) AS vigorish_marked_cents
    FROM (
        SELECT *, game <> 'poker' AND NOT coalesce(tournament, FALSE) AS is_house
        FROM rounds
        WHERE
            ($table IS NULL OR table_id = $table)
            AND gaming_day BETWEEN CAST($first AS DATE) - INTERVAL '1 day' AND CAST($last AS DATE) + INTERVAL '1 day'
    ) AS rounds
    LEFT JOIN spans
        ON spans.property = rounds.property AND spans.table_id = rounds.table_id
        AND spans.gaming_day = rounds.gaming_day
        AND rounds.last_seq > spans.from_seq AND rounds.last_seq <= spans.to_seq
    GROUP BY
        rounds.property, rounds.table_id, spans.period, rounds.gaming_day, rounds.game, rounds.pit, rounds.shift
),
played AS (
    SELECT
        property, table_id, period,
        CASE WHEN period IS NULL THEN gaming_day END AS stray_day,
        first_value(gaming_day ORDER BY rounds DESC, gaming_day) AS main_day,
        first_value(game ORDER BY rounds DESC, game) AS game,
        first_value(pit ORDER BY rounds DESC, pit) AS pit,
        CASE WHEN count(DISTINCT shift) = 1 AND count(shift) = count(*) THEN min(shift) END AS shift,
        sum(rounds) AS rounds,
        sum(not_judged) AS not_judged,
        sum(handle_cents) AS handle_cents,
        sum(judged_win_cents) AS judged_win_cents,
        sum(mispaid_cents) AS mispaid_cents,
        sum(vigorish_marked_cents) AS vigorish_marked_cents
    FROM dealt
    GROUP BY property, table_id, period, CASE WHEN period IS NULL THEN gaming_day END
),
table_days AS (
    SELECT
        coalesce(played.main_day, periods.opened_day, periods.from_day) AS gaming_day,
        coalesce(periods.property, played.property) AS property,
        coalesce(played.pit, periods.pit) AS pit,
        played.shift,
        coalesce(played.game, periods.game) AS game,
        coalesce(periods.table_id, played.table_id) AS table_id,
        -- What belongs to no day of the table has its gaming day instead.
        coalesce(periods.period, -1) AS period,
        periods.from_seq, periods.to_seq,
        periods.opener_cents,
        coalesce(periods.fills_cents, 0) AS fills_cents,
        coalesce(periods.credits_cents, 0) AS credits_cents,
        periods.closer_cents,
        coalesce(periods.buy_ins_cents, 0) AS buy_ins_cents,
        coalesce(periods.rake_cents, 0) AS rake_cents,
        coalesce(periods.rake_in_box_cents, 0) AS rake_in_box_cents,
        coalesce(periods.jackpots_outside_cents, 0) AS jackpots_outside_cents,
        coalesce(periods.vigorish_taken_cents, 0) + coalesce(taken_late.late_cents, 0) AS vigorish_taken_cents,
        coalesce(dropped.boxes, 0) AS boxes,
        coalesce(dropped.uncounted, 0) AS uncounted,
        dropped.cash_cents, dropped.checks_issued_cents, dropped.checks_redeemed_cents, dropped.chips_cents,
        dropped.foreign_chips_cents, dropped.other_cents, dropped.coupons_cents,
        dropped.cash_cents + dropped.checks_issued_cents - dropped.checks_redeemed_cents + dropped.chips_cents
            + dropped.foreign_chips_cents + dropped.other_cents AS drop_cents,
        coalesce(played.rounds, 0) AS rounds,
        coalesce(played.not_judged, 0) AS not_judged,
        coalesce(played.handle_cents, 0) AS handle_cents,
        coalesce(played.judged_win_cents, 0) AS judged_win_cents,
        coalesce(played.mispaid_cents, 0) AS mispaid_cents,
        coalesce(played.vigorish_marked_cents, 0) AS vigorish_marked_cents,
        CASE
            WHEN periods.period IS NULL THEN 'no inventory was counted'
            WHEN periods.opener_cents IS NULL THEN 'the tray was not counted when the day began'
            WHEN periods.closer_cents IS NULL AND periods.is_last THEN 'not closed yet'
            WHEN dropped.boxes IS NULL THEN 'no drop box was removed'
            WHEN dropped.uncounted > 0 THEN 'drop not counted yet'
            WHEN dropped.counted_twice > 0 THEN 'a drop box was counted twice'
        END AS not_counted
    FROM periods
    LEFT JOIN dropped
        ON dropped.property = periods.property AND dropped.table_id = periods.table_id
        AND dropped.period = periods.period
    LEFT JOIN taken_late
        ON taken_late.property = periods.property AND taken_late.table_id = periods.table_id
        AND taken_late.period = periods.period
    FULL JOIN played
        ON played.property = periods.property AND played.table_id = periods.table_id
        AND played.period = periods.period
    WHERE
        -- As texts: DataFusion 55 cannot plan the order of what it takes for a single day.
        CAST(coalesce(played.main_day, periods.opened_day, periods.from_day) AS VARCHAR)
            BETWEEN CAST($first AS VARCHAR) AND CAST($last AS VARCHAR)
        AND NOT coalesce(periods.tournament, FALSE)
        -- After the last count there is nothing yet.
        AND (periods.movements > 0 OR played.rounds > 0)
)
