-- master-game
-- for: auditors
-- about: A1, the master game report: of each table and gaming day what was in the tray, what came and went, what lay
--   in the drop boxes, and what the house won by it. Drop is cash, counter checks issued less those redeemed at the
--   table, chips, and what else buys chips; coupons stand apart and are no money. Win is closer + credits + drop -
--   opener - fills; hold is win of drop. Gross gaming revenue is the win less jackpots that were not paid from the
--   tray. Where the win is not known yet, not_final says why, and there is no number. A house that takes its boxes
--   with the shift has a row for each shift.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as MB-05; all if left out.
-- param pit text = none: The pit; all if left out.
-- param shift text = none: The shift; all if left out.
-- uses: boxes, table-days
SELECT
    gaming_day, property, pit, shift, game, table_id,
    opener_cents, fills_cents, credits_cents, closer_cents,
    cash_cents, checks_issued_cents, checks_redeemed_cents, chips_cents, foreign_chips_cents, other_cents,
    CASE WHEN uncounted = 0 THEN drop_cents END AS drop_cents,
    coupons_cents,
    CASE WHEN not_counted IS NULL
        THEN closer_cents + credits_cents + drop_cents - opener_cents - fills_cents END AS win_cents,
    CASE WHEN not_counted IS NULL AND drop_cents > 0
        THEN 100.0 * (closer_cents + credits_cents + drop_cents - opener_cents - fills_cents) / drop_cents
    END AS hold_pct,
    rounds, handle_cents,
    CASE WHEN not_counted IS NULL AND handle_cents > 0
        THEN 100.0 * (closer_cents + credits_cents + drop_cents - opener_cents - fills_cents) / handle_cents
    END AS win_of_handle_pct,
    jackpots_outside_cents,
    CASE WHEN not_counted IS NULL
        THEN closer_cents + credits_cents + drop_cents - opener_cents - fills_cents - jackpots_outside_cents
    END AS gross_revenue_cents,
    not_counted AS not_final
FROM table_days
WHERE ($pit IS NULL OR pit = $pit) AND ($shift IS NULL OR shift = $shift)
ORDER BY gaming_day, property, pit, shift, game, table_id, period
