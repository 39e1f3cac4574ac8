"""The SPARQL store is filled in parts: all of the file is in it, whatever the size of a part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from pyoxigraph import RdfFormat

from kg.errors import StoreError
from kg.rdf import triples, write_ntriples
from kg.stores import build_sparql_store
from tests.graphs import small_graph

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("part", [7, 100, 10**6])
def test_the_store_holds_the_triples_of_the_file(part: int, tmp_path: Path) -> None:
    graph = small_graph()
    write_ntriples(graph, tmp_path / "graph.nt")
    whole = pyoxigraph.Store()  # it keeps numbers of a kind of integer as integers, so it is compared with its like
    whole.load(path=str(tmp_path / "graph.nt"), format=RdfFormat.N_TRIPLES)
    store = pyoxigraph.Store.read_only(str(build_sparql_store(tmp_path, part=part)))
    assert set(store) == set(whole)
    assert len(store) == len(set(triples(graph)))


def test_a_mistake_in_a_later_part_is_told_with_its_line(tmp_path: Path) -> None:
    good = "<http://a/s> <http://a/p> <http://a/o> .\n"
    bad = "<http://a/b c> <http://a/p> <http://a/o> .\n"
    (tmp_path / "graph.nt").write_text(good * 4 + bad + good, encoding="utf-8")
    with pytest.raises(StoreError, match=r"is not N-Triples: line 5: Invalid IRI"):
        build_sparql_store(tmp_path, part=2)
    assert list((tmp_path / "store").iterdir()) == []
