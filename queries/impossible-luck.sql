-- impossible-luck
-- for: surveillance, investigators
-- about: Patrons and seats that won too often: of each round the wager that was laid first, where its outcome hangs on
--   no decision, and how often it wins under the rules of its table. by_chance_at_most is the exact binomial tail where
--   all of these wagers win equally often, and with their mean a bound of it where they do not (Hoeffding), multiplied
--   by the number of patrons and seats that were tried: among those below a limit x of it, at most x false names are
--   to be expected. Each round counts as if it began with a full shoe. luck_cents is what all of these wagers brought
--   above what they should on average.
-- param days int = 30: So many gaming days.
-- param last day = 9999-12-31: Up to this one; the last that the archive has if it has none so late.
-- param min_rounds int = 30: Only those with so many rounds.
-- param limit text = 0.05: Show those whose corrected bound is at most this; so many false names are to be expected.
WITH until AS (
    SELECT max(gaming_day) AS gaming_day FROM rounds WHERE gaming_day <= $last
),
laid AS (
    SELECT
        wagers.property, wagers.table_id, wagers.round, wagers.seat, wagers.player, wagers.nth, wagers.wager, wagers.kind,
        wagers.result, wagers.amount_cents, wagers.returned_cents, edges.win_rate, edges.house_edge
    FROM wagers
    JOIN until ON TRUE
    JOIN rounds
        ON rounds.property = wagers.property AND rounds.table_id = wagers.table_id
        AND rounds.round = wagers.round AND rounds.gaming_day = wagers.gaming_day
    JOIN edges
        ON edges.game = rounds.game AND edges.edition = rounds.edition AND edges.options = rounds.options
        AND edges.kind = wagers.kind AND (edges.choice IS NULL OR edges.choice = wagers.detail->>'number')
    WHERE
        wagers.gaming_day <= until.gaming_day
        AND CAST(wagers.gaming_day AS int) > CAST(until.gaming_day AS int) - $days
        AND wagers.seat <> 0 AND edges.basis = 'exact' AND edges.win_rate IS NOT NULL
),
of_patrons AS (
    SELECT
        'patron' AS what, property, CAST(NULL AS VARCHAR) AS table_id, player AS who, result, amount_cents,
        returned_cents, win_rate, house_edge,
        row_number() OVER (PARTITION BY property, table_id, round, player ORDER BY nth, seat, wager, kind, result) AS place
    FROM laid
    WHERE player IS NOT NULL
),
of_seats AS (
    SELECT
        'seat' AS what, property, table_id, CAST(seat AS VARCHAR) AS who, result, amount_cents,
        returned_cents, win_rate, house_edge,
        row_number() OVER (PARTITION BY property, table_id, round, seat ORDER BY nth, player, wager, kind, result) AS place
    FROM laid
),
tried AS (
    SELECT
        what, property, table_id, who, count(*) AS rounds,
        count(*) FILTER (WHERE result = 'win') AS won, sum(win_rate) AS expected,
        sum(returned_cents - amount_cents + house_edge * amount_cents) AS luck
    FROM (SELECT * FROM of_patrons UNION ALL SELECT * FROM of_seats) AS firsts
    WHERE place = 1 AND result IN ('win', 'lose', 'push')
    GROUP BY what, property, table_id, who
    HAVING count(*) >= $min_rounds
),
corrected AS (
    SELECT
        *, count(*) OVER () AS tried,
        least(1.0, count(*) OVER () * CASE
            WHEN won >= expected + 1.0 THEN so_many_or_more(won, rounds, expected / rounds) ELSE 1.0 END) AS corrected
    FROM tried
)
-- In whatever order they are added, sums are rounded alike.
SELECT
    what, property, table_id, who, rounds, won, round(round(expected, 8), 2) AS expected,
    CAST(round(round(luck, 6)) AS BIGINT) AS luck_cents, tried, round(corrected, 9) AS by_chance_at_most
FROM corrected
WHERE corrected <= CAST($limit AS DOUBLE)
ORDER BY corrected, luck_cents DESC, what, property, table_id, who
