-- rules-without-notice
-- for: investigators, auditors
-- about: Changes of rules or limits, the notice that announced each and how long before, and what was played until the next change. lead_minutes is empty where no notice was told: that is not proof that there was none.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param least_minutes int = 30: Show changes with no notice, or one that came less than so long before.
WITH changes AS (
    SELECT DISTINCT property, table_id, seq, at, deed, notice
    FROM notices
    WHERE deed IN ('rules_changed', 'limits_changed') AND gaming_day BETWEEN $first AND $last
),
posted AS (
    SELECT property, table_id, notice, min(at) AS at
    FROM notices
    WHERE deed = 'posted' AND notice IS NOT NULL
    GROUP BY property, table_id, notice
),
announced AS (
    SELECT
        changes.*, posted.at AS posted_at,
        (to_unixtime(changes.at) - to_unixtime(posted.at)) / 60 AS lead_minutes,
        lead(changes.at) OVER (PARTITION BY changes.property, changes.table_id ORDER BY changes.seq) AS until
    FROM changes
    LEFT JOIN posted
        ON posted.property = changes.property AND posted.table_id = changes.table_id
        AND posted.notice = changes.notice
)
SELECT
    announced.property, announced.table_id, announced.at, announced.deed, announced.notice, announced.lead_minutes,
    count(rounds.round) AS rounds, coalesce(sum(rounds.staked_cents), 0) AS staked_cents
FROM announced
LEFT JOIN rounds
    ON rounds.property = announced.property AND rounds.table_id = announced.table_id
    AND rounds.opened_at >= announced.at AND (announced.until IS NULL OR rounds.opened_at < announced.until)
WHERE announced.lead_minutes IS NULL OR announced.lead_minutes < $least_minutes
GROUP BY
    announced.property, announced.table_id, announced.seq, announced.at, announced.deed, announced.notice,
    announced.lead_minutes
ORDER BY announced.property, announced.table_id, announced.at
