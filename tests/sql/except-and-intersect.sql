SELECT table_id
FROM rounds EXCEPT SELECT table_id FROM findings WHERE code = 'no.such.code'
