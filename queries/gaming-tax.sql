-- gaming-tax
-- for: auditors
-- about: A13, the tax on gross gaming revenue by gaming day and by game: win less jackpots that were not paid from the
--   tray, coupons excluded. The tax is on the sum of a day, which may be below 0 at a game. not_final says how many
--   tables of the day have no win yet: the tax is then of the others. Entry fees of tournaments are revenue, and have a
--   row of their own.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as MB-05; all if left out.
-- param percent int = 25: The tax, in percent.
-- uses: boxes, table-days
WITH won AS (
    SELECT
        gaming_day, property, game,
        count(DISTINCT table_id) AS tables,
        count(*) FILTER (WHERE not_counted IS NOT NULL) AS open_tables,
        sum(CASE WHEN not_counted IS NULL THEN drop_cents END) AS drop_cents,
        sum(CASE WHEN not_counted IS NULL
            THEN closer_cents + credits_cents + drop_cents - opener_cents - fills_cents END) AS win_cents,
        sum(CASE WHEN not_counted IS NULL THEN jackpots_outside_cents ELSE 0 END) AS jackpots_outside_cents
    FROM table_days
    GROUP BY gaming_day, property, game
),
told_fees AS (
    SELECT
        gaming_day, property, amount_cents, row_number() OVER (PARTITION BY property, table_id, seq ORDER BY log_offset) AS copy
    FROM money
    WHERE
        kind = 'tournament_fees' AND ($table IS NULL OR table_id = $table)
        AND gaming_day BETWEEN $first AND $last
),
revenue AS (
    SELECT *, 0 AS tournament_fees_cents, win_cents - jackpots_outside_cents AS gross_revenue_cents FROM won
    UNION ALL
    SELECT
        gaming_day, property, 'tournaments' AS game, 0 AS tables, 0 AS open_tables, NULL AS drop_cents,
        0 AS win_cents, 0 AS jackpots_outside_cents, sum(amount_cents) AS tournament_fees_cents,
        sum(amount_cents) AS gross_revenue_cents
    FROM told_fees
    WHERE copy = 1
    GROUP BY gaming_day, property
)
SELECT
    gaming_day, property, game, tables, drop_cents, win_cents, jackpots_outside_cents, tournament_fees_cents,
    gross_revenue_cents, CAST(round(gross_revenue_cents * $percent / 100.0) AS BIGINT) AS tax_cents,
    CASE WHEN open_tables > 0 THEN 'tables without a win yet: ' || open_tables END AS not_final
FROM revenue
ORDER BY gaming_day, property, game
