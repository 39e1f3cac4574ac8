"""The title of a paper in a line of Markdown: the bold words, the text of the first link, or what is before it."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Entry", "entry", "labelled", "links", "named_people", "without_marks"]

_LINK = re.compile(
    r"!?\[((?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*)\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+\"[^\"]*\")?\s*\)"
)
_BARE = re.compile(r"https?://[^\s<>()\[\]|]+")
_GENERIC = re.compile(
    r"[\W_]*(?:(?:the|a|full|our|official|accepted|all|read|see|open|arxiv|paper|papers|pdf|link|links|code|codes|project|"
    r"page|web|site|website|homepage|github|repo|slides?|video|talk|blog|post|here|openreview|html|demo|poster|data|"
    r"dataset|model|models|bibtex|abs|abstract|doi|url|list|program|proceedings|preprint|version|acm|ieee|usenix|source|"
    r"to|be|updated|continued|added|announced|tbd|tba|todo|coming|soon|more|come|home|back|top|up|table|of|contents|and)"
    r"[\W_]*)+|[\W_]*"
)
_TAGS = re.compile(r"(?:\s*`[^`]*`\s*)+")
_CHECKBOX = re.compile(r"\s*\[[ xX]\]\s+")
_LEADING_VENUE = re.compile(
    r"\s*[(\[]([^()\[\]]{0,40}?(?:(?:19|20)\d\d|['’]\s?\d\d)[^()\[\]]{0,24}|[Aa]r[Xx]iv|[Pp]reprint|[A-Z][\w/&-]*[A-Z])[)\]]"
    r"\s*[:.,–-]?\s*"
)
_VENUE = re.compile(r"\s*[(\[]([^()\[\]]{0,40}?(?:(?:19|20)\d\d|['’]\s?\d\d)[^()\[\]]{0,24})[)\]]\s*[:.,–-]?\s*")
_VENUE = re.compile(r"[(\[]([^()\[\]]{1,60}?(?:(?:19|20)\d\d|['’]\s?\d\d)[^()\[\]]{0,24})[)\]]")
_SIGNS = "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d]"
_LEADING_SIGNS = re.compile(rf"^(?:\s|{_SIGNS})+")
_BADGE = re.compile(rf"(?:\s*{_SIGNS}\s*)*(?:\s*\*\*[A-Z][A-Z ]+\*\*)?(?:\s|{_SIGNS})*$")
_BOLD = re.compile(r"\s*(\*\*\*|\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_MARKS = re.compile(r"\*\*|(?<![\w\\])__|__(?!\w)")
_GENERIC_BRACKET = re.compile(
    r"[\[(]{1,2}\s?(?:link|paper|pdf|code|arxiv|project|web|site|github|slides?|video|blog|openreview|html|https?:|-\s*\])",
    re.IGNORECASE,
)
_CONTINUED = re.compile(r"\s*\**\s*[:：]\s*\**(.+)", re.DOTALL)
_END_OF_TITLE = re.compile(r"(?:\s[A-Z]\w+['’]\s?\d{2,4}\.?\s*$|\||\[\[|\]\]|\s[–—-]\s|\s\[|<br|\(\[).*", re.DOTALL)
_LABEL = re.compile(
    r"\s*[-*+•]?\s*(?:\*\*|__)?\s*(authors?|作者|links?|paper|url|arxiv|doi|venue|conference|published|date|year|tl;?\s?dr|"
    r"summary|abstract|keywords?|code|project|impact|tags?|notes?|日期|领域|关键词|代码|摘要|论文|链接|会议|机构|一句话总结)\s*"
    r"(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?\s*(.*)",
    re.IGNORECASE | re.DOTALL,
)
_PARTICLES = frozenset("de la le van von der den del da di dos du el al bin ibn ter and ten".split())  # noqa: SIM905
_MAX_SHORT = 4
#: A longer line below a title is text, and its links are not the paper's.
_MAX_REMARK = 120


@dataclass(frozen=True)
class Entry:
    """What a line says of a paper."""

    title: str
    addresses: tuple[str, ...]
    venue: str | None = None


def links(text: str) -> tuple[str, ...]:
    """Return the addresses in a text, in order."""
    inside = [address for _, address in _LINK.findall(text) if address]
    bare = [found.rstrip(".,;") for found in _BARE.findall(_LINK.sub(" ", text))]
    return tuple(dict.fromkeys((*inside, *bare)))


def without_marks(text: str) -> str:
    """Return the text without bold signs and links, formulas as they are.

    >>> without_marks("Fast **LLM** [serving](https://a.org)")
    'Fast LLM serving'
    """
    return " ".join(_MARKS.sub("", _LINK.sub(lambda match: match.group(1), text)).split())


def labelled(text: str) -> tuple[str, str] | None:
    """Return (label in lower case, value) of a line such as ``**Authors:** A, B``.

    >>> labelled("**arXiv**: [2603.07699](https://arxiv.org/abs/2603.07699)")
    ('arxiv', '[2603.07699](https://arxiv.org/abs/2603.07699)')
    """
    match = _LABEL.match(text)
    return (re.sub(r"\W", "", match.group(1).lower()), match.group(2).strip()) if match else None


def named_people(text: str) -> bool:
    """Whether a line is names of people with commas between them.

    >>> named_people("Ada Lovelace, Alan M. Turing, Guido van Rossum"), named_people("In this paper, we show that")
    (True, False)
    """
    parts = [part.strip() for part in re.split(r",|;|\band\b|&", text.strip(" *_.")) if part.strip()]
    return len(parts) > 1 and sum(map(_is_name, parts)) > 0.8 * len(parts)


def _is_name(part: str) -> bool:
    words = part.split()
    proper = all(word[0].isupper() or word in _PARTICLES or word[0] in "('\"" for word in words)
    return proper and 1 <= len(words) <= 6 and not part.endswith((".)", ":", "?", "!"))


def entry(text: str) -> Entry | None:
    """Return what a line says of a paper, or None where it has no title.

    >>> entry("[Alpa](https://arxiv.org/abs/2201.12023) : Automating Parallelism | OSDI' 22").title
    'Alpa: Automating Parallelism'
    >>> entry("(NSDI'24) CASSINI: Network-Aware Scheduling [link](https://arxiv.org/abs/2308.00852) [Net]").venue
    "NSDI'24"
    >>> entry("[Accepted Papers](https://a.org)")
    """
    short = "\n".join(line for at, line in enumerate(text.split("\n")) if at == 0 or len(line) <= _MAX_REMARK)
    addresses = tuple(one for one in links(short) if not one.startswith("#"))
    line = _CHECKBOX.sub("", text.split("\n", 1)[0])
    line = _TAGS.sub(" ", line) if line.lstrip().startswith("`") else line
    line = _LEADING_SIGNS.sub("", line)
    leading = _LEADING_VENUE.match(line)
    if leading and line[leading.end() :].startswith("("):
        leading = None  # it is the text of a link
    line = line[leading.end() :] if leading else line
    title, rest = _title_and_rest(line)
    title = without_marks(_BADGE.sub("", _LEADING_SIGNS.sub("", title))).strip(" :|*")
    if _GENERIC.fullmatch(title.lower()) or (len(title.split()) < 2 and not addresses):
        return None
    venue = leading or _VENUE.search(rest)
    return Entry(title, addresses, venue.group(1).strip() if venue else _behind_bar(rest))


def _title_and_rest(line: str) -> tuple[str, str]:
    bold = _BOLD.match(line)
    if bold and bold.end() >= min(len(line.rstrip()), 12):
        return bold.group(2), line[bold.end() :]
    link = _LINK.match(line.lstrip("* _"))
    if link is None:
        ends = [match.start() for form in (_GENERIC_BRACKET, _LINK) if (match := form.search(line))]
        cut = min(ends, default=len(line))
        return line[:cut], line[cut:]
    title, rest = link.group(1), line.lstrip("* _")[link.end() :]
    continued = _CONTINUED.match(rest)
    if continued and len(title.split()) <= _MAX_SHORT:
        words = _END_OF_TITLE.sub("", continued.group(1))
        return f"{title}: {words}", continued.group(1)[len(words) :]
    return title, rest


def _behind_bar(rest: str) -> str | None:
    _, bar, venue = rest.partition("|")
    found = without_marks(venue.split("|")[0]).strip(" []")
    return found if bar and found and re.search(r"\d\d", found) and len(found) < 40 else None
