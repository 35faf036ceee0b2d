-- offsetting-bets
-- for: investigators
-- about: Pairs of seats at a table that bet on opposite outcomes of the same round: player and banker, red and black,
--   pass and don't pass and so on. Both come in alternative sides, "one" and "other". by_chance_at_most bounds the
--   probability that two who choose without regard to each other are so often opposite, given how often each of them
--   was on either side, multiplied by the number of pairs that were tried: among those below a limit x of it, at most
--   x false names are to be expected. equal_rounds are those with equal stakes.
-- param table text: The table, such as MB-05.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param min_rounds int = 20: Only pairs with so many rounds in which both were on a side.
-- param limit text = 0.05: Show pairs whose corrected bound is at most this; so many false names are to be expected.
WITH sides (kind, pair, side) AS (
    VALUES
        ('player', 'player, banker', 1), ('banker', 'player, banker', 0),
        ('red', 'red, black', 1), ('black', 'red, black', 0),
        ('odd', 'odd, even', 1), ('even', 'odd, even', 0),
        ('low', 'low, high', 1), ('high', 'low, high', 0),
        ('pass', 'pass, dont_pass', 1), ('dont_pass', 'pass, dont_pass', 0),
        ('small', 'small, big', 1), ('big', 'small, big', 0)
),
-- Who is on both sides of a pair is on neither.
taken AS (
    SELECT
        wagers.property, wagers.round, wagers.seat, coalesce(wagers.player, '') AS player, sides.pair,
        max(sides.side) AS side, sum(wagers.amount_cents) AS staked_cents
    FROM wagers
    JOIN sides ON sides.kind = wagers.kind
    WHERE wagers.table_id = $table AND wagers.seat <> 0 AND wagers.gaming_day BETWEEN $first AND $last
    GROUP BY wagers.property, wagers.round, wagers.seat, coalesce(wagers.player, ''), sides.pair
    HAVING min(sides.side) = max(sides.side)
),
pairs AS (
    SELECT
        one.property, one.pair, one.seat AS seat, one.player AS player,
        other.seat AS other_seat, other.player AS other_player,
        count(*) AS rounds,
        count(*) FILTER (WHERE one.side <> other.side) AS opposite,
        count(*) FILTER (WHERE one.side <> other.side AND one.staked_cents = other.staked_cents) AS equal,
        sum(CASE WHEN one.side <> other.side THEN least(one.staked_cents, other.staked_cents) ELSE 0 END)
            AS offset_cents,
        sum(one.side) AS one_ups, sum(other.side) AS other_ups,
        count(*) FILTER (WHERE one.side = 1 AND other.side = 0) AS up_down
    FROM taken AS one
    JOIN taken AS other
        ON other.property = one.property AND other.round = one.round AND other.pair = one.pair AND other.seat > one.seat
    GROUP BY one.property, one.pair, one.seat, one.player, other.seat, other.player
    HAVING count(*) >= $min_rounds
),
-- Of the rounds in which the first was on one side, those with the second on the other are drawn without replacement.
scored AS (
    SELECT
        *, count(*) OVER () AS pairs_tried,
        least(1.0, count(*) OVER ()
            * so_many_at_most(up_down, one_ups, 1.0 * one_ups * (rounds - other_ups) / rounds)) AS corrected
    FROM pairs
)
SELECT
    property, pair AS sides, seat, nullif(player, '') AS player, other_seat, nullif(other_player, '') AS other_player,
    rounds, opposite AS opposite_rounds, equal AS equal_rounds, offset_cents, pairs_tried,
    round(corrected, 6) AS by_chance_at_most
FROM scored
WHERE corrected <= CAST($limit AS DOUBLE)
ORDER BY corrected, offset_cents DESC, property, sides, seat, other_seat, player, other_player
