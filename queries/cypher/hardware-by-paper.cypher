// Which hardware each paper runs on, and the words that say so.
//
// @columns id, title, hardware, confidence, sentence

MATCH (p:Paper)-[r:RUNS_ON]->(h:Entity)
RETURN p.id AS id, p.title AS title, h.name AS hardware, r.confidence AS confidence, r.evidence[0] AS sentence
ORDER BY title, p.uri, hardware, h.uri
