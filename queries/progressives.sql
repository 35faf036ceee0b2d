-- progressives
-- for: auditors
-- about: A7, progressive meters from the first to the last reading of the days, table by table: the meter moves by
--   its rate of what was staked on it, less the awards that come off it, and by what was set by hand. Where no
--   rate is told, fed_pct is what the readings make of it. Tables of a link feed each other's meters: the
--   difference of one is then what the others fed and won, and the sum over the link says whether it closes.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
-- param table text = none: The table, such as BJ-05; all if left out.
-- uses: boxes
WITH read AS (
    SELECT
        property, table_id, meter,
        min(seq) AS first_seq, max(seq) AS last_seq, min(at) AS first_at, max(at) AS last_at, count(*) AS readings
    FROM told
    WHERE kind = 'meter' AND gaming_day BETWEEN $first AND $last AND lower(meter) NOT LIKE '%bad%beat%'
    GROUP BY property, table_id, meter
),
moved AS (
    SELECT
        read.property, read.table_id, read.meter, read.readings, read.first_at, read.last_at,
        max(CASE WHEN told.kind = 'meter' AND told.seq = read.first_seq THEN told.amount_cents END) AS open_cents,
        max(CASE WHEN told.kind = 'meter' AND told.seq = read.last_seq THEN told.amount_cents END) AS close_cents,
        max(CASE WHEN told.kind = 'meter' THEN CAST(replace(told.rate, '%', '') AS DOUBLE) END) AS rate_pct,
        sum(CASE WHEN told.kind = 'jackpot_paid' AND told.seq > read.first_seq AND told.seq < read.last_seq
            THEN told.amount_cents ELSE 0 END) AS awards_cents,
        sum(CASE WHEN told.kind = 'meter_adjusted' AND told.seq > read.first_seq AND told.seq < read.last_seq
            THEN told.amount_cents - coalesce(told.before_cents, told.amount_cents) ELSE 0 END) AS adjusted_cents,
        count(*) FILTER (WHERE told.kind = 'meter_adjusted' AND (told.person IS NULL OR told.witness IS NULL))
            AS unsigned_adjustments
    FROM read
    JOIN told ON told.property = read.property AND told.table_id = read.table_id AND told.meter = read.meter
    GROUP BY read.property, read.table_id, read.meter, read.readings, read.first_at, read.last_at
),
fed AS (
    SELECT
        moved.property, moved.table_id, moved.meter, sum(wagers.amount_cents) AS staked_cents
    FROM moved
    JOIN wagers
        ON wagers.property = moved.property AND wagers.table_id = moved.table_id AND wagers.kind = moved.meter
        AND wagers.closed_at > moved.first_at AND wagers.closed_at <= moved.last_at
    WHERE wagers.gaming_day BETWEEN $first AND $last
    GROUP BY moved.property, moved.table_id, moved.meter
),
rolled AS (
    SELECT
        moved.*, coalesce(fed.staked_cents, 0) AS staked_cents,
        CAST(round(coalesce(fed.staked_cents, 0) * moved.rate_pct / 100.0) AS BIGINT) AS fed_cents
    FROM moved
    LEFT JOIN fed
        ON fed.property = moved.property AND fed.table_id = moved.table_id AND fed.meter = moved.meter
)
SELECT
    property, table_id, meter, readings, first_at, open_cents, staked_cents, rate_pct, fed_cents, awards_cents,
    adjusted_cents, open_cents + fed_cents - awards_cents + adjusted_cents AS expected_cents, last_at, close_cents,
    close_cents - (open_cents + fed_cents - awards_cents + adjusted_cents) AS difference_cents,
    CASE WHEN staked_cents > 0
        THEN 100.0 * (close_cents - open_cents + awards_cents - adjusted_cents) / staked_cents END AS fed_pct,
    nullif(concat_ws('; ',
        CASE WHEN close_cents <> open_cents + fed_cents - awards_cents + adjusted_cents
            THEN 'the meter moved otherwise than by its rate, its awards and its adjustments' END,
        CASE WHEN unsigned_adjustments > 0 THEN 'set by hand without two names' END
    ), '') AS exception
FROM rolled
ORDER BY property, meter, table_id
