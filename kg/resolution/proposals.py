"""What papers propose under names that other things have, too, and how sure it is that the name is theirs.

That a paper proposes a thing is told by a model, and now and then of a thing that it only uses. A paper that gives a
thing its name says so: its title begins with the name (``NAME: …``), or it writes the bare name right after a verb of
naming (``We present NAME, a …``), without the article that a common technique has (``we introduce a VAE``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.model import Role
from kg.names import bare, normal
from kg.names.abbreviations import long_form_start
from kg.resolution.forms import by_initials, coined, spellings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from kg.model import Entity, PaperRecord

__all__ = ["Proposals", "coins", "gloss", "proposed_by_several", "sureness"]

_BEFORE = re.compile(
    r"(?:\b(?:propos|present|introduc|develop|describ|releas|unveil|contribut|design)(?:e|es|ed|ing|s)?"
    r"|\b(?:call|nam|dubb?|term|coin|denot|entitl)(?:e|l)?(?:s|ed|ing)?(?:\s+(?:it|this|as))?"
    r"|\bnamely)\s*[,:]?\s*[\"'“”‘’*`$]*$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\"'“”‘’*`$]*\s*(?:[,:;.(\[–—]|$|(?:a|an|the|which|that|to|for|as|and|in|by|with|on|from|where)\b)", re.IGNORECASE
)
_NEAR = 40
_TITLE = re.compile(
    r"\s*(?:\[[^\]]*\]\s*)?(?P<name>[^\s:][^:]{0,40}?)\s*(?::|\s[–—-]{1,3}\s)\s*(?P<gloss>\S.*)", re.DOTALL
)
_MAX_WORDS = 12
_FEWEST_LETTERS = 3


def sureness(record: PaperRecord, entity: Entity) -> float:
    """Return how sure the surest claim is that a paper proposes an entity; 0 where there is none."""
    sure = (claim.confidence for claim in record.roles if claim.role == Role.PROPOSES and claim.entity == entity.id)
    return max(sure, default=0.0)


def coins(record: PaperRecord, entity: Entity) -> bool:
    """Whether a paper's words give a thing its name."""
    names = {normal(name) for name in spellings(entity) if coined(name)}
    if normal(_title(record)[0]) in names:
        return True
    fields = dict(record.paper.fields())
    for mention in record.mentions:
        if mention.entity == entity.id and mention.field != "title":
            text = fields.get(mention.field, "")
            named = normal(text[mention.start : mention.end]) in names
            before = _BEFORE.search(text[max(0, mention.start - _NEAR) : mention.start])
            if named and before and _AFTER.match(text[mention.end : mention.end + _NEAR]):
                return True
    return False


def gloss(record: PaperRecord, entity: Entity) -> str | None:
    """Return what a title spells a name out as: the name that it begins with, or one that its first words abbreviate.

    These are titles like "CLIP: Cheap Lipschitz Training" and, of DPT, "Declaration-based Prompt Tuning for Questions".
    """
    names = spellings(entity)
    name, rest = _title(record)
    if normal(name) in set(map(normal, names)):
        words = re.sub(r"^(?:an?|the)\s+", "", rest, flags=re.IGNORECASE).split()[:_MAX_WORDS]
        begins = (" ".join(words[:end]) for end in range(2, len(words) + 1))
        return next((text for text in begins if long_form_start(bare(name), text) == 0), None)
    words = record.paper.title.split()[:_MAX_WORDS]
    shorts = [normal(one) for one in names if len(normal(one)) >= _FEWEST_LETTERS and bare(one).isupper()]
    begins = (" ".join(words[:end]) for end in range(2, len(words) + 1))
    return next((text for text in begins if any(by_initials(short, text) for short in shorts)), None)


def _title(record: PaperRecord) -> tuple[str, str]:
    """Return the name that a title begins with and what comes after the colon or dash, both blank where it has none."""
    found = _TITLE.match(record.paper.title)
    return (found["name"], found["gloss"]) if found else ("", "")


def proposed_by_several(unlinked: Iterable[tuple[PaperRecord, Entity]]) -> frozenset[str]:
    """Return the forms under which two papers or more propose something."""
    papers: dict[str, set[str]] = {}
    for record, entity in unlinked:
        if sureness(record, entity):
            for name in filter(coined, spellings(entity)):
                papers.setdefault(normal(name), set()).add(record.paper.key)
    return frozenset(form for form, found in papers.items() if len(found) > 1)


@dataclass(frozen=True, slots=True)
class Proposals:
    """The forms that several things have: `papers` that propose one under each, and what else it is called.

    `by_form` leads from each of these other forms to the senses, as pairs of form and paper.
    """

    papers: Mapping[str, Mapping[str, AbstractSet[str]]]
    by_form: Mapping[str, AbstractSet[tuple[str, str]]]

    @classmethod
    def of(cls, papers: Mapping[str, Mapping[str, AbstractSet[str]]]) -> Proposals:
        """Return the proposals: for each form the papers that propose something under it, with all of its forms."""
        several = {
            form: {paper: frozenset(others - {form}) for paper, others in found.items()}
            for form, found in papers.items()
        }
        by_form: dict[str, set[tuple[str, str]]] = {}
        for form, found in several.items():
            for paper, others in found.items():
                for other in others:
                    by_form.setdefault(other, set()).add((form, paper))
        return cls(several, by_form)

    def sense(self, paper: str, form: str, forms: AbstractSet[str], *, proposed: bool) -> tuple[str, str] | None:
        """Return the sense that a name has: the form that several things share, and the paper that proposes it.

        A paper's own proposal is its own sense; another paper's name is led to a sense where it has a form that this
        sense alone has.
        """
        if proposed and paper in self.papers.get(form, {}):
            return form, paper
        fitting = {
            sense
            for other in forms
            for sense in self.by_form.get(other, ())
            if sense[0] == form or form in self.papers[sense[0]][sense[1]]
        }
        return fitting.pop() if len(fitting) == 1 else None
