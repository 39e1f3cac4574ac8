// The words of a paper on which each of its statements on a thing rests. Of a statement, the most telling
// comes first, the others in the order of field and offset.
//
// @columns id, entity, role, confidence, first, field, start, end, exact, sentence
// @param paper: a paper's id, title or key, in any case. Example: arxiv:2407.08608
// @param name: the name of a method or another thing, or an alias of it, in any case. Example: H100

MATCH (p:Paper)
WHERE toLower(p.id) = toLower($paper) OR toLower(p.title) = toLower($paper) OR toLower(p.key) = toLower($paper)
MATCH (x:Entity)
WHERE toLower(x.name) = toLower($name) OR any(alias IN x.aliases WHERE toLower(alias) = toLower($name))
MATCH (p)-[r]->(x)
WHERE r.evidence IS NOT NULL
UNWIND range(0, size(r.evidence) - 1) AS i
RETURN p.id AS id, x.name AS entity, type(r) AS role, r.confidence AS confidence, i = 0 AS first,
       r.evidence_fields[i] AS field, r.evidence_starts[i] AS start, r.evidence_ends[i] AS end,
       r.evidence_exacts[i] AS exact, r.evidence[i] AS sentence
ORDER BY p.uri, entity, x.uri, role, first DESC, field, start, end
