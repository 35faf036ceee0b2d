-- round-proof
-- for: everybody
-- about: A round as it was kept: when and by whom it was dealt, the document that it was settled from, what was due and given, and the hash of the rules that judged. Its events are those of round in the table events.
-- param round text: The round.
-- param property text = none: The casino, where two have a round of that name.
WITH told AS (
    SELECT property, table_id, round, count(DISTINCT seq) AS events, min(seq) AS first_seq, max(seq) AS last_seq
    FROM events
    WHERE round = $round
    GROUP BY property, table_id, round
),
found AS (
    SELECT property, table_id, round, array_to_string(array_sort(array_agg(DISTINCT code)), ', ') AS findings
    FROM findings
    WHERE round = $round
    GROUP BY property, table_id, round
)
SELECT
    rounds.property, rounds.table_id, rounds.round, rounds.game, rounds.edition, rounds.dealer, rounds.opened_at,
    rounds.closed_at, rounds.complete, rounds.voided, rounds.staked_cents, rounds.returned_cents,
    rounds.given_cents, rounds.difference_cents, told.events, told.first_seq, told.last_seq, found.findings,
    rounds.rules, rounds.document
FROM rounds
LEFT JOIN told
    ON told.property = rounds.property AND told.table_id = rounds.table_id AND told.round = rounds.round
LEFT JOIN found
    ON found.property = rounds.property AND found.table_id = rounds.table_id AND found.round = rounds.round
WHERE rounds.round = $round AND ($property IS NULL OR rounds.property = $property)
ORDER BY rounds.property, rounds.table_id
