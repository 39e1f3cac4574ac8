// The node key is `uri`. These constraints are made before anything is written; each also serves as the index
// by which nodes are found, so a load takes time in proportion to its size.
CREATE CONSTRAINT kg_paper_uri IF NOT EXISTS FOR (paper:Paper) REQUIRE paper.uri IS UNIQUE;
CREATE CONSTRAINT kg_entity_uri IF NOT EXISTS FOR (entity:Entity) REQUIRE entity.uri IS UNIQUE;
