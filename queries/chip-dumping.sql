-- chip-dumping
-- for: investigators
-- about: Pots of the poker room that one of these patrons gave up by a fold and another of them took: what the first
--   had put in, what both held when he folded, as far as a reader or a showdown told it, and whether the hand that was
--   folded was the better one then. The strongest hands folded come first.
-- param players text: The patrons, with commas between: p-17,p-301.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
WITH ours AS (
    SELECT property, table_id, round, seat, max(player) AS player, sum(amount_cents) AS put_in_cents
    FROM wagers
    WHERE
        game = 'poker' AND gaming_day BETWEEN $first AND $last
        AND array_has(string_to_array(replace($players, ' ', ''), ','), player)
    GROUP BY property, table_id, round, seat
),
won AS (
    SELECT property, table_id, round, seat, sum(amount_cents) AS won_cents
    FROM (
        SELECT DISTINCT property, table_id, seq, round, seat, amount_cents
        FROM events
        WHERE type = 'pot_awarded' AND gaming_day BETWEEN $first AND $last
    ) AS awarded
    GROUP BY property, table_id, round, seat
),
folded AS (
    SELECT property, table_id, round, seat, max(seq) AS seq, max(at) AS at
    FROM decisions
    WHERE action = 'fold' AND gaming_day BETWEEN $first AND $last
    GROUP BY property, table_id, round, seat
),
given AS (
    SELECT
        folded.property, folded.table_id, folded.round, folded.seq, folded.at,
        loser.seat AS seat, loser.player AS player, loser.put_in_cents,
        winner.seat AS other_seat, winner.player AS other_player, won.won_cents
    FROM folded
    JOIN ours AS loser
        ON loser.property = folded.property AND loser.table_id = folded.table_id AND loser.round = folded.round
        AND loser.seat = folded.seat
    JOIN ours AS winner
        ON winner.property = folded.property AND winner.table_id = folded.table_id AND winner.round = folded.round
        AND winner.player <> loser.player
    JOIN won
        ON won.property = winner.property AND won.table_id = winner.table_id AND won.round = winner.round
        AND won.seat = winner.seat
),
lay AS (
    SELECT
        given.property, given.table_id, given.round, given.seat, given.other_seat,
        string_agg(cards.card, ' ' ORDER BY cards.nth)
            FILTER (WHERE cards.seat = given.seat AND cards.seq < given.seq) AS held,
        string_agg(cards.card, ' ' ORDER BY cards.nth)
            FILTER (WHERE cards.seat = given.other_seat AND cards.seq < given.seq) AS other_held,
        coalesce(string_agg(cards.card, ' ' ORDER BY cards.nth)
            FILTER (WHERE cards.place = 'community' AND cards.seq < given.seq), '') AS board
    FROM given
    JOIN cards
        ON cards.property = given.property AND cards.table_id = given.table_id AND cards.round = given.round
    WHERE cards.card IS NOT NULL
    GROUP BY given.property, given.table_id, given.round, given.seat, given.other_seat
),
told AS (
    SELECT
        given.*, lay.held, lay.other_held, nullif(lay.board, '') AS board,
        hand_name(lay.held || ' ' || lay.board) AS made,
        hand_strength(lay.held || ' ' || lay.board) AS strength,
        hand_strength(lay.other_held || ' ' || lay.board) AS other_strength
    FROM given
    LEFT JOIN lay
        ON lay.property = given.property AND lay.table_id = given.table_id AND lay.round = given.round
        AND lay.seat = given.seat AND lay.other_seat = given.other_seat
)
SELECT
    at, property, table_id, round, player, other_player, put_in_cents, won_cents, held, other_held, board, made,
    strength > other_strength AS was_better
FROM told
ORDER BY strength DESC NULLS LAST, put_in_cents DESC, at, property, table_id, round
