-- rounds
-- for: surveillance, investigators
-- about: Rounds of a table that ended between two moments, in order.
-- param table text: The table, such as MB-05.
-- param since moment = 1970-01-01T00:00:00Z: The first moment.
-- param until moment = 9999-12-30T00:00:00Z: The first moment that is too late.
SELECT
    round, game, dealer, opened_at, closed_at, complete, voided, wagers,
    staked_cents, returned_cents, given_cents, difference_cents
FROM rounds
WHERE table_id = $table AND closed_at >= $since AND closed_at < $until
ORDER BY closed_at, log_offset
