SELECT round
FROM rounds WHERE cardinality(violations) > 0
