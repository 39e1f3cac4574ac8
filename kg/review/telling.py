"""An explanation as text to read, and as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kg.review.explaining import Explanation, LinkExplained, NodeExplained, Refusal

__all__ = ["as_data", "as_text"]


def as_text(explanation: Explanation, *, most: int = 20) -> str:
    """Return an explanation in lines, up to `most` links and refusals of each node (all where it is 0)."""
    lines: list[str] = []
    for node in explanation.nodes:
        lines += [*_node(node, most), ""]
    if explanation.left_out:
        lines += [f"{explanation.name!r} leads nowhere in:", *_some(map(_link, explanation.left_out), most), ""]
    return "\n".join(lines[:-1])


def _node(node: NodeExplained, most: int) -> Iterator[str]:
    thing, known = node.thing, node.known
    yield f"{thing.name} ({thing.type})  {thing.iri}"
    if thing.aliases:
        yield f"  also called: {'; '.join(thing.aliases)}"
    if known is not None:
        places = [place for place in (known.introduced_by, known.homepage, known.wikidata) if place]
        file = f" of {node.file.as_posix()}" if node.file is not None else ""
        yield f"  catalogue entry{file}: {'; '.join((known.name, *places))}"
    if node.family is not None:
        yield f"  a version of: {node.family.name}  {node.family.iri}"
    for correction in node.corrections:
        yield f"  corrected: {correction}"
    count = len(node.links)
    yield f"  linked from {count} {'entity' if count == 1 else 'entities'} of papers" + (":" if count else "")
    yield from _some(map(_link, node.links), most)
    if node.refusals:
        yield "  not linked to:"
        yield from _some(map(_refusal, node.refusals), most)


def _link(link: LinkExplained) -> str:
    surfaces = ", ".join(f"“{surface}”" for surface in link.surfaces)
    return f"    {link.paper}: {surfaces or link.entity} – {link.why}"


def _refusal(refusal: Refusal) -> str:
    place = f"{refusal.paper}: " if refusal.paper else ""
    return f"    {place}{refusal.name}{f'  {refusal.iri}' if refusal.iri else ''} – {refusal.why}"


def _some(lines: Iterable[str], most: int) -> list[str]:
    found = list(lines)
    if most and len(found) > most:
        return [*found[:most], f"    … and {len(found) - most} more; --all shows them"]
    return found


def as_data(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as data that JSON can hold."""
    return {
        "name": explanation.name,
        "nodes": [
            {
                "node": node.thing.iri,
                "name": node.thing.name,
                "type": node.thing.type.value,
                "aliases": list(node.thing.aliases),
                "catalogue": node.known.key if node.known is not None else None,
                "catalogue_file": node.file.as_posix() if node.file is not None else None,
                "family": node.thing.family,
                "corrections": list(node.corrections),
                "links": [_link_data(link) for link in node.links],
                "refusals": [asdict(refusal) for refusal in node.refusals],
            }
            for node in explanation.nodes
        ],
        "left_out": [_link_data(link) for link in explanation.left_out],
    }


def _link_data(link: LinkExplained) -> dict[str, Any]:
    return asdict(link) | {"surfaces": list(link.surfaces)}
