-- tournaments
-- for: auditors
-- about: Of A1, tournaments by the gaming day on which they closed: what was collected for the prizes (buy-ins, re-buys,
--   add-ons), what went out as prizes, and what was withheld for the dealers by notice; nothing may be left over. Entry
--   fees are revenue of the house. Tournament chips are counted before and after.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
WITH copies AS (
    SELECT
        gaming_day, property, seq, at, type, body->>'tournament' AS tournament, body->>'game' AS game,
        json_get_int(body, 'entries') AS entries, json_get_int(body, 'buy_ins') AS buy_ins,
        json_get_int(body, 'rebuys') AS rebuys, json_get_int(body, 'add_ons') AS add_ons,
        json_get_int(body, 'prizes') AS prizes, json_get_int(body, 'tips') AS tips,
        json_get_int(body, 'fees') AS fees, json_get_int(body, 'chips') AS chips,
        row_number() OVER (PARTITION BY property, table_id, seq ORDER BY log_offset) AS copy
    FROM events
    WHERE
        type IN ('tournament_filed', 'tournament_opened', 'tournament_closed')
        -- It is filed before it is played.
        AND gaming_day BETWEEN CAST($first AS DATE) - INTERVAL '62 days' AND $last
),
tournaments AS (
    SELECT
        property, tournament,
        max(CASE WHEN type = 'tournament_filed' THEN at END) AS filed_at,
        max(CASE WHEN type = 'tournament_opened' THEN gaming_day END) AS opened_day,
        max(CASE WHEN type = 'tournament_opened' THEN at END) AS opened_at,
        max(CASE WHEN type = 'tournament_closed' THEN gaming_day END) AS closed_day,
        max(game) AS game,
        max(CASE WHEN type <> 'tournament_filed' THEN entries END) AS entries,
        max(CASE WHEN type = 'tournament_closed' THEN buy_ins END) AS closed_buy_ins,
        max(CASE WHEN type = 'tournament_opened' THEN buy_ins END) AS opened_buy_ins,
        sum(CASE WHEN type = 'tournament_closed' THEN rebuys END) AS rebuys,
        sum(CASE WHEN type = 'tournament_closed' THEN add_ons END) AS add_ons,
        sum(CASE WHEN type = 'tournament_closed' THEN prizes END) AS prizes,
        sum(CASE WHEN type = 'tournament_closed' THEN tips END) AS tips,
        sum(CASE WHEN type = 'tournament_closed' THEN fees END) AS fees,
        max(CASE WHEN type = 'tournament_opened' THEN chips END) AS chips_before,
        max(CASE WHEN type = 'tournament_closed' THEN chips END) AS chips_after
    FROM copies
    WHERE copy = 1
    GROUP BY property, tournament
),
sums AS (
    SELECT
        *, coalesce(closed_buy_ins, opened_buy_ins, 0) AS buy_ins,
        coalesce(closed_buy_ins, opened_buy_ins, 0) + coalesce(rebuys, 0) + coalesce(add_ons, 0) AS collected
    FROM tournaments
)
SELECT
    coalesce(closed_day, opened_day) AS gaming_day, property, tournament, game, entries,
    buy_ins AS buy_ins_cents, coalesce(rebuys, 0) AS rebuys_cents, coalesce(add_ons, 0) AS add_ons_cents,
    collected AS collected_cents, prizes AS prizes_cents, coalesce(tips, 0) AS tips_cents,
    collected - prizes - coalesce(tips, 0) AS left_over_cents, coalesce(fees, 0) AS fees_cents,
    chips_before, chips_after,
    nullif(concat_ws('; ',
        CASE WHEN filed_at IS NULL THEN 'not filed' END,
        CASE WHEN closed_day IS NULL THEN 'not closed yet' END,
        CASE WHEN collected - prizes - coalesce(tips, 0) > 0 THEN 'not all that was collected was paid out' END,
        CASE WHEN collected - prizes - coalesce(tips, 0) < 0 THEN 'more was paid out than was collected' END,
        CASE WHEN chips_after <> chips_before THEN 'chips are missing or too many' END
    ), '') AS exception
FROM sums
WHERE coalesce(closed_day, opened_day) BETWEEN $first AND $last
ORDER BY gaming_day, property, tournament
