// What a paper compares with, and the words that say so.
//
// @columns id, title, baseline, type, confidence, sentence
// @param paper: a paper's id, title or key, in any case. Example: arxiv:2407.08608

MATCH (p:Paper)
WHERE toLower(p.id) = toLower($paper) OR toLower(p.title) = toLower($paper) OR toLower(p.key) = toLower($paper)
MATCH (p)-[r:COMPARES_TO]->(m:Entity)
RETURN p.id AS id, p.title AS title, m.name AS baseline, m.type AS type, r.confidence AS confidence, r.evidence[0] AS sentence
ORDER BY title, p.uri, baseline, m.uri
