// Which datasets are used by how many papers: for evaluation, for training, and by either.
//
// @columns dataset, evaluates, trains, papers, uri

MATCH (p:Paper)-[r:EVALUATES_ON|TRAINS_ON]->(d:Dataset)
WITH d, p, type(r) AS role
RETURN d.name AS dataset,
       count(DISTINCT CASE role WHEN 'EVALUATES_ON' THEN p END) AS evaluates,
       count(DISTINCT CASE role WHEN 'TRAINS_ON' THEN p END) AS trains,
       count(DISTINCT p) AS papers,
       d.uri AS uri
ORDER BY papers DESC, dataset, uri
