-- hold-deviation
-- for: auditors
-- about: A3, hold deviation: how far what a table won by the rules lies from its theoretical win, in standard
--   deviations. Wagers of one round share its outcome, so that z stands on whole rounds: sigma_seen is the root of the
--   squared luck of the rounds, summed; sigma_bound is the root of the squared sum of stake x deviation of each round,
--   which no round can exceed. Rounds with a wager of which no edge is known are left out, and counted. A table of few
--   rounds has no flag; look is beyond 1.96, escalate beyond 3 or where the hold lies points off its base as well.
--   basis is what the edges stand on, of each round the weakest.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as MB-05; all if left out.
-- param least_rounds int = 500: Nothing is flagged below so many rounds.
-- param points int = 3: The hold lies off its base from so many points of the handle on.
WITH priced AS (
    SELECT
        rounds.property, rounds.table_id, rounds.game, rounds.pit, rounds.round, rounds.gaming_day,
        rounds.staked_cents, rounds.returned_cents,
        sum(CASE WHEN wagers.result NOT IN ('win', 'lose', 'push') OR wagers.seat = 0 THEN 0.0
            WHEN coalesce(wagers.form, '') = 'coupon' THEN -edges.won * wagers.amount_cents
            ELSE edges.house_edge * wagers.amount_cents END) AS theo,
        sum(CASE WHEN wagers.result NOT IN ('win', 'lose', 'push') OR wagers.seat = 0 THEN 0.0
            ELSE sqrt(edges.variance) * wagers.amount_cents END) AS bound,
        count(*) FILTER (WHERE edges.house_edge IS NULL AND wagers.result IN ('win', 'lose', 'push')
            AND wagers.seat <> 0) AS without_edge,
        -- The weakest that a wager of the round stands on.
        substr(max(CASE
            WHEN edges.basis LIKE 'not computed%' THEN '4'
            WHEN edges.basis LIKE 'sampled%' THEN '3'
            WHEN edges.basis LIKE 'declared%' THEN '2'
            WHEN edges.basis = 'optimal play' THEN '1'
            WHEN edges.basis = 'exact' THEN '0'
        END || edges.basis), 2) AS basis
    FROM rounds
    JOIN wagers
        ON wagers.property = rounds.property AND wagers.table_id = rounds.table_id
        AND wagers.round = rounds.round AND wagers.gaming_day = rounds.gaming_day
    LEFT JOIN edges
        ON edges.game = rounds.game AND edges.edition = rounds.edition AND edges.options = rounds.options
        AND edges.kind = wagers.kind AND (edges.choice IS NULL OR edges.choice = wagers.detail->>'number')
    WHERE
        rounds.returned_cents IS NOT NULL AND rounds.game <> 'poker' AND NOT coalesce(rounds.tournament, FALSE)
        AND rounds.gaming_day BETWEEN $first AND $last AND ($table IS NULL OR rounds.table_id = $table)
    GROUP BY
        rounds.property, rounds.table_id, rounds.game, rounds.pit, rounds.round, rounds.gaming_day,
        rounds.staked_cents, rounds.returned_cents
),
summed AS (
    SELECT
        property, pit, game, table_id,
        count(*) FILTER (WHERE without_edge = 0) AS rounds,
        count(*) FILTER (WHERE without_edge > 0) AS left_out,
        sum(CASE WHEN without_edge = 0 THEN staked_cents ELSE 0 END) AS handle_cents,
        CAST(round(sum(CASE WHEN without_edge = 0 THEN theo ELSE 0.0 END)) AS BIGINT) AS theo_cents,
        sum(CASE WHEN without_edge = 0 THEN staked_cents - returned_cents ELSE 0 END) AS win_cents,
        CAST(round(sqrt(sum(CASE WHEN without_edge = 0
            THEN power(staked_cents - returned_cents - theo, 2) ELSE 0.0 END))) AS BIGINT) AS sigma_seen_cents,
        CAST(round(sqrt(sum(CASE WHEN without_edge = 0 THEN power(bound, 2) ELSE 0.0 END))) AS BIGINT)
            AS sigma_bound_cents,
        string_agg(DISTINCT basis, '; ' ORDER BY basis) AS basis
    FROM priced
    GROUP BY property, pit, game, table_id
),
scored AS (
    SELECT
        *,
        win_cents - theo_cents AS luck_cents,
        CASE WHEN handle_cents > 0 THEN 100.0 * win_cents / handle_cents END AS hold_pct,
        CASE WHEN handle_cents > 0 THEN 100.0 * theo_cents / handle_cents END AS base_pct,
        CASE WHEN sigma_seen_cents > 0
            THEN CAST(win_cents - theo_cents AS DOUBLE) / sigma_seen_cents END AS z,
        CASE WHEN sigma_bound_cents > 0
            THEN CAST(win_cents - theo_cents AS DOUBLE) / sigma_bound_cents END AS z_bound
    FROM summed
)
SELECT
    property, pit, game, table_id, rounds, left_out, handle_cents, theo_cents, win_cents, luck_cents,
    hold_pct, base_pct, hold_pct - base_pct AS off_base_pct,
    sigma_seen_cents, z, sigma_bound_cents, z_bound,
    CASE
        WHEN rounds < $least_rounds THEN NULL
        WHEN abs(z) > 3 THEN 'escalate'
        WHEN abs(hold_pct - base_pct) > $points AND abs(z) > 1.96 THEN 'escalate: off its base'
        WHEN abs(z) > 1.96 THEN 'look'
    END AS flag,
    basis
FROM scored
ORDER BY abs(z) DESC NULLS LAST, property, table_id
