// Who compares with a method, or with a version of it, and the words that say so.
//
// @columns id, title, year, baseline, confidence, sentence
// @param name: the name of a method or another thing, or an alias of it, in any case. Example: FlashAttention-2

MATCH (x:Entity)
WHERE toLower(x.name) = toLower($name) OR any(alias IN x.aliases WHERE toLower(alias) = toLower($name))
MATCH (x)<-[:VERSION_OF*0..]-(m:Entity)
WITH DISTINCT m
MATCH (p:Paper)-[r:COMPARES_TO]->(m)
RETURN p.id AS id, p.title AS title, p.year AS year, m.name AS baseline, r.confidence AS confidence, r.evidence[0] AS sentence
ORDER BY title, p.uri, baseline, m.uri
