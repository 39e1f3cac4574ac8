"""The SPARQL store is filled in parts: all of the file is in it, whatever the size of a part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph
import pytest

from kg.errors import StoreError
from kg.rdf import triples, write_ntriples
from kg.stores import build_sparql_store
from tests.library import library

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("lines", [1, 7, 10**6])
def test_the_store_holds_the_triples_of_the_file(lines: int, tmp_path: Path) -> None:
    graph = library()
    wanted = set(triples(graph))
    if lines == 1:  # each part is a file in the store for a while
        wanted = set(sorted(wanted, key=str)[:40])
        pyoxigraph.serialize(wanted, str(tmp_path / "graph.nt"), format=pyoxigraph.RdfFormat.N_TRIPLES)
    else:
        write_ntriples(graph, tmp_path / "graph.nt")
    store = pyoxigraph.Store.read_only(str(build_sparql_store(tmp_path, part=lines)))
    assert {quad.triple for quad in store} == wanted


def test_a_mistake_in_a_later_part_is_told_with_its_line(tmp_path: Path) -> None:
    good = "<http://a/s> <http://a/p> <http://a/o> .\n"
    (tmp_path / "graph.nt").write_text(
        good * 4 + "<http://a/b c> <http://a/p> <http://a/o> .\n" + good, encoding="utf-8"
    )
    with pytest.raises(StoreError, match=r"is not N-Triples: line 5: Invalid IRI"):
        build_sparql_store(tmp_path, part=2)
    assert list((tmp_path / "store").iterdir()) == []
