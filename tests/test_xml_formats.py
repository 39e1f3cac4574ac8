# ruff: noqa: E501 - the files are laid out as their formats are
"""One small file of our own for each format in XML: every field, and what is no paper."""

from __future__ import annotations

import pytest

from kg.readers.acl import read_acl
from kg.readers.arxiv import read_atom, read_oai
from kg.readers.crossref_xml import read_crossref
from kg.readers.dblp import read_dblp
from kg.readers.endnote import read_endnote_xml
from kg.readers.jats import read_jats
from kg.readers.pubmed import read_pubmed
from kg.readers.tei import read_tei
from kg.readers.values import NotAPaper, RawPaper
from tests.sources import paper, papers, refusals, source

ATOM = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
  <id>http://arxiv.org/api/x</id><title>arXiv Query</title>
  <author><name>Not an author</name></author>
  <entry>
    <id>http://arxiv.org/abs/hep-ph/0301050v2</id>
    <updated>2004-01-01T00:00:00Z</updated><published>2003-01-08T00:00:00Z</published>
    <title>On X
  and Y</title>
    <summary>  We do $x &lt; y$.
Second line. </summary>
    <author><name>Ada Lovelace</name></author><author><name>Turing, Alan</name></author>
    <arxiv:doi>10.1234/ABC</arxiv:doi>
    <arxiv:journal_ref>Phys. Rev. D 1 (2003) 2</arxiv:journal_ref>
    <link href="http://arxiv.org/abs/hep-ph/0301050v2" rel="alternate"/>
    <link title="pdf" href="http://arxiv.org/pdf/hep-ph/0301050v2" rel="related"/>
  </entry>
</feed>"""


def test_atom() -> None:
    assert paper(read_atom, ATOM) == RawPaper(
        number=1,
        id="hep-ph/0301050v2",
        title="On X and Y",
        abstract="We do $x < y$. Second line.",
        authors=("Ada Lovelace", "Alan Turing"),
        venue="Phys. Rev. D 1 (2003) 2",
        year=2003,
        url="http://arxiv.org/abs/hep-ph/0301050v2",
        identifiers=(("arxiv", "hep-ph/0301050"), ("doi", "10.1234/abc")),
    )


def test_an_error_of_the_api_and_a_withdrawn_paper_are_told() -> None:
    error = (
        "<entry><id>http://arxiv.org/api/errors#incorrect_id_format_for_x</id><title>Error</title>"
        "<summary>incorrect id format for x</summary></entry>"
    )
    withdrawn = (
        "<entry><id>http://arxiv.org/abs/2401.00001v2</id><title>On X</title><summary>We do.</summary>"
        "<arxiv:comment>This paper has been withdrawn by the author</arxiv:comment></entry>"
    )
    assert refusals(read_atom, f"<feed>{error}{withdrawn}</feed>") == [
        (
            1,
            "http://arxiv.org/api/errors#incorrect_id_format_for_x",
            "an error of the arXiv API: incorrect id format for x",
        ),
        (2, "2401.00001v2", "withdrawn"),
    ]


OAI = """<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>
<record><header><identifier>oai:arXiv.org:1009.1022</identifier></header><metadata>
 <oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <dc:title>On X</dc:title><dc:creator>Lovelace, Ada</dc:creator><dc:creator>Turing, Alan</dc:creator>
  <dc:description>We do.</dc:description><dc:description>Comment: 7 pages</dc:description>
  <dc:date>2010-09-06</dc:date><dc:date>2023-01-01</dc:date><dc:type>text</dc:type><dc:language>en</dc:language>
  <dc:identifier>http://arxiv.org/abs/1009.1022</dc:identifier><dc:identifier>doi:10.1234/X</dc:identifier>
 </oai_dc:dc></metadata></record>
<record><header><identifier>oai:arXiv.org:2401.00002</identifier></header><metadata>
 <arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>2401.00002</id><created>2024-01-02</created><updated>2025-01-01</updated>
 <authors><author><keyname>Lovelace</keyname><forenames>Ada</forenames><suffix>II</suffix></author>
 <author><keyname>The X Collaboration</keyname></author></authors>
 <title>On Y</title><abstract>We do
so.</abstract><journal-ref>J. Y 1</journal-ref><doi>10.1234/Y 10.1234/Z</doi></arXiv></metadata></record>
<record><header><identifier>oai:arXiv.org:2401.00003</identifier></header><metadata>
 <arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>2401.00003</id>
 <version version="v1"><date>Tue, 2 Jan 2024 00:00:00 GMT</date></version>
 <title>On Z</title><authors>A. Lovelace (1 and 2), B. Turing and C. Shannon ((1) U. of X, (2) Y)</authors>
 <abstract>We do.</abstract></arXivRaw></metadata></record>
<record><header status="deleted"><identifier>oai:arXiv.org:2401.00004</identifier></header></record>
<record><header><identifier>oai:x:5</identifier></header><metadata><marc:record><marc:leader/></marc:record></metadata></record>
<resumptionToken>1</resumptionToken></ListRecords></OAI-PMH>"""


def test_oai_in_each_of_its_metadata_formats() -> None:
    core, arxiv, raw, *others = read_oai(source(OAI))
    assert core == RawPaper(
        number=1,
        id="1009.1022",
        title="On X",
        abstract="We do.",
        authors=("Ada Lovelace", "Alan Turing"),
        year=2010,
        url="http://arxiv.org/abs/1009.1022",
        identifiers=(("arxiv", "1009.1022"), ("doi", "10.1234/x")),
        language="en",
    )
    assert arxiv == RawPaper(
        number=2,
        id="2401.00002",
        title="On Y",
        abstract="We do so.",
        authors=("Ada Lovelace II", "The X Collaboration"),
        venue="J. Y 1",
        year=2024,
        url="https://arxiv.org/abs/2401.00002",
        identifiers=(("arxiv", "2401.00002"), ("doi", "10.1234/y")),
    )
    assert isinstance(raw, RawPaper)
    assert (raw.authors, raw.year) == (("A. Lovelace", "B. Turing", "C. Shannon"), 2024)
    assert others[0] == NotAPaper(4, "2401.00004", "a deleted record")
    assert all(isinstance(one, NotAPaper) for one in others)


ACL = """<?xml version='1.0' encoding='UTF-8'?>
<collection id="2024.x"><volume id="main" type="proceedings">
<meta><booktitle>Proceedings of <fixed-case>X</fixed-case></booktitle><year>2024</year><venue>x</venue></meta>
<frontmatter><url hash="1">2024.x-main.0</url><bibkey>x-2024</bibkey></frontmatter>
<paper id="1"><title>On <fixed-case>BERT</fixed-case> and <tex-math>\\alpha</tex-math></title>
<author><first>Ada</first><last>Lovelace</last></author><author><first/><last>Mononym</last></author>
<editor><first>Not</first><last>Author</last></editor>
<pages>1–2</pages><abstract>We <b>do</b>.</abstract><url hash="2">2024.x-main.1</url><doi>10.18653/v1/2024.X-main.1</doi></paper>
<paper id="2"><title>On Y</title></paper>
<paper id="3"><title>On Z</title><url>2024.x-main.3</url><retracted date="2024-01-01">It was wrong.</retracted></paper>
</volume></collection>"""


def test_acl_anthology() -> None:
    front, first, second, retracted = read_acl(source(ACL))
    assert front == NotAPaper(1, "2024.x-main.0", "the front matter of a volume")
    assert first == RawPaper(
        number=2,
        id="2024.x-main.1",
        title="On BERT and $\\alpha$",
        abstract="We do.",
        authors=("Ada Lovelace", "Mononym"),
        venue="Proceedings of X",
        year=2024,
        url="https://aclanthology.org/2024.x-main.1/",
        identifiers=(("acl", "2024.x-main.1"), ("doi", "10.18653/v1/2024.x-main.1")),
        kind="paper",
    )
    assert isinstance(second, RawPaper)
    assert second.id == "2024.x-main.2"
    assert retracted == NotAPaper(4, "2024.x-main.3", "retracted: It was wrong.")


def test_notices_in_a_journal_of_the_anthology_are_no_papers() -> None:
    volume = (
        '<collection id="J89"><volume id="1" type="journal"><meta><year>1989</year></meta>'
        '<paper id="1"><title>On X</title><pages>1-2</pages></paper><paper id="2"><title>A Title of a Book</title></paper>'
        "</volume></collection>"
    )
    assert refusals(read_acl, volume) == [
        (2, "J89-1002", "a notice or a review: in an issue of a journal, without pages")
    ]


JATS = """<article article-type="research-article" xml:lang="en" xmlns:xlink="http://www.w3.org/1999/xlink"><front>
<journal-meta><journal-title-group><journal-title>J. of X</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="pmid">123</article-id><article-id pub-id-type="doi">10.1234/X</article-id>
<article-id pub-id-type="publisher-id">x1</article-id>
<title-group><article-title>On X<xref ref-type="fn">*</xref></article-title><subtitle>A Study</subtitle></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Lovelace</surname><given-names>Ada</given-names></name></contrib>
<contrib contrib-type="editor"><name><surname>Editor</surname><given-names>An</given-names></name></contrib>
<contrib contrib-type="author"><collab>The X Group<xref>1</xref></collab></contrib></contrib-group>
<pub-date pub-type="ppub"><year>2021</year></pub-date><pub-date pub-type="epub"><year>2020</year></pub-date>
<abstract abstract-type="teaser"><p>Read this!</p></abstract>
<abstract><title>Abstract</title><sec><title>Aim</title><p>We do.</p></sec><sec><title>Results</title><p>It works.</p></sec></abstract>
</article-meta></front><body><p>Loose.</p>
<sec><label>1.</label><title>Introduction</title><p>As in [<xref>1</xref>].</p><fig><caption><p>No text.</p></caption></fig>
<sec><title>Details</title><p>More.</p></sec></sec><sec><title>End</title><p>So.</p></sec></body>
<back><ref-list><ref><article-title>Cited</article-title></ref></ref-list>
<app-group><app><title>Appendix</title><p>Proof.</p></app></app-group></back></article>"""


def test_jats() -> None:
    assert paper(read_jats, JATS) == RawPaper(
        number=1,
        id="x1",
        title="On X*: A Study",
        abstract="Aim: We do.\n\nResults: It works.",
        body=("Loose.", "Introduction\n\nAs in [1].\n\nDetails\n\nMore.", "End\n\nSo.", "Appendix\n\nProof."),
        authors=("Ada Lovelace", "The X Group"),
        venue="J. of X",
        year=2020,
        url="https://doi.org/10.1234/x",
        identifiers=(("doi", "10.1234/x"), ("pubmed", "123")),
        kind="research-article",
        language="en",
    )


PUBMED = """<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">123</PMID><Article>
<Journal><JournalIssue><PubDate><MedlineDate>2019 Jan-Feb</MedlineDate></PubDate></JournalIssue><Title>J. of X.</Title></Journal>
<ArticleTitle>[On <i>X</i>.]</ArticleTitle><ELocationID EIdType="doi">10.1234/X</ELocationID>
<Abstract><AbstractText Label="AIM">We do.</AbstractText><AbstractText Label="RESULTS">p &lt; 10<sup>-3</sup>.</AbstractText>
<CopyrightInformation>(c) X</CopyrightInformation></Abstract>
<AuthorList><Author><LastName>Lovelace</LastName><ForeName>Ada</ForeName></Author>
<Author><CollectiveName>X Group</CollectiveName></Author></AuthorList><Language>ger</Language>
<PublicationTypeList><PublicationType>Journal Article</PublicationType></PublicationTypeList></Article></MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="doi">10.1234/other</ArticleId></ArticleIdList><ReferenceList><Reference>
<ArticleIdList><ArticleId IdType="doi">10.1234/cited</ArticleId></ArticleIdList></Reference></ReferenceList></PubmedData>
</PubmedArticle></PubmedArticleSet>"""


def test_pubmed() -> None:
    assert paper(read_pubmed, PUBMED) == RawPaper(
        number=1,
        id="123",
        title="On X",
        abstract="AIM: We do.\n\nRESULTS: p < 10⁻³.",
        authors=("Ada Lovelace", "X Group"),
        venue="J. of X",
        year=2019,
        url="https://pubmed.ncbi.nlm.nih.gov/123/",
        identifiers=(("doi", "10.1234/x"), ("pubmed", "123")),
        kind="Journal Article",
        language="ger",
    )


@pytest.mark.parametrize(("told", "kind"), [("Editorial", "editorial"), ("Published Erratum", "correction")])
def test_the_type_of_pubmed_that_tells_most_is_kept(told: str, kind: str) -> None:
    more = PUBMED.replace("</PublicationTypeList>", f"<PublicationType>{told}</PublicationType></PublicationTypeList>")
    assert paper(read_pubmed, more).kind == kind


def test_a_chapter_of_a_book_of_pubmed_and_the_book() -> None:
    book = "<Book><BookTitle>Genes</BookTitle><PubDate><Year>2009</Year></PubDate></Book>"
    one = "<PubmedBookArticle><BookDocument><PMID>{n}</PMID>{book}{title}</BookDocument></PubmedBookArticle>"
    content = one.format(n=1, book=book, title="<ArticleTitle>On X</ArticleTitle>") + one.format(
        n=2, book=book, title=""
    )
    found = papers(read_pubmed, f"<PubmedBookArticleSet>{content}</PubmedBookArticleSet>")
    assert [(p.title, p.venue, p.year, p.kind) for p in found] == [
        ("On X", "Genes", 2009, "chapter"),
        ("Genes", "Genes", 2009, "book"),
    ]


CROSSREF = """<doi_batch xmlns="http://www.crossref.org/schema/5.3.0"><head><depositor/></head><body>
<journal><journal_metadata language="en"><full_title>J. of X</full_title><doi_data><doi>10.1234/j</doi></doi_data></journal_metadata>
<journal_issue><publication_date><year>2019</year></publication_date></journal_issue>
<journal_article language="en"><titles><title>On <i>X</i></title><subtitle>A Study</subtitle></titles>
<contributors><person_name contributor_role="author" sequence="first"><given_name>Ada</given_name><surname>Lovelace</surname></person_name>
<organization contributor_role="author" sequence="additional">X Group</organization>
<person_name contributor_role="editor"><surname>Editor</surname></person_name></contributors>
<jats:abstract xmlns:jats="x"><jats:title>Abstract</jats:title><jats:p>We do.</jats:p></jats:abstract>
<publication_date><year>2020</year></publication_date>
<doi_data><doi>10.1234/A</doi><resource>https://x.org/a</resource></doi_data>
<citation_list><citation key="1"><doi>10.1234/cited</doi></citation></citation_list></journal_article>
<journal_article><titles><title>On Y</title></titles></journal_article></journal>
<conference><event_metadata><conference_name>XConf</conference_name></event_metadata>
<proceedings_metadata><proceedings_title>Proceedings of XConf</proceedings_title></proceedings_metadata>
<conference_paper><titles><title>On Z</title></titles></conference_paper></conference>
<book><book_metadata><titles><title>A Book</title></titles><doi_data><doi>10.1234/b</doi></doi_data></book_metadata></book>
<posted_content type="preprint"><titles><title>On W</title></titles><posted_date><year>2024</year></posted_date></posted_content>
</body></doi_batch>"""


def test_crossref() -> None:
    article, second, conference, book, preprint = papers(read_crossref, CROSSREF)
    assert article == RawPaper(
        number=1,
        id="10.1234/A",
        title="On X: A Study",
        abstract="We do.",
        authors=("Ada Lovelace", "X Group"),
        venue="J. of X",
        year=2020,
        url="https://x.org/a",
        identifiers=(("doi", "10.1234/a"),),
        kind="journal_article",
        language="en",
    )
    assert (second.title, second.year, second.identifiers) == ("On Y", 2019, ())
    assert (conference.title, conference.venue) == ("On Z", "Proceedings of XConf")
    assert (book.title, book.kind) == ("A Book", "book")
    assert (preprint.title, preprint.year, preprint.kind) == ("On W", 2024, "preprint")


def test_dblp() -> None:
    content = (
        '<!DOCTYPE dblp SYSTEM "dblp.dtd"><dblp><article key="journals/x/L20"><author>Ada L&uuml;ders 0001</author>'
        "<title>On CO<sub>2</sub>.</title><journal>CoRR</journal><volume>abs/2001.00001</volume><year>2020</year>"
        '<ee type="oa">https://arxiv.org/abs/2001.00001</ee></article>'
        '<www key="homepages/x"><title>Home Page</title></www></dblp>'
    )
    article, home = papers(read_dblp, content)
    assert article == RawPaper(
        number=1,
        id="journals/x/L20",
        title="On CO2",
        authors=("Ada Lüders",),
        venue="CoRR",
        year=2020,
        url="https://arxiv.org/abs/2001.00001",
        identifiers=(("arxiv", "2001.00001"),),
        kind="article",
    )
    assert home.kind == "www"


TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader xml:lang="en"><fileDesc>
<titleStmt><title level="a" type="main">On X</title></titleStmt><publicationStmt><date when="2020-05-01">May 2020</date></publicationStmt>
<sourceDesc><biblStruct><analytic><author><persName><forename type="first">Ada</forename><forename type="middle">K</forename>
<surname>Lovelace</surname></persName><email>a@x.org</email></author><author><affiliation/></author></analytic>
<monogr><title>XConf</title></monogr><idno type="DOI">10.1234/X</idno><idno type="arXiv">arXiv:2005.00001v1[cs.CL]</idno></biblStruct></sourceDesc>
</fileDesc><profileDesc><abstract><div><p>We do.</p><p>It works.</p></div></abstract></profileDesc></teiHeader>
<text><body><div><head n="1">Introduction</head><p>As in <ref type="bibr">[1]</ref>.</p><formula>x = 1</formula></div>
<figure><head>Figure 1</head></figure><div><head>End</head><p>So.</p></div></body>
<back><div type="references"><listBibl><biblStruct><analytic><title>Cited</title></analytic></biblStruct></listBibl></div>
<div type="annex"><div><head>Proof</head><p>Clear.</p></div></div></back></text></TEI>"""


def test_tei() -> None:
    assert paper(read_tei, TEI) == RawPaper(
        number=1,
        id="10.1234/X",
        title="On X",
        abstract="We do.\n\nIt works.",
        body=("Introduction\n\nAs in [1].\n\nx = 1", "End\n\nSo.", "Proof\n\nClear."),
        authors=("Ada K Lovelace",),
        venue="XConf",
        year=2020,
        identifiers=(("arxiv", "2005.00001"), ("doi", "10.1234/x")),
        language="en",
    )


def test_endnote_xml() -> None:
    content = (
        '<xml><records><record><rec-number>7</rec-number><ref-type name="Journal Article">17</ref-type>'
        '<contributors><authors><author><style face="normal">Lovelace, Ada</style></author></authors></contributors>'
        "<titles><title><style>On </style><style face='italic'>X</style></title><secondary-title>J. of X</secondary-title></titles>"
        "<dates><year>2020</year></dates><abstract><style>We do.</style></abstract>"
        "<electronic-resource-num>10.1234/X</electronic-resource-num>"
        "<urls><related-urls><url>https://x.org/a</url></related-urls></urls></record></records></xml>"
    )
    assert paper(read_endnote_xml, content) == RawPaper(
        number=1,
        id="7",
        title="On X",
        abstract="We do.",
        authors=("Ada Lovelace",),
        venue="J. of X",
        year=2020,
        url="https://x.org/a",
        identifiers=(("doi", "10.1234/x"),),
        kind="Journal Article",
    )
