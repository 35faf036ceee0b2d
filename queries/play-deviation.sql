-- play-deviation
-- for: surveillance
-- about: A patron's first decision of each round at blackjack against the usual chart (four decks or more, no
--   surrender), by his two cards and the dealer's up card. And against the card that lies face down: weak are the
--   rounds in which the dealer's two cards make 12 to 16. Who does not know that card stands on a stiff hand (hard 12
--   to 16) as often against a weak dealer as against a strong one. The row "all" has the bound of the probability of
--   standing so often, and only then, if he chose without knowing it: one question about one patron; who asks it of
--   many must multiply by their number. Of two seats of his in a round, the first counts.
-- param player text: The patron, such as p-8841.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
WITH seats AS (
    SELECT property, table_id, round, min(seat) AS seat
    FROM wagers
    WHERE player = $player AND kind = 'main' AND gaming_day BETWEEN $first AND $last
    GROUP BY property, table_id, round
),
firsts AS (
    SELECT seats.property, seats.table_id, seats.round, seats.seat, min(decisions.seq) AS seq
    FROM seats
    JOIN decisions
        ON decisions.property = seats.property AND decisions.table_id = seats.table_id
        AND decisions.round = seats.round AND decisions.seat = seats.seat
    WHERE decisions.action IN ('hit', 'draw', 'stand', 'stay', 'stand_pat', 'double', 'double_down', 'split')
    GROUP BY seats.property, seats.table_id, seats.round, seats.seat
),
chosen AS (
    SELECT DISTINCT
        firsts.*,
        CASE WHEN decisions.action IN ('hit', 'draw') THEN 'hit'
            WHEN decisions.action IN ('stand', 'stay', 'stand_pat') THEN 'stand'
            WHEN decisions.action IN ('double', 'double_down') THEN 'double'
            ELSE 'split' END AS did
    FROM firsts
    JOIN decisions
        ON decisions.property = firsts.property AND decisions.table_id = firsts.table_id
        AND decisions.seq = firsts.seq AND decisions.seat = firsts.seat
),
lay AS (
    SELECT
        property, table_id, round, place, seat, face, nth, seq,
        CASE substr(card, 1, 1) WHEN 'A' THEN 1 WHEN 'T' THEN 10 WHEN 'J' THEN 10 WHEN 'Q' THEN 10 WHEN 'K' THEN 10
            ELSE CAST(substr(card, 1, 1) AS BIGINT) END AS points
    FROM cards
    WHERE card IS NOT NULL AND place IN ('seat', 'dealer')
),
own AS (
    SELECT
        chosen.property, chosen.table_id, chosen.round, chosen.did,
        count(*) AS cards, sum(lay.points) AS points, min(lay.points) AS low, max(lay.points) AS high
    FROM chosen
    JOIN lay
        ON lay.property = chosen.property AND lay.table_id = chosen.table_id AND lay.round = chosen.round
        AND lay.place = 'seat' AND lay.seat = chosen.seat AND lay.seq < chosen.seq
    GROUP BY chosen.property, chosen.table_id, chosen.round, chosen.did
),
dealers AS (
    SELECT
        property, table_id, round,
        max(CASE WHEN face = 'up' AND nth = up_nth THEN points END) AS up,
        max(CASE WHEN face = 'down' THEN points END) AS hole
    FROM (
        SELECT *, min(CASE WHEN face = 'up' THEN nth END) OVER (PARTITION BY property, table_id, round) AS up_nth
        FROM lay
        WHERE place = 'dealer'
    ) AS of_dealer
    GROUP BY property, table_id, round
    HAVING count(CASE WHEN face = 'down' THEN 1 END) <= 1
),
faced AS (
    SELECT
        own.did,
        CASE WHEN own.low = own.high THEN 'pair' WHEN own.low = 1 THEN 'soft' ELSE 'hard' END AS kind,
        CASE WHEN own.low = own.high THEN own.low WHEN own.low = 1 THEN own.points + 10 ELSE own.points END AS total,
        CASE WHEN dealers.up = 1 THEN 11 ELSE dealers.up END AS up,
        CASE WHEN dealers.hole IS NULL THEN NULL
            WHEN dealers.up = 1 OR dealers.hole = 1
            THEN dealers.up + dealers.hole + 10 BETWEEN 12 AND 16
            ELSE dealers.up + dealers.hole BETWEEN 12 AND 16 END AS weak
    FROM own
    JOIN dealers
        ON dealers.property = own.property AND dealers.table_id = own.table_id AND dealers.round = own.round
    WHERE own.cards = 2 AND dealers.up IS NOT NULL
),
charted AS (
    SELECT
        faced.*,
        kind = 'hard' AND total BETWEEN 12 AND 16 AND weak IS NOT NULL AS stiff,
        CASE
            WHEN kind = 'pair' AND (
                total IN (1, 8) OR total IN (2, 3, 7) AND up <= 7 OR total = 4 AND up IN (5, 6)
                OR total = 6 AND up <= 6 OR total = 9 AND up <> 7 AND up < 10
            ) THEN 'split'
            WHEN kind <> 'soft' AND CASE WHEN kind = 'pair' THEN 2 * total ELSE total END = 11 THEN 'double'
            WHEN kind <> 'soft' AND CASE WHEN kind = 'pair' THEN 2 * total ELSE total END = 10 AND up <= 9 THEN 'double'
            WHEN kind = 'hard' AND total = 9 AND up BETWEEN 3 AND 6 THEN 'double'
            WHEN kind = 'soft' AND (
                up IN (5, 6) AND total BETWEEN 13 AND 18 OR up = 4 AND total BETWEEN 15 AND 18
                OR up = 3 AND total BETWEEN 17 AND 18
            ) THEN 'double'
            WHEN kind = 'soft' THEN CASE WHEN total >= 19 OR total = 18 AND up <= 8 THEN 'stand' ELSE 'hit' END
            WHEN CASE WHEN kind = 'pair' THEN 2 * total ELSE total END >= 17 THEN 'stand'
            WHEN CASE WHEN kind = 'pair' THEN 2 * total ELSE total END BETWEEN 13 AND 16 AND up <= 6 THEN 'stand'
            WHEN CASE WHEN kind = 'pair' THEN 2 * total ELSE total END = 12 AND up BETWEEN 4 AND 6 THEN 'stand'
            ELSE 'hit'
        END AS chart
    FROM faced
),
counted AS (
    SELECT
        kind, total, up, chart, count(*) AS decisions,
        count(*) FILTER (WHERE did = chart) AS as_chart,
        count(*) FILTER (WHERE stiff) AS stiff,
        count(*) FILTER (WHERE stiff AND did = 'stand') AS stood,
        count(*) FILTER (WHERE stiff AND weak) AS weak,
        count(*) FILTER (WHERE stiff AND weak AND did = 'stand') AS stood_on_weak
    FROM charted
    GROUP BY kind, total, up, chart
),
-- Of the decisions in one situation some were to stand: which of them meet a weak dealer is a draw without replacement.
together AS (
    SELECT
        sum(decisions) AS decisions, sum(as_chart) AS as_chart, sum(stiff) AS stiff, sum(stood) AS stood,
        sum(weak) AS weak, sum(stood_on_weak) AS stood_on_weak,
        sum(CASE WHEN stiff > 0 THEN 1.0 * weak * stood / stiff ELSE 0.0 END) AS expected
    FROM counted
)
SELECT
    kind || ' ' || CAST(total AS VARCHAR) AS own,
    CASE WHEN up = 11 THEN 'A' ELSE CAST(up AS VARCHAR) END AS up,
    decisions, chart, as_chart, stiff, stood, weak, stood_on_weak,
    CASE WHEN stiff > 0 THEN round(1.0 * weak * stood / stiff, 2) END AS expected_on_weak,
    CAST(NULL AS DOUBLE) AS by_chance_at_most
FROM counted
UNION ALL
SELECT
    'all', NULL, decisions, NULL, as_chart, stiff, stood, weak, stood_on_weak, round(expected, 2),
    round(so_many_at_most(stood_on_weak, weak, expected), 6)
FROM together
WHERE decisions > 0
ORDER BY own, up
