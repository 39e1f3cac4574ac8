"""PubMed XML (https://www.nlm.nih.gov/bsd/licensee/elements_descriptions.html): articles and chapters of books."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.readers.fields import first_year, known, without_added_stop
from kg.readers.values import RawPaper
from kg.readers.xml import broken, fragments, root
from kg.readers.xml_text import children, first, first_text, headed, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import NotAPaper

__all__ = ["is_pubmed", "page", "plain_title", "read_pubmed", "telling"]

_RECORDS = frozenset({"PubmedArticle", "PubmedBookArticle"})
_ROOTS = _RECORDS | {"PubmedArticleSet", "PubmedBookArticleSet", "MedlineCitationSet", "MedlineCitation", "pubmed"}
#: Types of publication that tell more than the type ``Journal Article`` beside them, and what they are called here.
_TELLING = {
    "Editorial": "editorial",
    "Published Erratum": "correction",
    "Retraction of Publication": "retraction",
    "Retraction Notice": "retraction",
    "News": "news",
    "Newspaper Article": "news",
    "Letter": "letter",
    "Book Review": "book review",
    "Interview": "interview",
    "Dataset": "dataset",
}


def is_pubmed(head: Head) -> bool:
    """Say whether these are records of PubMed."""
    return root(head.text) in _ROOTS


def read_pubmed(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each record; of a book's record the chapter, where it is about one."""
    names = _RECORDS if b"<Pubmed" in source.head else {"MedlineCitation"}
    for number, fragment in enumerate(fragments(source, names), start=1):
        yield broken(fragment, number) or _record(fragment.element, number)


def _record(record: etree._Element, number: int) -> RawPaper:
    document = first(record, "BookDocument")
    if document is not None:
        return _chapter(document, number)
    citation = record if first(record, "MedlineCitation") is None else first(record, "MedlineCitation")
    article = first(citation, "Article")
    issue = first(article, "Journal", "JournalIssue", "PubDate")
    listed = children(first(record, "PubmedData", "ArticleIdList"), "ArticleId")
    ids = {node.get("IdType", ""): text(node) for node in listed}
    kinds = [text(node) for node in children(first(article, "PublicationTypeList"), "PublicationType")]
    return RawPaper(
        number=number,
        id=first_text(citation, "PMID") or None,
        title=plain_title(first_text(article, "ArticleTitle"), first_text(article, "VernacularTitle")),
        abstract=_abstract(first(article, "Abstract")),
        authors=_authors(first(article, "AuthorList")),
        venue=without_added_stop(first_text(article, "Journal", "Title")) or None,
        year=first_year(
            first_text(issue, "Year"), first_text(issue, "MedlineDate"), first_text(article, "ArticleDate")
        ),
        url=page(first_text(citation, "PMID")),
        identifiers=known(
            ("pubmed", first_text(citation, "PMID")),
            *(("doi", text(node)) for node in children(article, "ELocationID") if node.get("EIdType") == "doi"),
            ("doi", ids.get("doi", "")),
        ),
        kind=telling(kinds),
        language=first_text(article, "Language") or None,
    )


def _chapter(document: etree._Element, number: int) -> RawPaper:
    book = first(document, "Book")
    title, whole = first_text(document, "ArticleTitle"), first_text(book, "BookTitle")
    people = first(document, "AuthorList") if first(document, "AuthorList") is not None else first(book, "AuthorList")
    places = [*children(document, "ELocationID"), *children(book, "ELocationID")]
    return RawPaper(
        number=number,
        id=first_text(document, "PMID") or None,
        title=plain_title(title or whole, ""),
        abstract=_abstract(first(document, "Abstract")),
        authors=_authors(people),
        venue=whole or None,
        year=first_year(first_text(book, "PubDate", "Year"), first_text(document, "ContributionDate", "Year")),
        url=page(first_text(document, "PMID")),
        identifiers=known(
            ("pubmed", first_text(document, "PMID")),
            *(("doi", text(node)) for node in places if node.get("EIdType") == "doi"),
        ),
        kind="chapter" if title else "book" if whole else None,
        language=first_text(document, "Language") or None,
    )


def plain_title(title: str, vernacular: str) -> str:
    """Return a title without the stop PubMed adds, and without the brackets in which it puts its own translations.

    >>> plain_title("[On X.]", ""), plain_title("[Not Available].", "Über X.")
    ('On X', 'Über X')
    """
    if not title or title.rstrip(".").strip("[]").lower() == "not available":
        title = vernacular
    title = without_added_stop(title)
    return without_added_stop(title[1:-1]) if title.startswith("[") and title.find("]") == len(title) - 1 else title


def _abstract(abstract: etree._Element | None) -> str:
    parts = [(part.get("Label") or "", text(part)) for part in children(abstract, "AbstractText")]
    return "\n\n".join(headed(label.strip(), found) for label, found in parts if found)


def _authors(people: etree._Element | None) -> tuple[str, ...]:
    return tuple(filter(None, map(_name, children(people, "Author"))))


def _name(author: etree._Element) -> str:
    given = first_text(author, "ForeName") or first_text(author, "Initials")
    return " ".join(filter(None, (given, first_text(author, "LastName"), first_text(author, "Suffix")))) or first_text(
        author, "CollectiveName"
    )


def telling(kinds: list[str]) -> str | None:
    """Return the one of a record's types of publication that tells most, as other formats call it."""
    return next((_TELLING[kind] for kind in kinds if kind in _TELLING), next(iter(kinds), None))


def page(pmid: str) -> str | None:
    """Return the address of a record's page, or None where this is no PubMed id."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if known(("pubmed", pmid)) else None
