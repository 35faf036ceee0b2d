-- late-bets
-- for: surveillance, investigators
-- about: Wagers that were made, raised or taken down after their window had closed, by how many milliseconds, and how they ended.
-- param player text = none: Only this patron.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
SELECT
    closed_at, property, table_id, round, player, seat, wager, kind, amount_cents, placed_at, late_by_ms,
    result, paid_cents
FROM wagers
WHERE late_by_ms IS NOT NULL AND gaming_day BETWEEN $first AND $last AND ($player IS NULL OR player = $player)
ORDER BY closed_at, property, table_id, round, nth
