-- mispays-by-dealer
-- for: surveillance, investigators
-- about: How often each dealer paid, collected or charged wrongly, beside the wagers that the dealer settled.
-- param first day = 1970-01-01: The first gaming day.
-- param last day = 9999-12-31: The last gaming day.
WITH settled AS (
    SELECT property, dealer, count(*) AS wagers
    FROM wagers
    WHERE gaming_day BETWEEN $first AND $last AND result IS NOT NULL
    GROUP BY property, dealer
),
mispaid AS (
    SELECT
        property, dealer, count(*) AS mispays,
        sum(CASE WHEN exposure_cents > 0 THEN exposure_cents ELSE 0 END) AS house_lost_cents,
        sum(CASE WHEN exposure_cents < 0 THEN -exposure_cents ELSE 0 END) AS players_lost_cents
    FROM findings
    WHERE
        gaming_day BETWEEN $first AND $last
        AND (code LIKE 'pay.%' OR code LIKE 'commission.%')
    GROUP BY property, dealer
)
SELECT
    mispaid.property, mispaid.dealer, coalesce(settled.wagers, 0) AS wagers, mispaid.mispays,
    CASE
        WHEN settled.wagers > 0 THEN round(1000.0 * mispaid.mispays / settled.wagers, 2)
    END AS mispays_per_1000_wagers,
    mispaid.house_lost_cents, mispaid.players_lost_cents
FROM mispaid
LEFT JOIN settled
    ON settled.property = mispaid.property
    AND settled.dealer IS NOT DISTINCT FROM mispaid.dealer
ORDER BY mispaid.mispays DESC, mispaid.property, mispaid.dealer
