-- theo
-- The theoretical win: stakes by the house edge of their wager under the rules of their table. A coupon cannot be
-- lost, so that of it the house can only lose what it pays.
staked AS (
    SELECT
        rounds.property, rounds.table_id,
        coalesce(spans.period, -1) AS period,
        CASE WHEN spans.period IS NULL THEN rounds.gaming_day END AS stray_day,
        rounds.game, rounds.edition, rounds.options, wagers.kind,
        wagers.detail->>'number' AS choice,
        coalesce(wagers.form, '') = 'coupon' AS is_coupon,
        sum(wagers.amount_cents) AS staked_cents
    FROM wagers
    JOIN rounds
        ON wagers.property = rounds.property AND wagers.table_id = rounds.table_id
        AND wagers.round = rounds.round AND wagers.gaming_day = rounds.gaming_day
    LEFT JOIN spans
        ON spans.property = rounds.property AND spans.table_id = rounds.table_id
        AND spans.gaming_day = rounds.gaming_day
        AND rounds.last_seq > spans.from_seq AND rounds.last_seq <= spans.to_seq
    WHERE
        rounds.returned_cents IS NOT NULL AND rounds.game <> 'poker' AND NOT coalesce(rounds.tournament, FALSE)
        AND wagers.seat <> 0 AND wagers.result IN ('win', 'lose', 'push')
        AND ($table IS NULL OR rounds.table_id = $table)
        AND rounds.gaming_day
            BETWEEN CAST($first AS DATE) - INTERVAL '1 day' AND CAST($last AS DATE) + INTERVAL '1 day'
    GROUP BY
        rounds.property, rounds.table_id, coalesce(spans.period, -1),
        CASE WHEN spans.period IS NULL THEN rounds.gaming_day END,
        rounds.game, rounds.edition, rounds.options, wagers.kind, wagers.detail->>'number',
        coalesce(wagers.form, '') = 'coupon'
),
theo_days AS (
    SELECT
        staked.property, staked.table_id, staked.period, staked.stray_day,
        sum(CAST(round(staked.staked_cents * CASE WHEN is_coupon THEN -edges.won ELSE edges.house_edge END) AS BIGINT))
            AS theo_cents,
        sum(CASE WHEN edges.house_edge IS NULL THEN staked.staked_cents ELSE 0 END) AS without_theo_cents
    FROM staked
    LEFT JOIN edges
        ON edges.game = staked.game AND edges.edition = staked.edition AND edges.options = staked.options
        AND edges.kind = staked.kind AND (edges.choice IS NULL OR edges.choice = staked.choice)
    GROUP BY staked.property, staked.table_id, staked.period, staked.stray_day
)
