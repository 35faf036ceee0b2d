-- set-rounds
-- for: investigators
-- about: Rounds that were dealt from a set of cards, or thrown with a set of dice, in order.
-- param set text: The set.
-- param table text = none: Only at this table; sets of two tables may have one name.
SELECT
    property, table_id, round, game, dealer, shoe, "set", dice_set, opened_at, closed_at, complete, voided,
    staked_cents, difference_cents
FROM rounds
WHERE ("set" = $set OR dice_set = $set) AND ($table IS NULL OR table_id = $table)
ORDER BY property, table_id, closed_at, log_offset
