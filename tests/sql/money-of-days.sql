SELECT gaming_day, table_id, sum(amount_cents) AS amount
FROM money GROUP BY gaming_day, table_id
