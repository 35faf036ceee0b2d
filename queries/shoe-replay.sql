-- shoe-replay
-- for: investigators
-- about: The cards of a shoe in the order in which they left it, with what was burned in between. A card that nobody saw has no face here.
-- param shoe text: The shoe, as the floor named it when it started.
-- param table text: The table.
WITH span AS (
    SELECT
        property,
        min(CASE WHEN type = 'shoe_started' THEN seq END) AS first_seq,
        min(CASE WHEN type = 'shoe_ended' THEN seq END) AS last_seq
    FROM events
    WHERE table_id = $table AND shoe = $shoe AND type IN ('shoe_started', 'shoe_ended')
    GROUP BY property
),
dealt AS (
    SELECT cards.property, cards.seq, cards.at, cards.round, cards.place, cards.seat, cards.card, false AS burned
    FROM cards
    JOIN rounds
        ON rounds.property = cards.property AND rounds.table_id = cards.table_id AND rounds.round = cards.round
    WHERE cards.table_id = $table AND rounds.shoe = $shoe
),
burned AS (
    SELECT DISTINCT
        events.property, events.seq, events.at, events.round, CAST(NULL AS VARCHAR) AS place,
        CAST(NULL AS BIGINT) AS seat, events.body->>'card' AS card, true AS burned
    FROM events
    JOIN span ON span.property = events.property
    WHERE
        events.table_id = $table AND events.type = 'card_burned' AND events.seq > span.first_seq
        AND (span.last_seq IS NULL OR events.seq < span.last_seq)
)
SELECT
    property, row_number() OVER (PARTITION BY property ORDER BY seq) AS nth, seq, round, place, seat, card, burned
FROM (SELECT * FROM dealt UNION ALL SELECT * FROM burned)
ORDER BY property, seq
