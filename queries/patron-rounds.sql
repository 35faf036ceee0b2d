-- patron-rounds
-- for: investigators
-- about: Every wager of a patron between two gaming days: table, kind, stake, result, paid.
-- param player text: The patron, such as p-8841.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
SELECT
    gaming_day, closed_at, property, table_id, round, game, dealer, wager, seat, kind, form,
    amount_cents, result, paid_cents, difference_cents
FROM wagers
WHERE player = $player AND gaming_day BETWEEN $first AND $last
ORDER BY closed_at, property, table_id, round, nth
