-- round
-- for: surveillance, investigators
-- about: One round: its cards in the order dealt, then its wagers with what was due and what was given.
-- param round text: The round, such as MB-05-000123.
SELECT
    part, nth, place, seat, what, result, amount_cents, returned_cents, given_cents, difference_cents
FROM (
    SELECT
        'card' AS part, nth, place, seat, card AS what, face AS result,
        CAST(NULL AS BIGINT) AS amount_cents, CAST(NULL AS BIGINT) AS returned_cents,
        CAST(NULL AS BIGINT) AS given_cents, CAST(NULL AS BIGINT) AS difference_cents
    FROM cards
    WHERE round = $round
    UNION ALL
    SELECT
        'wager' AS part, nth, wager AS place, seat, kind AS what, result,
        amount_cents, returned_cents, given_cents, difference_cents
    FROM wagers
    WHERE round = $round
)
ORDER BY part, nth
