// Which papers compare with the same things: each pair once, how many they share, and what.
//
// @columns first, first_title, second, second_title, shared, baseline

MATCH (p:Paper)-[:COMPARES_TO]->(shared:Entity)<-[:COMPARES_TO]-(q:Paper)
WHERE p.uri < q.uri
WITH p, q, collect(shared) AS baselines, count(shared) AS number
UNWIND baselines AS m
RETURN p.id AS first, p.title AS first_title, q.id AS second, q.title AS second_title, number AS shared, m.name AS baseline
ORDER BY shared DESC, first_title, p.uri, second_title, q.uri, baseline, m.uri
