-- void-pattern
-- for: surveillance, investigators
-- about: The rounds of a dealer that were called off, by the patrons who had chips in them, and who stood to win. At
--   baccarat and roulette what lay on the table says it: behind_cents are stakes that were losing when the round was
--   called off, ahead_cents those that were winning; of other games, and of a coup without cards, both are none.
--   by_chance_at_most bounds the probability that so many of the dealer's voided rounds fall on this patron if who
--   plays has nothing to do with it, multiplied by the number of patrons that were tried: among those below a limit x
--   of it, at most x false names are to be expected.
-- param dealer text: The dealer, such as d-114.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param limit text = 1: Show patrons whose corrected bound is at most this; so many false names are to be expected.
WITH dealt AS (
    SELECT property, table_id, round, game, coalesce(voided, FALSE) AS voided
    FROM rounds
    WHERE dealer = $dealer AND gaming_day BETWEEN $first AND $last
),
totals AS (
    SELECT property, count(*) AS dealer_rounds, count(*) FILTER (WHERE voided) AS dealer_voided
    FROM dealt
    GROUP BY property
),
-- The counts of both hands at baccarat.
coups AS (
    SELECT
        dealt.property, dealt.table_id, dealt.round,
        sum(CASE WHEN cards.place = 'player' THEN points.points ELSE 0 END) % 10 AS player,
        sum(CASE WHEN cards.place = 'banker' THEN points.points ELSE 0 END) % 10 AS banker
    FROM dealt
    JOIN cards
        ON cards.property = dealt.property AND cards.table_id = dealt.table_id AND cards.round = dealt.round
    JOIN (
        VALUES ('A', 1), ('2', 2), ('3', 3), ('4', 4), ('5', 5), ('6', 6), ('7', 7), ('8', 8), ('9', 9),
            ('T', 0), ('J', 0), ('Q', 0), ('K', 0)
    ) AS points (rank, points) ON points.rank = substr(cards.card, 1, 1)
    WHERE dealt.voided AND cards.place IN ('player', 'banker')
    GROUP BY dealt.property, dealt.table_id, dealt.round
    HAVING count(*) FILTER (WHERE cards.place = 'player') >= 2 AND count(*) FILTER (WHERE cards.place = 'banker') >= 2
),
spins AS (
    SELECT dealt.property, dealt.table_id, dealt.round, max(outcomes.result) AS pocket
    FROM dealt
    JOIN outcomes
        ON outcomes.property = dealt.property AND outcomes.table_id = dealt.table_id AND outcomes.round = dealt.round
    WHERE dealt.voided AND outcomes.kind = 'spin' AND dealt.game = 'roulette'
    GROUP BY dealt.property, dealt.table_id, dealt.round
),
lay AS (
    SELECT
        dealt.property, dealt.table_id, dealt.round, dealt.voided, wagers.player, wagers.amount_cents,
        CASE
            WHEN coups.round IS NOT NULL AND wagers.kind IN ('player', 'banker') THEN
                CASE WHEN coups.player = coups.banker THEN NULL
                    ELSE (coups.player > coups.banker) = (wagers.kind = 'player') END
            WHEN coups.round IS NOT NULL AND wagers.kind = 'tie' THEN coups.player = coups.banker
            WHEN spins.pocket IS NULL THEN NULL
            WHEN wagers.kind = 'straight' THEN wagers.detail->>'number' = spins.pocket
            WHEN wagers.kind IN ('red', 'black', 'odd', 'even', 'low', 'high') AND spins.pocket IN ('0', '00')
                THEN FALSE
            WHEN wagers.kind IN ('red', 'black') THEN
                (CAST(spins.pocket AS BIGINT) IN (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36))
                = (wagers.kind = 'red')
            WHEN wagers.kind IN ('odd', 'even') THEN
                (CAST(spins.pocket AS BIGINT) % 2 = 1) = (wagers.kind = 'odd')
            WHEN wagers.kind IN ('low', 'high') THEN (CAST(spins.pocket AS BIGINT) <= 18) = (wagers.kind = 'low')
        END AS ahead
    FROM dealt
    JOIN wagers
        ON wagers.property = dealt.property AND wagers.table_id = dealt.table_id AND wagers.round = dealt.round
    LEFT JOIN coups
        ON coups.property = dealt.property AND coups.table_id = dealt.table_id AND coups.round = dealt.round
    LEFT JOIN spins
        ON spins.property = dealt.property AND spins.table_id = dealt.table_id AND spins.round = dealt.round
    WHERE wagers.player IS NOT NULL AND wagers.seat <> 0
),
played AS (
    SELECT
        property, player, table_id, round, voided,
        sum(amount_cents) AS staked,
        sum(CASE WHEN ahead THEN amount_cents WHEN NOT ahead THEN 0 END) AS ahead,
        sum(CASE WHEN NOT ahead THEN amount_cents WHEN ahead THEN 0 END) AS behind
    FROM lay
    GROUP BY property, player, table_id, round, voided
),
patrons AS (
    SELECT
        property, player, count(*) AS rounds, count(*) FILTER (WHERE voided) AS voided,
        count(*) FILTER (WHERE voided AND behind > ahead) AS voided_behind,
        sum(CASE WHEN voided THEN staked ELSE 0 END) AS staked_cents,
        sum(CASE WHEN voided THEN ahead END) AS ahead_cents, sum(CASE WHEN voided THEN behind END) AS behind_cents
    FROM played
    GROUP BY property, player
),
-- Which of the dealer's rounds are voided is a draw without replacement for who plays in them.
scored AS (
    SELECT
        patrons.*, totals.dealer_rounds, totals.dealer_voided, count(*) OVER () AS patrons_tried,
        least(1.0, count(*) OVER () * so_many_at_most(
            patrons.voided, patrons.rounds, 1.0 * patrons.rounds * totals.dealer_voided / totals.dealer_rounds
        )) AS corrected
    FROM patrons
    JOIN totals ON totals.property = patrons.property
)
SELECT
    property, player, rounds, voided AS voided_rounds, dealer_rounds, dealer_voided AS dealer_voided_rounds,
    voided_behind AS voided_behind_rounds, staked_cents, ahead_cents, behind_cents, patrons_tried,
    round(corrected, 6) AS by_chance_at_most
FROM scored
WHERE voided > 0 AND corrected <= CAST($limit AS DOUBLE)
ORDER BY corrected, behind_cents DESC NULLS LAST, staked_cents DESC, property, player
