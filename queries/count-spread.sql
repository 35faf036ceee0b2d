-- count-spread
-- for: surveillance, investigators
-- about: How a patron's first stakes at blackjack follow the count of a shoe: 2 to 6 count one up, tens and aces one
--   down, divided by the decks that were left when the round opened. Rounds by true count, and the correlation over
--   all rounds. by_chance_at_most is Cantelli's bound of a correlation so high if the stakes had come in any other
--   order; it is one question about one patron, and who asks it of many must multiply by their number. Cards that
--   nobody saw count nothing; of a continuous shuffler there is no count.
-- param player text: The patron, such as p-8841.
-- param shoe text: The shoe, as the floor named it when it started.
-- param table text = none: The table, where several have a shoe of that name.
WITH decks AS (
    SELECT property, table_id, max(CAST(body->>'decks' AS DOUBLE)) AS decks
    FROM events
    WHERE
        type = 'shoe_started' AND shoe = $shoe AND ($table IS NULL OR table_id = $table)
        AND body->>'method' <> 'continuous'
    GROUP BY property, table_id
),
dealt AS (
    SELECT
        rounds.property, rounds.table_id, rounds.round, rounds.first_seq, decks.decks,
        count(cards.nth) AS cards,
        sum(CASE WHEN substr(cards.card, 1, 1) IN ('2', '3', '4', '5', '6') THEN 1
            WHEN substr(cards.card, 1, 1) IN ('T', 'J', 'Q', 'K', 'A') THEN -1 ELSE 0 END) AS points
    FROM rounds
    JOIN decks ON decks.property = rounds.property AND decks.table_id = rounds.table_id
    LEFT JOIN cards
        ON cards.property = rounds.property AND cards.table_id = rounds.table_id AND cards.round = rounds.round
    WHERE rounds.shoe = $shoe
    GROUP BY rounds.property, rounds.table_id, rounds.round, rounds.first_seq, decks.decks
),
before AS (
    SELECT
        property, table_id, round, decks,
        coalesce(sum(cards) OVER earlier, 0) AS cards, coalesce(sum(points) OVER earlier, 0) AS points
    FROM dealt
    WINDOW earlier AS (
        PARTITION BY property, table_id ORDER BY first_seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )
),
staked AS (
    SELECT property, table_id, round, sum(amount_cents) AS staked_cents
    FROM wagers
    WHERE player = $player AND kind = 'main'
    GROUP BY property, table_id, round
),
seen AS (
    SELECT
        before.property, before.table_id,
        1.0 * before.points / (before.decks - before.cards / 52.0) AS true_count,
        CAST(staked.staked_cents AS DOUBLE) AS staked
    FROM before
    JOIN staked
        ON staked.property = before.property AND staked.table_id = before.table_id AND staked.round = before.round
    WHERE before.decks * 52.0 > before.cards
),
together AS (
    SELECT property, table_id, count(*) AS all_rounds, corr(true_count, staked) AS correlation
    FROM seen
    GROUP BY property, table_id
),
counted AS (
    SELECT
        property, table_id, CAST(floor(true_count) AS BIGINT) AS true_count, count(*) AS rounds,
        min(staked) AS least, avg(staked) AS average, max(staked) AS most
    FROM seen
    GROUP BY property, table_id, CAST(floor(true_count) AS BIGINT)
)
SELECT
    counted.property, counted.table_id, counted.true_count, counted.rounds,
    CAST(counted.least AS BIGINT) AS least_cents, CAST(round(counted.average) AS BIGINT) AS average_cents,
    CAST(counted.most AS BIGINT) AS most_cents,
    together.all_rounds, round(together.correlation, 4) AS correlation,
    CASE WHEN together.correlation > 0
        THEN round(1.0 / (1.0 + together.correlation * together.correlation * (together.all_rounds - 1)), 6)
        ELSE 1.0 END AS by_chance_at_most
FROM counted
JOIN together ON together.property = counted.property AND together.table_id = counted.table_id
ORDER BY counted.property, counted.table_id, counted.true_count
