-- wagers_theo
-- The wagers with the house edge of each under the rules of its table, and the theoretical win by it, in cents. A
-- wager of which no edge is known has none; one that was not decided has no theoretical win.
SELECT
    wagers.*,
    rounds.edition, rounds.options,
    edges.house_edge, edges.variance, edges.basis,
    CASE
        WHEN wagers.result NOT IN ('win', 'lose', 'push') OR wagers.seat = 0 THEN NULL
        WHEN wagers.form = 'coupon' THEN -edges.won * wagers.amount_cents
        ELSE edges.house_edge * wagers.amount_cents
    END AS theo_cents
FROM wagers
JOIN rounds
    ON wagers.property = rounds.property AND wagers.table_id = rounds.table_id
    AND wagers.round = rounds.round AND wagers.gaming_day = rounds.gaming_day
LEFT JOIN edges
    ON edges.game = rounds.game AND edges.edition = rounds.edition AND edges.options = rounds.options
    AND edges.kind = wagers.kind AND (edges.choice IS NULL OR edges.choice = wagers.detail->>'number')
