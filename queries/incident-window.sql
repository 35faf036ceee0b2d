-- incident-window
-- for: investigators, surveillance
-- about: Everything that was told at some tables around a moment, in order of time.
-- param moment moment: The moment.
-- param tables text: The tables, with commas between: BJ-01,BJ-02.
-- param minutes int = 5: So many minutes before it and after.
SELECT DISTINCT property, table_id, seq, at, type, round, seat, player, kind, amount_cents, source_kind, source_id, body
FROM events
WHERE
    at >= $moment - CAST(CAST($minutes AS VARCHAR) || ' minutes' AS INTERVAL)
    AND at <= $moment + CAST(CAST($minutes AS VARCHAR) || ' minutes' AS INTERVAL)
    AND array_has(string_to_array(replace($tables, ' ', ''), ','), table_id)
ORDER BY at, property, table_id, seq
