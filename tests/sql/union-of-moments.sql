SELECT 'round' AS what, closed_at AS moment
FROM rounds UNION ALL SELECT 'finding', "at" FROM findings
