-- payouts
-- for: auditors
-- about: Stakes and payouts of each table and gaming day: what the rules say beside what was done.
-- param table text = none: The table, such as MB-05; all if left out.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
SELECT
    gaming_day, property, table_id, game, count(*) AS rounds,
    count(*) FILTER (WHERE rules IS NULL) AS not_judged,
    sum(wagers) AS wagers,
    sum(staked_cents) AS staked_cents,
    sum(returned_cents) AS returned_cents,
    sum(given_cents) AS given_cents,
    sum(difference_cents) AS difference_cents
FROM rounds
WHERE gaming_day BETWEEN $first AND $last AND ($table IS NULL OR table_id = $table)
GROUP BY gaming_day, property, table_id, game
ORDER BY gaming_day, property, table_id, game
