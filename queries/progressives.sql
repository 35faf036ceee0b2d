-- progressives
-- for: auditors
-- about: A7, progressive meters from the first to the last reading of the days. Tables of a link feed one meter, and
--   have one row: the meter moves by its rate of what was staked on it at all of them, less the awards that come off
--   it, and by what was set by hand, the amount among it with which it begins anew. Void wagers feed nothing. Where the
--   last reading does not agree, wrong_since is the first reading from which on none did, and wrong_at its table. Where
--   no rate is told, fed_pct is what the readings make of it. liability is what is owed to players: the meter, what it
--   begins anew with where that is posted, and awards in safekeeping.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as BJ-05; all if left out. Of a link it needs all its tables.
-- uses: boxes
WITH places AS (
    SELECT property, table_id, meter, max(fund) AS link
    FROM told
    WHERE kind = 'meter' AND gaming_day BETWEEN $first AND $last AND lower(meter) NOT LIKE '%bad%beat%'
    GROUP BY property, table_id, meter
),
named AS (
    SELECT property, table_id, meter, link IS NOT NULL AS is_linked, coalesce(link, table_id || ' ' || meter) AS link
    FROM places
),
readings AS (
    SELECT
        told.property, named.link, told.meter, told.table_id, told.game, told.seq, told.at, told.amount_cents,
        CAST(replace(told.rate, '%', '') AS DOUBLE) AS rate_pct,
        row_number() OVER (PARTITION BY told.property, named.link ORDER BY told.at, told.table_id, told.seq) AS nth,
        row_number() OVER (PARTITION BY told.property, named.link
            ORDER BY told.at DESC, told.table_id DESC, told.seq DESC) AS nth_from_end
    FROM told
    JOIN named
        ON named.property = told.property AND named.table_id = told.table_id AND named.meter = told.meter
    WHERE
        told.kind = 'meter' AND told.gaming_day BETWEEN $first AND $last
        -- What a table of a link shows in a round, before it ends, is no reading of the link.
        AND (NOT named.is_linked OR told.fund IS NOT NULL)
),
links AS (
    SELECT
        property, link, max(meter) AS meter, max(game) AS game, count(*) AS readings,
        count(DISTINCT table_id) AS tables, max(rate_pct) AS rate_pct, min(rate_pct) AS least_rate_pct,
        min(at) AS first_at, max(at) AS last_at,
        max(CASE WHEN nth = 1 THEN amount_cents END) AS open_cents,
        max(CASE WHEN nth_from_end = 1 THEN amount_cents END) AS close_cents
    FROM readings
    GROUP BY property, link
),
moved AS (
    SELECT
        named.property, named.link, wagers.closed_at AS at, wagers.amount_cents AS staked_cents, 0 AS awards_cents,
        0 AS adjusted_cents, 0 AS kept_cents, 0 AS unsigned
    FROM named
    JOIN wagers
        ON wagers.property = named.property AND wagers.table_id = named.table_id
        AND starts_with(wagers.kind, named.meter)
    LEFT JOIN rounds
        ON rounds.property = wagers.property AND rounds.table_id = wagers.table_id
        AND rounds.round = wagers.round AND rounds.gaming_day = wagers.gaming_day
    WHERE
        wagers.gaming_day BETWEEN $first AND $last AND coalesce(wagers.result, '') <> 'void'
        AND NOT coalesce(rounds.voided, FALSE)
    UNION ALL
    SELECT
        named.property, named.link, told.at, 0,
        CASE WHEN told.kind = 'jackpot_paid' THEN told.amount_cents ELSE 0 END,
        CASE WHEN told.kind = 'meter_adjusted'
            THEN told.amount_cents - coalesce(told.before_cents, told.amount_cents) ELSE 0 END,
        CASE WHEN told.kind = 'jackpot_paid' AND told.paid_from = 'safekeeping' THEN told.amount_cents ELSE 0 END,
        CASE WHEN told.kind = 'meter_adjusted' AND (told.person IS NULL OR told.witness IS NULL) THEN 1 ELSE 0 END
    FROM named
    JOIN told
        ON told.property = named.property AND told.table_id = named.table_id AND told.meter = named.meter
    WHERE told.kind IN ('jackpot_paid', 'meter_adjusted')
),
-- What moved the meter up to each reading; what happens in the moment of a reading is in it.
told_or_moved AS (
    SELECT property, link, at, 0 AS is_reading, staked_cents, awards_cents, adjusted_cents, kept_cents, unsigned,
        CAST(NULL AS BIGINT) AS shown_cents, CAST(NULL AS VARCHAR) AS table_id
    FROM moved
    UNION ALL
    SELECT property, link, at, 1, 0, 0, 0, 0, 0, amount_cents, table_id FROM readings
),
summed AS (
    SELECT
        lines.property, lines.link, lines.at, lines.is_reading, lines.shown_cents, lines.table_id,
        links.open_cents, links.rate_pct, links.last_at,
        sum(lines.staked_cents) OVER so_far AS staked_cents,
        sum(lines.awards_cents) OVER so_far AS awards_cents,
        sum(lines.adjusted_cents) OVER so_far AS adjusted_cents,
        sum(lines.kept_cents) OVER so_far AS kept_cents,
        sum(lines.unsigned) OVER so_far AS unsigned
    FROM told_or_moved AS lines
    JOIN links ON links.property = lines.property AND links.link = lines.link
    WHERE lines.at > links.first_at AND lines.at <= links.last_at OR lines.is_reading = 1
    WINDOW so_far AS (
        PARTITION BY lines.property, lines.link ORDER BY lines.at, lines.is_reading ROWS UNBOUNDED PRECEDING
    )
),
held AS (
    SELECT
        *,
        shown_cents - (open_cents + CAST(round(staked_cents * rate_pct / 100.0) AS BIGINT) - awards_cents
            + adjusted_cents) AS difference_cents
    FROM summed
    WHERE is_reading = 1
),
agreed AS (
    SELECT property, link, max(CASE WHEN difference_cents = 0 THEN at END) AS agreed_at
    FROM held
    GROUP BY property, link
),
wrong AS (
    SELECT
        held.property, held.link, min(held.at) AS wrong_since, first_value(held.table_id ORDER BY held.at) AS wrong_at
    FROM held
    JOIN agreed ON agreed.property = held.property AND agreed.link = held.link
    WHERE held.difference_cents <> 0 AND (agreed.agreed_at IS NULL OR held.at > agreed.agreed_at)
    GROUP BY held.property, held.link
),
ended AS (
    SELECT
        property, link, max(staked_cents) AS staked_cents, max(kept_cents) AS kept_cents, max(unsigned) AS unsigned,
        max(awards_cents) AS awards_cents,
        last_value(adjusted_cents ORDER BY at) AS adjusted_cents
    FROM held
    GROUP BY property, link
),
-- What a meter begins anew with, where its tables post it.
posted AS (
    SELECT named.property, named.link, max(json_get_int(rounds.options, named.meter || '_reset')) AS reset_cents
    FROM named
    JOIN rounds ON rounds.property = named.property AND rounds.table_id = named.table_id
    WHERE rounds.gaming_day BETWEEN $first AND $last
    GROUP BY named.property, named.link
),
rolled AS (
    SELECT
        links.*, ended.staked_cents, ended.awards_cents, ended.adjusted_cents, ended.kept_cents, ended.unsigned,
        posted.reset_cents, wrong.wrong_since, wrong.wrong_at,
        CAST(round(ended.staked_cents * links.rate_pct / 100.0) AS BIGINT) AS fed_cents
    FROM links
    JOIN ended ON ended.property = links.property AND ended.link = links.link
    LEFT JOIN posted ON posted.property = links.property AND posted.link = links.link
    LEFT JOIN wrong ON wrong.property = links.property AND wrong.link = links.link
)
SELECT
    property, link, meter, tables, readings, first_at, open_cents, staked_cents, rate_pct, fed_cents, awards_cents,
    adjusted_cents, open_cents + fed_cents - awards_cents + adjusted_cents AS expected_cents, last_at, close_cents,
    close_cents - (open_cents + fed_cents - awards_cents + adjusted_cents) AS difference_cents,
    CASE WHEN staked_cents > 0
        THEN 100.0 * (close_cents - open_cents + awards_cents - adjusted_cents) / staked_cents END AS fed_pct,
    wrong_since, wrong_at, reset_cents, kept_cents AS safekeeping_cents,
    close_cents + coalesce(reset_cents, 0) + kept_cents AS liability_cents,
    nullif(concat_ws('; ',
        CASE WHEN close_cents <> open_cents + fed_cents - awards_cents + adjusted_cents
            THEN 'the meter moved otherwise than by its rate, its awards and its adjustments' END,
        CASE WHEN least_rate_pct <> rate_pct THEN 'its tables tell several rates' END,
        CASE WHEN game = 'blackjack' AND least_rate_pct < 70.0 THEN 'fed less than 70 %' END,
        CASE WHEN game = 'pai_gow_poker' AND least_rate_pct < 21.0 THEN 'fed less than 21 %' END,
        CASE WHEN game = 'blackjack' AND reset_cents < 500000 THEN 'begins anew below $5,000' END,
        CASE WHEN game = 'pai_gow_poker' AND reset_cents < 1000000 THEN 'begins anew below $10,000' END,
        CASE WHEN unsigned > 0 THEN 'set by hand without two names' END
    ), '') AS exception
FROM rolled
ORDER BY property, link
