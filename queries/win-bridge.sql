-- win-bridge
-- for: auditors
-- about: A2, the win bridge: from the theoretical win of each table and gaming day to the win that was counted, to
--   the cent. Settled due is what the house should have won by the rules, rake and time charges included; luck is what
--   lies between it and the theoretical win. Mispaid is what was given beyond the rules (the query mispaid lists it by
--   finding and disposition). Jackpots that the tray did not pay, rounds that the rules could not judge as they were
--   recorded, and vigorish that is only marked are bridged. What is left is unexplained, and review says what to do
--   with it. without_theo is what was staked on wagers of which no edge is known: luck has them whole. uncertain is
--   what was staked in rounds of which neither collection nor payment was told. not_computed says why a day has no
--   counted win yet.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as MB-05; all if left out.
-- param pit text = none: The pit; all if left out.
-- param shift text = none: The shift; all if left out.
-- param report_cents int = 2500: What is unexplained is reported if it is more than this.
-- param bureau_cents int = 10000: The Bureau has a copy of what is at least this.
-- uses: boxes, table-days, unjudged, theo
WITH bridged AS (
    SELECT
        table_days.*,
        coalesce(theo_days.theo_cents, 0) + rake_cents AS theo_cents,
        coalesce(theo_days.without_theo_cents, 0) AS without_theo_cents,
        judged_win_cents + rake_cents AS settled_due_cents,
        coalesce(recorded.recorded_cents, 0) AS unjudged_cents,
        coalesce(recorded.uncertain_cents, 0) AS uncertain_cents,
        vigorish_marked_cents - vigorish_taken_cents AS vigorish_owed_cents,
        judged_win_cents + rake_cents - mispaid_cents + jackpots_outside_cents + coalesce(recorded.recorded_cents, 0)
            - (vigorish_marked_cents - vigorish_taken_cents) AS explained_cents,
        CASE WHEN not_counted IS NULL
            THEN closer_cents + credits_cents + drop_cents - opener_cents - fills_cents END AS counted_win_cents
    FROM table_days
    LEFT JOIN recorded
        ON recorded.property = table_days.property AND recorded.table_id = table_days.table_id
        AND recorded.period = table_days.period
        AND (recorded.period >= 0 OR recorded.stray_day = table_days.gaming_day)
    LEFT JOIN theo_days
        ON theo_days.property = table_days.property AND theo_days.table_id = table_days.table_id
        AND theo_days.period = table_days.period
        AND (theo_days.period >= 0 OR theo_days.stray_day = table_days.gaming_day)
)
SELECT
    gaming_day, property, pit, shift, game, table_id, rounds,
    theo_cents, settled_due_cents - theo_cents AS luck_cents, settled_due_cents,
    mispaid_cents, jackpots_outside_cents, unjudged_cents, vigorish_owed_cents,
    explained_cents, counted_win_cents, counted_win_cents - explained_cents AS unexplained_cents,
    CASE
        WHEN abs(counted_win_cents - explained_cents) >= $bureau_cents THEN 'report, copy to the Bureau'
        WHEN abs(counted_win_cents - explained_cents) > $report_cents THEN 'report'
    END AS review,
    without_theo_cents, not_judged, uncertain_cents,
    'not computed: ' || not_counted AS not_computed
FROM bridged
WHERE ($pit IS NULL OR pit = $pit) AND ($shift IS NULL OR shift = $shift)
ORDER BY gaming_day, property, pit, shift, game, table_id, period
