// How much the graph holds: papers, things of each type, relationships of each role.
//
// @columns kind, what, count

CALL () {
  MATCH (n:Paper) RETURN 'node' AS kind, 'Paper' AS what, count(n) AS count
  UNION ALL
  MATCH (n:Entity) RETURN 'node' AS kind, n.type AS what, count(n) AS count
  UNION ALL
  MATCH (:Paper)-[r]->(:Entity) RETURN 'relationship' AS kind, type(r) AS what, count(r) AS count
  UNION ALL
  MATCH (:Entity)-[r:VERSION_OF]->(:Entity) RETURN 'relationship' AS kind, type(r) AS what, count(r) AS count
}
WITH kind, what, count
WHERE count > 0
RETURN kind, what, count
ORDER BY kind, what
