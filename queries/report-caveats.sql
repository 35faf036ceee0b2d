-- report-caveats
-- for: auditors
-- about: What is not final yet about the days of a report, with the amounts that are uncertain: tables that have not
--   closed, boxes that were not taken or not counted, rounds that were not judged or not settled, and events that are
--   missing.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as MB-05; all if left out.
-- uses: boxes, table-days, unjudged
WITH gaps AS (
    SELECT gaming_day, property, table_id, code, count(*) AS times
    FROM findings
    WHERE
        code IN ('feed.gap', 'feed.contradiction', 'feed.reordered') AND gaming_day BETWEEN $first AND $last
        AND ($table IS NULL OR table_id = $table)
    GROUP BY gaming_day, property, table_id, code
),
-- Rounds of which the archive has the beginning and no settlement.
begun AS (
    SELECT begun.gaming_day, begun.property, begun.table_id, count(DISTINCT begun.round) AS times
    FROM events AS begun
    LEFT JOIN rounds
        ON rounds.property = begun.property AND rounds.table_id = begun.table_id AND rounds.round = begun.round
    WHERE
        begun.type = 'round_opened' AND rounds.round IS NULL AND ($table IS NULL OR begun.table_id = $table)
        AND begun.gaming_day BETWEEN $first AND $last
    GROUP BY begun.gaming_day, begun.property, begun.table_id
),
said AS (
    SELECT
        gaming_day, property, table_id, not_counted AS what, greatest(uncounted, 1) AS times,
        CASE WHEN uncounted > 0 OR boxes = 0 THEN buy_ins_cents + rake_in_box_cents END AS uncertain_cents,
        CASE WHEN uncounted > 0 OR boxes = 0
            THEN 'what was bought in with or raked, which the box must hold' END AS amount_is
    FROM table_days
    WHERE not_counted IS NOT NULL
    UNION ALL
    SELECT
        table_days.gaming_day, table_days.property, table_days.table_id, 'rounds not judged', not_judged,
        recorded.uncertain_cents, 'what was staked, and neither collected nor paid by the record'
    FROM table_days
    LEFT JOIN recorded
        ON recorded.property = table_days.property AND recorded.table_id = table_days.table_id
        AND recorded.period = table_days.period
        AND (recorded.period >= 0 OR recorded.stray_day = table_days.gaming_day)
    WHERE not_judged > 0
    UNION ALL
    SELECT gaming_day, property, table_id, 'rounds not settled yet', times, NULL, NULL FROM begun
    UNION ALL
    SELECT
        gaming_day, property, table_id,
        CASE code WHEN 'feed.gap' THEN 'events are missing from the feed' WHEN 'feed.contradiction'
            THEN 'events contradict each other' ELSE 'events came out of order' END,
        times, NULL, NULL
    FROM gaps
)
SELECT gaming_day, property, table_id, what, times, uncertain_cents, amount_is
FROM said
ORDER BY gaming_day, property, table_id, what
