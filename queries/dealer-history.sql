-- dealer-history
-- for: investigators, surveillance
-- about: Rounds that a dealer dealt, by gaming day and table, with the rounds in which a payment was wrong and bounds of that rate: 95 of 100 such intervals hold it, however few the rounds.
-- param dealer text: The dealer, such as d-114.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
WITH dealt AS (
    SELECT gaming_day, property, table_id, round
    FROM rounds
    WHERE dealer = $dealer AND gaming_day BETWEEN $first AND $last AND rules IS NOT NULL
),
wrong AS (
    SELECT property, table_id, round, sum(exposure_cents) AS house_lost_cents
    FROM findings
    WHERE dealer = $dealer AND (code LIKE 'pay.%' OR code LIKE 'commission.%')
    GROUP BY property, table_id, round
),
days AS (
    SELECT
        dealt.gaming_day, dealt.property, dealt.table_id, count(*) AS rounds,
        count(wrong.round) AS wrong_rounds,
        sum(coalesce(wrong.house_lost_cents, 0)) AS house_lost_cents
    FROM dealt
    LEFT JOIN wrong
        ON wrong.property = dealt.property AND wrong.table_id = dealt.table_id AND wrong.round = dealt.round
    GROUP BY dealt.gaming_day, dealt.property, dealt.table_id
)
-- Chernoff's bound of the binomial tail, solved for the rate: ln(40) = 3.6889 leaves 2.5 % on either side.
SELECT
    gaming_day, property, table_id, rounds, wrong_rounds, house_lost_cents,
    round(100.0 * wrong_rounds / rounds, 3) AS wrong_percent,
    round(100.0 * greatest(0.0, 1.0 * wrong_rounds / rounds - sqrt(2.0 * 3.6889 * wrong_rounds) / rounds), 3)
        AS at_least_percent,
    round(100.0 * least(1.0, (wrong_rounds + 3.6889 + sqrt(3.6889 * 3.6889 + 2.0 * 3.6889 * wrong_rounds)) / rounds), 3)
        AS at_most_percent
FROM days
ORDER BY gaming_day, property, table_id
