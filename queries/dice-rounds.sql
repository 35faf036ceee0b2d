-- dice-rounds
-- for: investigators
-- about: Rolls with a die, and what was done with the sets that it is in.
-- param serial text: The serial number of the die.
WITH rolls AS (
    SELECT DISTINCT
        property, table_id, seq, at, round, 'rolled' AS deed, CAST(NULL AS VARCHAR) AS dice_set, result,
        CAST(NULL AS VARCHAR) AS person, valid AS passed
    FROM outcomes
    WHERE kind = 'roll' AND array_has(serials, $serial)
),
sets AS (
    SELECT DISTINCT property, table_id, item
    FROM custody
    WHERE kind = 'dice' AND array_has(serials, $serial)
),
deeds AS (
    SELECT DISTINCT
        custody.property, custody.table_id, custody.seq, custody.at, custody.round, custody.deed,
        custody.item AS dice_set, CAST(NULL AS VARCHAR) AS result, custody.person, custody.passed
    FROM custody
    JOIN sets
        ON sets.property = custody.property AND sets.table_id = custody.table_id AND sets.item = custody.item
    WHERE custody.kind = 'dice'
)
SELECT property, table_id, seq, at, deed, round, dice_set, result, person, passed
FROM (SELECT * FROM rolls UNION ALL SELECT * FROM deeds)
ORDER BY property, table_id, seq
