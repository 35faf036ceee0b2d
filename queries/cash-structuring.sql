-- cash-structuring
-- for: investigators
-- about: Cash of each named patron in a gaming day: over the limit, or several times just below it. Cash of patrons whom nobody named is in no row.
-- param day day: The gaming day.
-- param limit_cents int = 1000000: Reported above this.
-- param near_percent int = 80: What counts as just below, in percent of it.
WITH told AS (
    SELECT DISTINCT property, table_id, seq, player, kind, amount_cents
    FROM money
    WHERE gaming_day = $day AND player IS NOT NULL AND kind IN ('buy_in', 'cash_out') AND form = 'cash'
),
sums AS (
    SELECT
        property, player,
        sum(CASE WHEN kind = 'buy_in' THEN amount_cents ELSE 0 END) AS cash_in_cents,
        sum(CASE WHEN kind = 'cash_out' THEN amount_cents ELSE 0 END) AS cash_out_cents,
        sum(CASE WHEN amount_cents <= $limit_cents AND amount_cents * 100 >= $limit_cents * $near_percent
            THEN 1 ELSE 0 END) AS just_below,
        count(*) AS times
    FROM told
    GROUP BY property, player
)
SELECT
    property, player, cash_in_cents, cash_out_cents, times, just_below,
    cash_in_cents > $limit_cents OR cash_out_cents > $limit_cents AS over_limit
FROM sums
WHERE cash_in_cents > $limit_cents OR cash_out_cents > $limit_cents OR just_below >= 2
ORDER BY greatest(cash_in_cents, cash_out_cents) DESC, property, player
