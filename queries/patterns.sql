-- patterns
-- for: surveillance
-- about: What comes again: rounds with a finding of warn or above by dealer and code, table and code, dealer and
--   patron, set and code, and hour of the day in UTC, over 1, 7, 30 or 90 days. low and high are the exact bounds
--   between which the rate lies in 95 of 100 cases; what is alone in one round is not shown.
-- param last day = 9999-12-31: The last gaming day; the last that the archive has if it has none so late.
-- param days int = 30: So many gaming days up to it.
-- param least int = 2: Show what came in so many rounds at least.
WITH until AS (
    SELECT max(gaming_day) AS gaming_day FROM rounds WHERE gaming_day <= $last
),
dealt AS (
    SELECT rounds.property, rounds.table_id, rounds.round, rounds.dealer, rounds."set", rounds.opened_at
    FROM rounds
    JOIN until ON TRUE
    WHERE
        rounds.gaming_day <= until.gaming_day
        AND CAST(rounds.gaming_day AS int) > CAST(until.gaming_day AS int) - $days
),
found AS (
    SELECT DISTINCT property, table_id, round, code, player
    FROM findings
    WHERE severity IN ('warn', 'critical') AND round IS NOT NULL
),
wrong AS (
    SELECT
        dealt.property, dealt.table_id, dealt.round, dealt.dealer, dealt."set", dealt.opened_at, found.code,
        found.player
    FROM dealt
    JOIN found
        ON found.property = dealt.property AND found.table_id = dealt.table_id AND found.round = dealt.round
),
played AS (
    SELECT DISTINCT dealt.property, dealt.dealer, wagers.player, dealt.table_id, dealt.round
    FROM dealt
    JOIN wagers
        ON wagers.property = dealt.property AND wagers.table_id = dealt.table_id AND wagers.round = dealt.round
    WHERE wagers.player IS NOT NULL AND dealt.dealer IS NOT NULL
),
counted AS (
    SELECT
        'dealer' AS by_what, property, dealer AS who, code AS what,
        count(DISTINCT concat(table_id, ' ', round)) AS found
    FROM wrong WHERE dealer IS NOT NULL GROUP BY property, dealer, code
    UNION ALL
    SELECT 'table', property, table_id, code, count(DISTINCT round) FROM wrong GROUP BY property, table_id, code
    UNION ALL
    SELECT 'set', property, wrong."set", code, count(DISTINCT concat(table_id, ' ', round))
    FROM wrong WHERE wrong."set" IS NOT NULL GROUP BY property, wrong."set", code
    UNION ALL
    SELECT 'patron', property, dealer, player, count(DISTINCT concat(table_id, ' ', round))
    FROM wrong WHERE dealer IS NOT NULL AND player IS NOT NULL GROUP BY property, dealer, player
    UNION ALL
    SELECT
        'hour', property, lpad(CAST(date_part('hour', opened_at) AS text), 2, '0'), code,
        count(DISTINCT concat(table_id, ' ', round))
    FROM wrong GROUP BY property, lpad(CAST(date_part('hour', opened_at) AS text), 2, '0'), code
),
bases AS (
    SELECT 'dealer' AS by_what, property, dealer AS who, NULL AS what, count(*) AS rounds
    FROM dealt GROUP BY property, dealer
    UNION ALL
    SELECT 'table', property, table_id, NULL, count(*) FROM dealt GROUP BY property, table_id
    UNION ALL
    SELECT 'set', property, dealt."set", NULL, count(*) FROM dealt GROUP BY property, dealt."set"
    UNION ALL
    SELECT 'patron', property, dealer, player, count(*) FROM played GROUP BY property, dealer, player
    UNION ALL
    SELECT 'hour', property, lpad(CAST(date_part('hour', opened_at) AS text), 2, '0'), NULL, count(*)
    FROM dealt GROUP BY property, lpad(CAST(date_part('hour', opened_at) AS text), 2, '0')
)
SELECT
    counted.property, counted.by_what, counted.who, counted.what, counted.found, bases.rounds,
    round(1000.0 * counted.found / bases.rounds, 2) AS per_1000_rounds,
    round(1000.0 * rate_low(counted.found, bases.rounds), 2) AS low,
    round(1000.0 * rate_high(counted.found, bases.rounds), 2) AS high
FROM counted
LEFT JOIN bases
    ON bases.by_what = counted.by_what AND bases.property = counted.property AND bases.who = counted.who
    AND (bases.what = counted.what OR bases.what IS NULL)
WHERE counted.found >= $least
ORDER BY
    coalesce(rate_low(counted.found, bases.rounds), 0) DESC, counted.found DESC, counted.by_what, counted.who,
    counted.what, counted.property
