-- mispaid
-- for: auditors
-- about: What was given beyond the rules, wager by wager, with the finding that tells it and what was done about it.
--   The sum of difference is the mispaid of the win bridge. A wager may have several findings, and then several rows:
--   difference stands in the first.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as MB-05; all if left out.
WITH wrong AS (
    SELECT gaming_day, property, table_id, game, round, wager, seat, player, kind, dealer, closed_at, difference_cents
    FROM wagers
    WHERE
        gaming_day BETWEEN $first AND $last AND ($table IS NULL OR table_id = $table)
        AND difference_cents <> 0 AND seat <> 0 AND game <> 'poker'
),
found AS (
    SELECT
        property, table_id, round, wager, id, code, severity, exposure_cents,
        row_number() OVER (PARTITION BY property, table_id, round, wager ORDER BY abs(exposure_cents) DESC, id) AS nth
    FROM findings
    WHERE gaming_day BETWEEN $first AND $last AND ($table IS NULL OR table_id = $table) AND wager IS NOT NULL
),
ended AS (
    SELECT
        finding,
        last_value(verdict ORDER BY at) AS verdict,
        last_value(operator ORDER BY at) AS operator,
        sum(recovered_cents) AS recovered_cents
    FROM dispositions
    WHERE action = 'dispose'
    GROUP BY finding
)
SELECT
    wrong.gaming_day, wrong.property, wrong.table_id, wrong.game, wrong.round, wrong.wager, wrong.kind, wrong.seat,
    wrong.player, wrong.dealer,
    CASE WHEN coalesce(found.nth, 1) = 1 THEN wrong.difference_cents END AS difference_cents,
    found.code, found.severity, found.id AS finding, ended.verdict, ended.operator, ended.recovered_cents
FROM wrong
LEFT JOIN found
    ON found.property = wrong.property AND found.table_id = wrong.table_id
    AND found.round = wrong.round AND found.wager = wrong.wager
LEFT JOIN ended ON ended.finding = found.id
ORDER BY wrong.gaming_day, wrong.property, wrong.table_id, wrong.closed_at, wrong.round, wrong.wager, found.nth
