"""What is no paper: told by the kind of the record, else by its title or by what stands in place of an abstract."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kg.readers.values import RawPaper

__all__ = ["reason_against"]

#: Kinds as formats spell them, as letters in lower case, with what a person calls them.
_KINDS: dict[str, str] = {
    **dict.fromkeys(("book", "mvbook", "referencebook", "monograph", "editedbook", "ebook", "wholebook"), "a book"),
    **dict.fromkeys(
        ("collection", "mvcollection", "bookset", "bookseries", "reference", "mvreference"), "a collection"
    ),
    **dict.fromkeys(
        ("proceedings", "mvproceedings", "proceedingsseries", "conferenceproceedings", "conferencereview"),
        "a proceedings volume",
    ),
    **dict.fromkeys(
        ("journal", "journalissue", "journalvolume", "periodical", "serial", "edboa"), "a journal or an issue of one"
    ),
    **dict.fromkeys(
        (
            "webpage",
            "website",
            "online",
            "www",
            "web",
            "blogpost",
            "forumpost",
            "post",
            "postweblog",
            "elec",
            "electronic",
            "icomm",
            "blog",
        ),
        "a web page",
    ),
    **dict.fromkeys(
        ("newspaperarticle", "magazinearticle", "articlenewspaper", "articlemagazine", "news", "mgzn", "newspaper"),
        "news",
    ),
    **dict.fromkeys(("note", "annotation"), "a note"),
    **dict.fromkeys(("attachment",), "an attachment"),
    "reply": "a review, a decision or a comment",
    **dict.fromkeys(("editorial", "editorialmaterial"), "an editorial"),
    **dict.fromkeys(("correction", "erratum", "corrigendum", "retraction", "addendum"), "a correction"),
    **dict.fromkeys(("bookreview", "reviewbook", "review_book", "productreview"), "a review"),
    **dict.fromkeys(("paratext", "frontmatter", "backmatter"), "front or back matter"),
    **dict.fromkeys(
        ("letter", "personalcommunication", "email", "interview", "pcomm", "hear", "speech", "instantmessage"),
        "a letter or a talk",
    ),
    **dict.fromkeys(
        (
            "film",
            "video",
            "movie",
            "motionpicture",
            "videorecording",
            "audiorecording",
            "podcast",
            "radiobroadcast",
            "tvbroadcast",
            "broadcast",
            "audio",
            "music",
            "song",
            "artwork",
            "image",
            "figure",
            "graphic",
            "map",
            "videor",
            "sound",
        ),
        "a film, a recording or a picture",
    ),
    **dict.fromkeys(("software", "computerprogram", "dataset", "data", "database", "comp"), "software or data"),
    **dict.fromkeys(
        (
            "patent",
            "pat",
            "bill",
            "case",
            "statute",
            "legislation",
            "hearing",
            "regulation",
            "treaty",
            "legalcase",
            "standard",
            "legalruleorregulation",
            "stand",
        ),
        "law, a patent or a standard",
    ),
    **dict.fromkeys(
        (
            "grant",
            "peerreview",
            "libguides",
            "supplementarymaterials",
            "component",
            "person",
            "entrydictionary",
            "dictionaryentry",
        ),
        "a part of a work, or a work of another kind",
    ),
}

_MONTH = "(january|february|march|april|may|june|july|august|september|october|november|december)"
#: What titles of no papers look like, by what they are; each form is one a whole title has. None repeats what is
#: repeated, so that no title takes long to look at.
_TITLES: dict[str, tuple[str, ...]] = {
    "a preface or other front matter": (
        r"(front|back) ?matter|title page|(table of )?contents|copyright( page)?|masthead|acknowledge?ments?",
        r"preface|foreword|forord|vorwort|preface to .*|.*[:,.–—-] *((pre|post)-?conference )?(preface|foreword)",
        r"(organi[sz](ing|ation)|program(me)?)? ?committees?|(author )?index|index of authors|(list of )?reviewers",
        r"message from .*chairs?|front matter[,: ].*",
    ),
    "an editorial": (
        r"editorial( *[:.–—-].*)?|.*\(leder\)|from the editors?\b.*",
        r"(.*: *)?guest editors?['’]? (introduction|editorial)\b.*|guest editorial\b.*",
        r"((guest editors['’]? )?introduction to (the )?)?special (issue|section) (on|of|in)\b.*",
    ),
    "a correction": (
        r"((publisher|author|editorial)['’]?s? )?(correction|corrigend(um|a)|errat(um|a)|retraction)( *[:–—-].*)?",
        r"((publisher|author)['’]?s? )?(correction|corrigend(um|a)|errat(um|a)|retraction)( note)? (to|for|of) .*",
        r"expression of concern\b.*",
    ),
    "a book": (r"(a )?textbook of .*",),
    "a journal or an issue of one": (
        r"(journal|annals|transactions|bulletin) of .*\bv(ol(ume)?)?\.? ?\d+,? ?(no|issue|n)?\.? ?\d*",
    ),
    "a book review": (r"book reviews?( *[:.–—-].*| of .*)?|briefly noted|books received",),
    "a proceedings volume": (
        r"((pre|post)-?)?proceedings( of|:| –| -| \d+(st|nd|rd|th)) .*|book of abstracts.*|.*\bbook of abstracts",
        r"automata, languages,? and programming|.*:.*\b(conference|symposium)\b.*\b" + _MONTH + r" \d{1,2} ?[-–] ?\d.*",
        r".*\b(\d{4}|conference|symposium|workshop|congress|colloquium)\b.*\bproceedings(,? part [ivx]+)?\.?",
    ),
    "a workshop": (
        r"([^:]*: )?(the )?(\d+(st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) [^:]*"
        r"\bworkshop (on|at|for|of) [^:]*",
        r"workshop (on|at) .*|(.*: )?call for (papers|participation)\b.*|.*: (a |the )?workshop on .*",
        r".*\bworkshop (proposal|report|description)|.*[:,] an? workshop\b.*",
        r".*\bworkshop,? \d{1,2} \w+ \d{4}",
    ),
}
_FORMS = {name: re.compile("|".join(f"(?:{form})" for form in forms), re.IGNORECASE) for name, forms in _TITLES.items()}
_MAX_TITLE = 500
_VOLUME = re.compile(r"\W*this volume (contains|presents|collects|includes|constitutes|comprises) ", re.IGNORECASE)
_WITHDRAWN = re.compile(
    r"\W*(?:withdrawn\W*|"
    r"(?:this|the) (?:paper|article|submission|manuscript|work|preprint)(?: \([^)]*\))? (?:has been|is|was) (?:now )?"
    r"(?:withdrawn|retracted|removed)\b.*|"
    r"(?:paper|article|submission) (?:has been |is |was )?withdrawn\b.*|"
    r"withdrawn by (?:the )?(?:authors?|arxiv)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_WITHDRAWN_TITLE = re.compile(
    r"\W*(?:withdrawn|retracted(?: article)?)\b\s*[:)\]—–-].*|.*[(\[](?:withdrawn|retracted)[)\]]", re.IGNORECASE
)


def reason_against(raw: RawPaper) -> str | None:
    """Return why a record is no paper, or None where nothing speaks against it.

    >>> from kg.readers.values import RawPaper
    >>> reason_against(RawPaper(1, title="Conference on Learning Theory 2020: Preface"))
    'not a paper: a preface or other front matter'
    >>> reason_against(RawPaper(1, title="On X", kind="journal-issue"))
    'not a paper: a journal or an issue of one'
    >>> reason_against(RawPaper(1, title="On X", abstract="This paper has been withdrawn by the authors."))
    'withdrawn'
    >>> reason_against(RawPaper(1, title="Preface-Based Learning", kind="article"))
    """
    spelled = "".join(filter(str.isalpha, (raw.kind or "").lower()))
    if spelled == "withdrawn":
        return "withdrawn"
    kind = _KINDS.get(spelled)
    if kind:
        return f"not a paper: {kind}"
    if _WITHDRAWN_TITLE.fullmatch(raw.title[:_MAX_TITLE]) or (
        len(raw.abstract) < 600 and _WITHDRAWN.fullmatch(raw.abstract)
    ):
        return "withdrawn"
    if _VOLUME.match(raw.abstract):
        kind = "a proceedings volume"
    else:
        title = raw.title[:_MAX_TITLE]
        kind = next((name for name, form in _FORMS.items() if form.fullmatch(title)), None)
    return f"not a paper: {kind}" if kind else None
