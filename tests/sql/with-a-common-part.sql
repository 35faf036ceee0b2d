WITH played AS (SELECT table_id, count(*) AS rounds
FROM rounds GROUP BY table_id), found AS (SELECT table_id, count(*) AS findings FROM findings GROUP BY table_id) SELECT played.table_id, rounds, coalesce(findings, 0) AS findings FROM played LEFT JOIN found USING (table_id)
