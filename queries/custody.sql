-- custody
-- for: investigators
-- about: What was done with a set of cards, dice or tiles, a wheel or a device, and by whom, from delivery to destruction.
--   gap names a step that must have come before and was not told, and a container or label that is another than before.
-- param item text: The set, the wheel or the device.
-- param table text = none: Only at this table; sets of two tables may have one name.
WITH told AS (
    SELECT DISTINCT
        property, table_id, seq, at, kind, item, deed, person, role, witness, seal, container, label, shoe, reason,
        passed
    FROM custody
    WHERE item = $item AND ($table IS NULL OR table_id = $table)
),
steps AS (
    SELECT
        *,
        sum(CASE WHEN deed IN ('delivered', 'introduced', 'opened', 'inspected') THEN 1 ELSE 0 END)
            OVER (PARTITION BY property, table_id, kind ORDER BY seq) AS came,
        sum(CASE WHEN deed = 'removed' THEN 1 ELSE 0 END)
            OVER (PARTITION BY property, table_id, kind ORDER BY seq) AS left_table,
        sum(CASE WHEN deed = 'collected' THEN 1 ELSE 0 END)
            OVER (PARTITION BY property, table_id, kind ORDER BY seq) AS collected,
        lag(container) OVER (PARTITION BY property, table_id, kind ORDER BY seq) AS last_container,
        lag(label) OVER (PARTITION BY property, table_id, kind ORDER BY seq) AS last_label
    FROM told
)
SELECT
    property, table_id, seq, at, kind, deed, person, role, witness, seal, container, label, shoe, reason, passed,
    CASE
        WHEN kind IN ('wheel', 'device') THEN NULL
        WHEN deed = 'started' AND came = 0 THEN 'never brought'
        WHEN deed = 'collected' AND left_table = 0 THEN 'never removed'
        WHEN deed = 'destroyed' AND collected = 0 THEN 'never collected'
        WHEN deed IN ('collected', 'destroyed') AND container <> last_container THEN 'another container than before'
        WHEN deed IN ('collected', 'destroyed') AND label <> last_label THEN 'another label than before'
    END AS gap
FROM steps
ORDER BY property, table_id, seq
