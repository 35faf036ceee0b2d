SELECT DISTINCT game, edition
FROM rounds
