// What a method, or a version of it, builds on, and what that builds on in turn: each step with the paper
// that proposes the one and builds on the other.
//
// @columns method, builds_on, id, title, confidence, sentence
// @param name: the name of a method or another thing, or an alias of it, in any case. Example: FlashAttention-3

// Cypher follows ten steps, SPARQL as many as there are. The steps are written out because a path of any length
// would try every way through the graph, of which there may be millions.
MATCH (x:Entity)
WHERE toLower(x.name) = toLower($name) OR any(alias IN x.aliases WHERE toLower(alias) = toLower($name))
MATCH (x)<-[:VERSION_OF*0..]-(m:Entity)
WITH collect(DISTINCT m) AS known
UNWIND known AS m
OPTIONAL MATCH (m)<-[:PROPOSES]-(:Paper)-[:BUILDS_ON]->(older:Entity)
WITH known, collect(DISTINCT older) AS more
WITH known + [older IN more WHERE NOT older IN known] AS known
UNWIND known AS m
OPTIONAL MATCH (m)<-[:PROPOSES]-(:Paper)-[:BUILDS_ON]->(older:Entity)
WITH known, collect(DISTINCT older) AS more
WITH known + [older IN more WHERE NOT older IN known] AS known
UNWIND known AS m
OPTIONAL MATCH (m)<-[:PROPOSES]-(:Paper)-[:BUILDS_ON]->(older:Entity)
WITH known, collect(DISTINCT older) AS more
WITH known + [older IN more WHERE NOT older IN known] AS known
UNWIND known AS m
OPTIONAL MATCH (m)<-[:PROPOSES]-(:Paper)-[:BUILDS_ON]->(older:Entity)
WITH known, collect(DISTINCT older) AS more
WITH known + [older IN more WHERE NOT older IN known] AS known
UNWIND known AS m
OPTIONAL MATCH (m)<-[:PROPOSES]-(:Paper)-[:BUILDS_ON]->(older:Entity)
WITH known, collect(DISTINCT older) AS more
WITH known + [older IN more WHERE NOT older IN known] AS known
UNWIND known AS m
OPTIONAL MATCH (m)<-[:PROPOSES]-(:Paper)-[:BUILDS_ON]->(older:Entity)
WITH known, collect(DISTINCT older) AS more
WITH known + [older IN more WHERE NOT older IN known] AS known
UNWIND known AS m
OPTIONAL MATCH (m)<-[:PROPOSES]-(:Paper)-[:BUILDS_ON]->(older:Entity)
WITH known, collect(DISTINCT older) AS more
WITH known + [older IN more WHERE NOT older IN known] AS known
UNWIND known AS m
OPTIONAL MATCH (m)<-[:PROPOSES]-(:Paper)-[:BUILDS_ON]->(older:Entity)
WITH known, collect(DISTINCT older) AS more
WITH known + [older IN more WHERE NOT older IN known] AS known
UNWIND known AS m
OPTIONAL MATCH (m)<-[:PROPOSES]-(:Paper)-[:BUILDS_ON]->(older:Entity)
WITH known, collect(DISTINCT older) AS more
WITH known + [older IN more WHERE NOT older IN known] AS known
UNWIND known AS m
MATCH (m)<-[:PROPOSES]-(p:Paper)-[r:BUILDS_ON]->(older:Entity)
RETURN m.name AS method, older.name AS builds_on, p.id AS id, p.title AS title, r.confidence AS confidence, r.evidence[0] AS sentence
ORDER BY method, builds_on, title, p.uri, m.uri, older.uri
