-- card-window
-- for: investigators
-- about: Who had a set of cards in hand before each finding in a round that was dealt from it.
-- param set text: The set.
-- param minutes int = 60: So many minutes before the finding.
WITH found AS (
    SELECT findings.property, findings.table_id, findings.at, findings.code, findings.id, findings.round
    FROM findings
    JOIN rounds
        ON rounds.property = findings.property AND rounds.table_id = findings.table_id
        AND rounds.round = findings.round
    WHERE rounds."set" = $set
)
SELECT DISTINCT
    found.property, found.table_id, found.code, found.round, found.at AS found_at,
    custody.at, custody.deed, custody.person, custody.role, custody.witness
FROM found
JOIN custody
    ON custody.property = found.property AND custody.table_id = found.table_id
    AND custody.at <= found.at AND custody.at >= found.at - CAST(CAST($minutes AS VARCHAR) || ' minutes' AS INTERVAL)
WHERE custody.kind = 'cards' AND custody.item = $set
ORDER BY found.property, found.table_id, found.at, found.code, custody.at, custody.deed
