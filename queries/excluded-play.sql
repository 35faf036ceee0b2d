-- excluded-play
-- for: investigators, surveillance
-- about: Where and when patrons of a list played, by table and gaming day. Who plays without a name is in no row.
-- param list text: The patrons, with commas between: p-1,p-2.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
SELECT
    player, gaming_day, property, table_id, count(DISTINCT round) AS rounds, count(*) AS wagers,
    sum(amount_cents) AS staked_cents, min(closed_at) AS first_at, max(closed_at) AS last_at
FROM wagers
WHERE gaming_day BETWEEN $first AND $last AND array_has(string_to_array(replace($list, ' ', ''), ','), player)
GROUP BY player, gaming_day, property, table_id
ORDER BY player, gaming_day, property, table_id
