SELECT game, count(*) AS n, sum(staked_cents) AS staked, sum(difference_cents) AS difference
FROM rounds GROUP BY game
