-- pairings-ranked
-- for: surveillance
-- about: All dealers and players with enough joint rounds, by how unlikely it is that the dealer's errors in players' favour fall on this player by chance. The bound is multiplied by the number of pairs that were tried: among those below a limit x of it, at most x false names are to be expected.
-- param min_rounds int = 30: Only pairs with so many joint rounds.
-- param limit text = 0.05: Show pairs whose corrected bound is at most this; so many false names are to be expected.
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
    HAVING count(*) >= $min_rounds
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
),
corrected AS (
    SELECT
        *, count(*) OVER () AS pairs_tried,
        least(1.0, by_chance_at_most * count(*) OVER ()) AS corrected
    FROM scored
)
SELECT
    property, dealer, player, joint AS joint_rounds, joint_wrong AS joint_wrong_rounds,
    dealer_rounds, dealer_wrong AS dealer_wrong_rounds, house_lost_cents, pairs_tried,
    round(corrected, 6) AS by_chance_at_most
FROM corrected
WHERE corrected <= CAST($limit AS DOUBLE)
ORDER BY corrected, house_lost_cents DESC, property, dealer, player
