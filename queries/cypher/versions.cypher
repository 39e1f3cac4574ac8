// The versions of the family that a thing is, or is a version of, and how many papers name each.
//
// @columns family, version, type, papers, uri
// @param name: the name of a family or of one of its versions, or an alias of it, in any case. Example: FlashAttention

MATCH (x:Entity)
WHERE toLower(x.name) = toLower($name) OR any(alias IN x.aliases WHERE toLower(alias) = toLower($name))
MATCH (x)-[:VERSION_OF*0..1]->(f:Entity)
// A clause of its own: within one, the relationship that led from a version to its family is not walked back.
MATCH (f)<-[:VERSION_OF]-(v:Entity)
WITH DISTINCT f, v
OPTIONAL MATCH (p:Paper)-[]->(v)
WITH f, v, count(DISTINCT p) AS papers
RETURN f.name AS family, v.name AS version, v.type AS type, papers, v.uri AS uri
ORDER BY family, f.uri, version, uri
