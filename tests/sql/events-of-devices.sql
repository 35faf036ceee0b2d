SELECT source_kind, count(DISTINCT source_id) AS sources
FROM events GROUP BY source_kind
