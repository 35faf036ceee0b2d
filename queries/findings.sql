-- findings
-- for: surveillance, investigators
-- about: Findings of a code, a table, or both, between two moments, the latest first.
-- param code text = none: The code, such as pay.over; all if left out.
-- param table text = none: The table, such as MB-05; all if left out.
-- param since moment = 1970-01-01T00:00:00Z: The first moment.
-- param until moment = 9999-12-30T00:00:00Z: The first moment that is too late.
SELECT
    at, property, table_id, code, severity, round, wager, seat, dealer,
    due_cents, paid_cents, exposure_cents, message, id
FROM findings
WHERE
    ($code IS NULL OR code = $code)
    AND ($table IS NULL OR table_id = $table)
    AND at >= $since AND at < $until
ORDER BY at DESC, id
