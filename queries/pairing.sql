-- pairing
-- for: investigators
-- about: A dealer and a player: their joint rounds, those in which the player got too much, against all rounds of the dealer, and a bound of the probability that so many fall together by chance. It is one question about one pair: who asks it of many must multiply by their number, as pairings-ranked does.
-- param dealer text: The dealer, such as d-114.
-- param player text: The patron, such as p-8841.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
WITH dealt AS (
    SELECT property, dealer, table_id, round
    FROM rounds
    WHERE dealer IS NOT NULL AND rules IS NOT NULL AND gaming_day BETWEEN $first AND $last
),
lost AS (
    SELECT DISTINCT property, table_id, round
    FROM findings
    WHERE (code LIKE 'pay.%' OR code LIKE 'commission.%') AND exposure_cents > 0
),
lost_to AS (
    SELECT property, table_id, round, player, sum(exposure_cents) AS cents
    FROM findings
    WHERE (code LIKE 'pay.%' OR code LIKE 'commission.%') AND exposure_cents > 0 AND player IS NOT NULL
    GROUP BY property, table_id, round, player
),
dealers AS (
    SELECT dealt.property, dealt.dealer, count(*) AS rounds, count(lost.round) AS wrong
    FROM dealt
    LEFT JOIN lost
        ON lost.property = dealt.property AND lost.table_id = dealt.table_id AND lost.round = dealt.round
    GROUP BY dealt.property, dealt.dealer
),
played AS (
    SELECT DISTINCT property, table_id, round, player
    FROM wagers
    WHERE player IS NOT NULL AND gaming_day BETWEEN $first AND $last
),
pairs AS (
    SELECT
        dealt.property, dealt.dealer, played.player, count(*) AS joint, count(lost_to.round) AS joint_wrong,
        sum(coalesce(lost_to.cents, 0)) AS house_lost_cents
    FROM dealt
    JOIN played
        ON played.property = dealt.property AND played.table_id = dealt.table_id AND played.round = dealt.round
    LEFT JOIN lost_to
        ON lost_to.property = played.property AND lost_to.table_id = played.table_id
        AND lost_to.round = played.round AND lost_to.player = played.player
    GROUP BY dealt.property, dealt.dealer, played.player
),
-- Of the dealer's rounds some have an error in a player's favour. If it says nothing of them who plays, those among
-- the player's rounds are drawn without replacement, and exp(-n KL(k/n || K/N)) is above the probability of so many
-- (Chernoff's bound, which Hoeffding showed to hold for such draws too). Only errors for this player count, so that the
-- bound is not passed by errors that others had.
scored AS (
    SELECT
        pairs.*, dealers.rounds AS dealer_rounds, dealers.wrong AS dealer_wrong,
        CASE
            WHEN joint_wrong * dealers.rounds <= dealers.wrong * joint THEN 1.0
            WHEN joint_wrong = joint THEN exp(joint * ln(1.0 * dealers.wrong / dealers.rounds))
            ELSE exp(
                - joint_wrong * ln((1.0 * joint_wrong / joint) / (1.0 * dealers.wrong / dealers.rounds))
                - (joint - joint_wrong) * ln(
                    (1.0 - 1.0 * joint_wrong / joint) / (1.0 - 1.0 * dealers.wrong / dealers.rounds)
                )
            )
        END AS by_chance_at_most
    FROM pairs
    JOIN dealers ON dealers.property = pairs.property AND dealers.dealer = pairs.dealer
)
SELECT
    property, joint AS joint_rounds, joint_wrong AS joint_wrong_rounds, house_lost_cents,
    dealer_rounds, dealer_wrong AS dealer_wrong_rounds,
    round(100.0 * joint_wrong / joint, 3) AS together_percent,
    CASE
        WHEN dealer_rounds > joint THEN round(100.0 * (dealer_wrong - joint_wrong) / (dealer_rounds - joint), 3)
    END AS apart_percent,
    round(by_chance_at_most, 6) AS by_chance_at_most
FROM scored
WHERE dealer = $dealer AND player = $player
ORDER BY property
