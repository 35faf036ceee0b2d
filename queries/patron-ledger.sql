-- patron-ledger
-- for: investigators, auditors
-- about: A patron's gaming day at each table: what was bought, won, lost and taken away. Wagers of rounds that were not judged count as open.
-- param player text: The patron, such as p-8841.
-- param day day: The gaming day.
WITH told AS (
    SELECT DISTINCT property, table_id, seq, kind, amount_cents
    FROM money
    WHERE player = $player AND gaming_day = $day
),
chips AS (
    SELECT
        property, table_id,
        sum(CASE WHEN kind = 'buy_in' THEN amount_cents ELSE 0 END) AS bought_cents,
        sum(CASE WHEN kind = 'cash_out' THEN amount_cents ELSE 0 END) AS cashed_out_cents
    FROM told
    GROUP BY property, table_id
),
played AS (
    SELECT
        property, table_id, count(*) AS wagers,
        sum(amount_cents) AS staked_cents,
        sum(CASE WHEN given_cents > amount_cents THEN given_cents - amount_cents ELSE 0 END) AS won_cents,
        sum(CASE WHEN given_cents < amount_cents THEN amount_cents - given_cents ELSE 0 END) AS lost_cents,
        sum(CASE WHEN given_cents IS NULL THEN 1 ELSE 0 END) AS open_wagers
    FROM wagers
    WHERE player = $player AND gaming_day = $day
    GROUP BY property, table_id
)
SELECT
    coalesce(played.property, chips.property) AS property,
    coalesce(played.table_id, chips.table_id) AS table_id,
    coalesce(chips.bought_cents, 0) AS bought_cents,
    coalesce(played.wagers, 0) AS wagers,
    coalesce(played.staked_cents, 0) AS staked_cents,
    coalesce(played.won_cents, 0) AS won_cents,
    coalesce(played.lost_cents, 0) AS lost_cents,
    coalesce(played.open_wagers, 0) AS open_wagers,
    coalesce(chips.cashed_out_cents, 0) AS cashed_out_cents
FROM played
FULL JOIN chips ON played.property = chips.property AND played.table_id = chips.table_id
ORDER BY property, table_id
