"""The terms the graph is written in: each namespace, class and property once, as pyoxigraph IRIs.

`schemas/ontology.ttl` documents the terms of our own namespace, `KG`.
"""

from __future__ import annotations

from typing import Final

from pyoxigraph import Literal, NamedNode

from kg.model import EntityType, Role

__all__ = [
    "CLASSES",
    "DEFAULT_BASE_IRI",
    "ONTOLOGY_IRI",
    "PREFIXES",
    "ROLES",
    "ROLE_OF",
    "TYPE_OF",
    "Namespace",
    "count",
]

DEFAULT_BASE_IRI: Final = "https://w3id.org/paper-kg/"
ONTOLOGY_IRI: Final = f"{DEFAULT_BASE_IRI}ontology"


class Namespace(str):
    """A namespace IRI that makes terms.

    >>> Namespace("http://purl.org/dc/terms/").term("title").value
    'http://purl.org/dc/terms/title'
    """

    __slots__ = ()

    def term(self, name: str) -> NamedNode:
        """Return the IRI of the term `name`."""
        return NamedNode(self + name)


KG: Final = Namespace(f"{ONTOLOGY_IRI}#")
DCAT: Final = Namespace("http://www.w3.org/ns/dcat#")
DCTERMS: Final = Namespace("http://purl.org/dc/terms/")
FABIO: Final = Namespace("http://purl.org/spar/fabio/")
MLS: Final = Namespace("http://www.w3.org/ns/mls#")
OA: Final = Namespace("http://www.w3.org/ns/oa#")
PRISM: Final = Namespace("http://prismstandard.org/namespaces/basic/2.0/")
PROV: Final = Namespace("http://www.w3.org/ns/prov#")
RDF: Final = Namespace("http://www.w3.org/1999/02/22-rdf-syntax-ns#")
RDFS: Final = Namespace("http://www.w3.org/2000/01/rdf-schema#")
SCHEMA: Final = Namespace("https://schema.org/")
SKOS: Final = Namespace("http://www.w3.org/2004/02/skos/core#")
VOID: Final = Namespace("http://rdfs.org/ns/void#")
WIKIDATA: Final = Namespace("http://www.wikidata.org/entity/")
XSD: Final = Namespace("http://www.w3.org/2001/XMLSchema#")

PREFIXES: Final[dict[str, str]] = {
    "dcat": DCAT,
    "dcterms": DCTERMS,
    "fabio": FABIO,
    "kg": KG,
    "mls": MLS,
    "oa": OA,
    "prism": PRISM,
    "prov": PROV,
    "rdf": RDF,
    "rdfs": RDFS,
    "schema": SCHEMA,
    "skos": SKOS,
    "void": VOID,
    "wikidata": WIKIDATA,
    "xsd": XSD,
}

TYPE: Final = RDF.term("type")
LABEL: Final = RDFS.term("label")
IDENTIFIER: Final = DCTERMS.term("identifier")
URL: Final = SCHEMA.term("url")

SCHOLARLY_ARTICLE: Final = SCHEMA.term("ScholarlyArticle")
RESEARCH_PAPER: Final = FABIO.term("ResearchPaper")
TITLE: Final = DCTERMS.term("title")
ABSTRACT: Final = DCTERMS.term("abstract")
CREATOR: Final = DCTERMS.term("creator")
ISSUED: Final = DCTERMS.term("issued")
VENUE: Final = PRISM.term("publicationName")
HAS_PART: Final = DCTERMS.term("hasPart")
RECORD_ID: Final = KG.term("recordId")
SCHEME_IDENTIFIER: Final = KG.term("schemeIdentifier")
PUBLIC_IDENTIFIERS: Final = {
    "doi": PRISM.term("doi"),
    "arxiv": FABIO.term("hasArXivId"),
    "pubmed": FABIO.term("hasPubMedId"),
}

PERSON: Final = SCHEMA.term("Person")
NAME: Final = SCHEMA.term("name")
POSITION: Final = SCHEMA.term("position")
SECTION: Final = KG.term("Section")
TEXT: Final = SCHEMA.term("text")

PREFERRED_LABEL: Final = SKOS.term("prefLabel")
ALTERNATIVE_LABEL: Final = SKOS.term("altLabel")
BROADER: Final = SKOS.term("broader")
EXACT_MATCH: Final = SKOS.term("exactMatch")
IS_VERSION_OF: Final = DCTERMS.term("isVersionOf")
TOLD_TYPE: Final = KG.term("toldType")
TOLD_TYPES: Final = KG.term("toldTypes")
ALIAS_ORDER: Final = KG.term("aliasOrder")
INTRODUCED_BY: Final = KG.term("introducedBy")
WIKIDATA_TEXT: Final = KG.term("wikidataText")

ASSERTION: Final = KG.term("Assertion")
PAPER: Final = KG.term("paper")
ROLE: Final = KG.term("role")
ENTITY: Final = KG.term("entity")
CONFIDENCE: Final = KG.term("confidence")
EVIDENCE: Final = KG.term("evidence")

ANNOTATION: Final = OA.term("Annotation")
HAS_BODY: Final = OA.term("hasBody")
HAS_TARGET: Final = OA.term("hasTarget")
FIRST_TARGET: Final = KG.term("firstTarget")
TARGET_ORDER: Final = KG.term("targetOrder")
HAS_SOURCE: Final = OA.term("hasSource")
SENTENCE: Final = KG.term("sentence")
FIELD: Final = KG.term("field")
HAS_SELECTOR: Final = OA.term("hasSelector")
START: Final = OA.term("start")
END: Final = OA.term("end")
EXACT: Final = OA.term("exact")

VOID_DATASET: Final = VOID.term("Dataset")
URI_SPACE: Final = VOID.term("uriSpace")
CONFORMS_TO: Final = DCTERMS.term("conformsTo")
ACTIVITY: Final = PROV.term("Activity")
SOFTWARE_AGENT: Final = PROV.term("SoftwareAgent")
GENERATED_BY: Final = PROV.term("wasGeneratedBy")
ASSOCIATED_WITH: Final = PROV.term("wasAssociatedWith")
SOFTWARE_VERSION: Final = SCHEMA.term("softwareVersion")

DECIMAL: Final = XSD.term("decimal")
G_YEAR: Final = XSD.term("gYear")
COUNT: Final = XSD.term("nonNegativeInteger")

ROLES: Final[dict[Role, NamedNode]] = {
    role: SCHEMA.term("mentions") if role is Role.MENTIONS else KG.term(role.value) for role in Role
}
"""The property of each role; all but `schema:mentions` itself are sub-properties of it."""

ROLE_OF: Final[dict[str, Role]] = {term.value: role for role, term in ROLES.items()}

CLASSES: Final[dict[EntityType, tuple[NamedNode, ...]]] = {
    EntityType.METHOD: (KG.term("Method"), MLS.term("Algorithm")),
    EntityType.DATASET: (KG.term("Dataset"), MLS.term("Dataset"), DCAT.term("Dataset")),
    EntityType.HARDWARE: (KG.term("Hardware"),),
    EntityType.TASK: (KG.term("Task"), MLS.term("Task")),
    EntityType.METRIC: (KG.term("Metric"), MLS.term("EvaluationMeasure")),
}
"""The classes of a node by its primary type: our own first, then the public ones that it specialises.

The public ones are written out because few stores infer them.
"""

TYPE_OF: Final[dict[str, EntityType]] = {classes[0].value: type_ for type_, classes in CLASSES.items()}


def count(number: int) -> Literal:
    """Return a whole number, not below zero, as a literal."""
    return Literal(str(number), datatype=COUNT)
