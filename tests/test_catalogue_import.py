"""Public listings become catalogue files, and catalogue files are checked."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kg.catalogue import Catalogue, KnownThing, load
from kg.catalogue.checking import check, check_files
from kg.catalogue.importing import as_yaml, import_listing
from kg.catalogue.listings import Row, thing_of
from kg.catalogue.reading import read
from kg.errors import CatalogueError
from kg.model import EntityType
from tests.commands import kg

METHOD, DATASET, HARDWARE, TASK = EntityType.METHOD, EntityType.DATASET, EntityType.HARDWARE, EntityType.TASK
CATALOGUE = load()


def listing(folder: Path, *rows: dict[str, object], name: str = "listing.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return path


def imported(folder: Path, *rows: dict[str, object]) -> list[KnownThing]:
    path = listing(folder, *rows)
    out = folder / "out.yaml"
    out.write_text(as_yaml(import_listing(path, CATALOGUE), path.name), encoding="utf-8")
    return read(out)


PWC_DATASET = {
    "url": "https://paperswithcode.com/dataset/zetaset",
    "name": "ZetaSet",
    "full_name": "Zeta Collection of Sets",
    "homepage": "https://zeta.example.org/",
    "paper": {"title": "ZetaSet", "url": "https://paperswithcode.com/paper/zetaset"},
    "variants": ["ZetaSet-100"],
    "modalities": ["Images"],
    "num_papers": 3,
}
PWC_METHOD = {
    "url": "https://paperswithcode.com/method/zetaconv",
    "name": "ZetaConv",
    "full_name": "Zeta Convolution",
    "source_url": "http://arxiv.org/abs/1711.11248v3",
    "introduced_year": 2017,
    "collections": [],
}
MLSO = {
    "name": "Zeta Attention",
    "aliases": [],
    "kind": "method",
    "source_paper": ["https://arxiv.org/abs/cs/0112017"],
    "see_also": ["https://example.org/zeta"],
}
EPOCH = {
    "Hardware name": "Zeta Chip 9",
    "Manufacturer": "Zeta",
    "Link to datasheet": "https://zeta.example.org/9\nmore",
}
HUB_DATASET = {
    "id": "zeta-lab/zeta_bench",
    "tags": ["task_categories:question-answering", "arxiv:2401.00001"],
    "downloads": 9,
}
HUB_MODEL = {"modelId": "zeta-lab/Zeta-7B", "pipeline_tag": "text-generation", "tags": ["arxiv:2402.00002"]}


@pytest.mark.parametrize(
    ("row", "thing"),
    [
        (
            PWC_DATASET,
            KnownThing(
                *("zetaset", DATASET, "ZetaSet", ("Zeta Collection of Sets", "ZetaSet-100")),
                homepage="https://zeta.example.org/",
                long_form="Zeta Collection of Sets",
            ),
        ),
        (
            PWC_METHOD,
            KnownThing(
                *("zetaconv", METHOD, "ZetaConv", ("Zeta Convolution",)),
                introduced_by="arxiv:1711.11248",
                long_form="Zeta Convolution",
            ),
        ),
        (
            MLSO,
            KnownThing(
                *("zetaattention", METHOD, "Zeta Attention"),
                introduced_by="arxiv:cs/0112017",
                homepage="https://example.org/zeta",
            ),
        ),
        (EPOCH, KnownThing("zetachip9", HARDWARE, "Zeta Chip 9", homepage="https://zeta.example.org/9")),
        (
            HUB_DATASET,
            KnownThing(
                *("zetabench", DATASET, "zeta_bench"),
                homepage="https://huggingface.co/datasets/zeta-lab/zeta_bench",
            ),
        ),
        (
            HUB_MODEL,
            KnownThing(
                *("zeta7b", METHOD, "Zeta-7B"),
                homepage="https://huggingface.co/zeta-lab/Zeta-7B",
            ),
        ),
        (
            {"task": "zeta parsing", "synonyms": ["ZP parsing"]},
            KnownThing("zetaparsing", TASK, "zeta parsing", ("ZP parsing",)),
        ),
    ],
)
def test_each_kind_of_listing_is_read(tmp_path: Path, row: dict[str, object], thing: KnownThing) -> None:
    assert imported(tmp_path, row) == [thing]


def test_json_lines_compressed_files_and_tables_are_read(tmp_path: Path) -> None:
    lines = tmp_path / "a.jsonl.gz"
    lines.write_bytes(gzip.compress("\n".join(map(json.dumps, (MLSO, PWC_METHOD))).encode()))
    table = tmp_path / "b.csv"
    table.write_text('Hardware name,Manufacturer,TDP (W)\n"Zeta Chip 9",Zeta,9\nZeta Chip 8,Zeta,\n', encoding="utf-8")
    assert [thing.name for thing in import_listing(lines, CATALOGUE).things] == ["Zeta Attention", "ZetaConv"]
    assert [thing.type for thing in import_listing(table, CATALOGUE).things] == [HARDWARE, HARDWARE]


def test_a_known_thing_keeps_its_name_and_gains_what_is_new(tmp_path: Path) -> None:
    path = listing(tmp_path, {"name": "flash attention 3", "kind": "method", "aliases": ["FA three"]})
    result = import_listing(path, CATALOGUE)
    assert [(thing.name, thing.aliases) for thing in result.things] == [("FlashAttention-3", ("FA three",))]
    assert result.known == 1
    out = tmp_path / "out.yaml"
    out.write_text(as_yaml(result, "x"), encoding="utf-8")
    (thing,) = load(out).find("FA three")
    assert (thing.key, thing.introduced_by) == ("flashattention3", "arxiv:2407.08608")


def test_a_known_thing_keeps_its_paper_and_its_homepage(tmp_path: Path) -> None:
    row: dict[str, object] = {"name": "DAPO", "kind": "method", "source_paper": ["https://arxiv.org/abs/2009.04984"]}
    (thing,) = import_listing(listing(tmp_path, row), CATALOGUE).things
    assert (thing.name, thing.introduced_by) == ("DAPO", None)


@pytest.mark.parametrize(
    ("listed", "shipped"),
    [
        ("Amazon Trainium2", "AWS Trainium2"),
        ("Intel Habana Gaudi2", "Intel Gaudi 2"),
        ("NVIDIA Tesla K80", "NVIDIA K80"),
        ("AMD Radeon Instinct MI250X", "AMD MI250X"),
        ("NVIDIA B300 (Blackwell Ultra)", "NVIDIA B300"),
        ("NVIDIA GeForce RTX 2080 Ti 11GB", "NVIDIA GeForce RTX 2080 Ti"),
        ("TPUv3 Chip", "TPU v3"),
    ],
)
def test_hardware_joins_the_shipped_thing_whatever_maker_or_line_the_listing_names(
    tmp_path: Path, listed: str, shipped: str
) -> None:
    result = import_listing(listing(tmp_path, {"name": listed, "kind": "hardware"}), CATALOGUE)
    assert [thing.name for thing in result.things] == [shipped]
    assert result.known == 1


def test_spellings_of_one_piece_of_hardware_are_one_thing_of_the_listing(tmp_path: Path) -> None:
    names = ("NVIDIA A100 SXM4 80 GB", "A100-SXM4-80GB", "NVIDIA A100 SXM4 40 GB")
    rows: list[dict[str, object]] = [{"name": name, "kind": "hardware"} for name in names]
    things = import_listing(listing(tmp_path, *rows), CATALOGUE).things
    assert [thing.name for thing in things] == ["NVIDIA A100 SXM4 40 GB", "NVIDIA A100 SXM4 80 GB"]
    assert things[1].aliases == ("A100-SXM4-80GB",)


@pytest.mark.parametrize(
    ("listed", "kind", "family"),
    [
        ("Tesla V100-SXM2-32GB", "hardware", "NVIDIA V100"),
        ("Intel Xeon E5-2650", "hardware", "Intel Xeon"),
        ("MNIST-8M", "dataset", "MNIST"),
        ("BYOL v9", "method", "BYOL"),
        ("COCO-Tasks", "dataset", None),
        ("GPT-Neo", "method", None),
        ("image captioning 2", "task", None),
    ],
)
def test_what_only_adds_details_to_a_known_name_is_a_version_of_it(
    tmp_path: Path, listed: str, kind: str, family: str | None
) -> None:
    (thing,) = imported(tmp_path, {"name": listed, "kind": kind})
    assert (thing.name, thing.family) == (listed, family)


def test_a_paper_among_the_tags_of_a_model_is_not_the_one_that_introduced_it(tmp_path: Path) -> None:
    row: dict[str, object] = {
        "id": "zeta/Zeta-8B-Instruct",
        "library_name": "x",
        "tags": ["arxiv:2204.05149", "license:mit"],
    }
    (thing,) = imported(tmp_path, row)
    assert thing.introduced_by is None


def test_an_alias_that_another_thing_has_is_dropped_and_counted(tmp_path: Path) -> None:
    path = listing(
        tmp_path,
        {"name": "Zeta One", "kind": "method", "aliases": ["ZO", "SAM", "Zeta Two"]},
        {"name": "Zeta Two", "kind": "method", "aliases": ["ZO"]},
    )
    result = import_listing(path, CATALOGUE)
    assert {thing.name: thing.aliases for thing in result.things} == {"Zeta One": (), "Zeta Two": ()}
    assert result.ambiguous == ("SAM", "ZO", "Zeta Two")


def test_repeated_rows_are_one_thing_and_rows_that_tell_nothing_are_named(tmp_path: Path) -> None:
    path = listing(
        tmp_path,
        {"name": "Zeta Net", "kind": "method", "homepage": "https://a.example.org"},
        {"name": "ZetaNet", "kind": "method", "aliases": ["ZNet"], "source_paper": ["arXiv:2401.00001"]},
        {"kind": "method"},
        {"name": "Zeta"},
        {"name": "12", "kind": "task"},
    )
    result = import_listing(path, CATALOGUE)
    (thing,) = result.things
    assert (thing.name, thing.aliases, thing.introduced_by) == ("Zeta Net", ("ZNet",), "arxiv:2401.00001")
    assert thing.homepage == "https://a.example.org"
    assert result.repeated == 1
    assert [line.split(":")[0] for line in result.skipped] == ["row 3", "row 4", "row 5"]
    assert "does not say whether it is a method" in result.skipped[1]


def test_the_user_may_say_what_all_rows_are(tmp_path: Path) -> None:
    result = import_listing(listing(tmp_path, {"name": "Zeta"}), CATALOGUE, type_=TASK)
    assert result.things[0].type == TASK


texts = st.one_of(
    st.text(max_size=30), st.just("x" * 300), st.just("https://x.org/<script>"), st.just("arxiv:2401.00001")
)
values = st.one_of(
    texts, st.none(), st.integers(), st.lists(texts, max_size=3), st.dictionaries(texts, texts, max_size=2)
)
keys = st.sampled_from(
    ["name", "id", "aliases", "full_name", "homepage", "url", "wikidata", "paper", "tags", "kind", "task"]
)


@given(st.lists(st.dictionaries(keys, values, max_size=6), min_size=1, max_size=4))
def test_whatever_a_row_holds_the_file_is_a_catalogue(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    result = import_listing(listing(folder, *rows), CATALOGUE, type_=METHOD)
    out = folder / "out.yaml"
    out.write_text(as_yaml(result, "any\n- listing"), encoding="utf-8", newline="\n")
    if result.things:
        assert read(out) == list(result.things)
    assert len(result.skipped) + len(result.things) + result.repeated == len(rows)


@given(keys, values)
def test_a_row_gives_a_thing_or_a_reason(key: str, value: object) -> None:
    try:
        thing = thing_of(Row(1, {key: value}), METHOD)
    except ValueError as error:
        assert str(error)
    else:
        assert thing.name.strip()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[", "is not JSON"),
        (b"[1]", "holds no rows"),
        (b"", "holds no rows"),
        (b'{"name": "x"}\n{', "line 2 is not JSON"),
        (b"\x1f\x8bdamaged", "is damaged|cannot be read"),
        (b"\xff\xfe\x00", "is not UTF-8 text"),
    ],
)
def test_what_is_no_listing_is_one_error(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "bad"
    path.write_bytes(data)
    with pytest.raises(CatalogueError, match=message):
        import_listing(path, CATALOGUE)


@pytest.mark.parametrize("kind", ["datasets", "hardware", "methods", "metrics", "tasks"])
def test_samples_of_public_listings_give_files_without_new_faults(shared: Path, tmp_path: Path, kind: str) -> None:
    out = tmp_path / f"{kind}.yaml"
    done = kg("catalogue", "import", shared / "catalogues" / f"{kind}.jsonl.gz", "--out", out)
    assert (done.returncode, done.stderr) == (0, "")
    things = read(out)
    assert len(things) > {"datasets": 5000, "hardware": 170, "methods": 2000, "metrics": 80, "tasks": 1800}[kind]
    assert Counter(thing.type.value.casefold() + ("" if kind == "hardware" else "s") for thing in things) == {
        kind: len(things)
    }
    assert kg("catalogue", "check", out).returncode == 0
    again = tmp_path / "again.yaml"
    kg("catalogue", "import", shared / "catalogues" / f"{kind}.jsonl.gz", "--out", again)
    assert again.read_bytes() == out.read_bytes()


def texts_of(catalogue: Catalogue, *, faults: bool = True) -> list[str]:
    return [finding.text for finding in check(catalogue) if finding.fault == faults]


def catalogue(folder: Path, things: str, name: str = "mine.yaml") -> Path:
    path = folder / name
    path.write_text(f"type: Method\nthings:\n{things}", encoding="utf-8")
    return path


def test_the_shipped_catalogue_has_no_fault_and_is_as_large_as_it_says() -> None:
    assert texts_of(CATALOGUE) == []
    counts = Counter(thing.type for thing in CATALOGUE.things)
    least = {METHOD: 600, DATASET: 400, HARDWARE: 250, TASK: 150, EntityType.METRIC: 80}
    assert all(counts[type_] >= count for type_, count in least.items())


@pytest.mark.parametrize(
    ("things", "fault"),
    [
        ("- {name: Zig, aliases: [Zagger]}\n- {name: Zagger}\n", "a clash"),
        ("- {name: Zig, aliases: [Zogger]}\n- {name: Zag, aliases: [zog-ger]}\n", "a duplicate alias"),
        ("- {name: Zig, aliases: [Zigger, Zigger]}\n", "has the alias 'Zigger' twice"),
        ("- {name: Zig, family: Zag}\n- {name: Zag, family: Zig}\n", "in a circle: Zag → Zig → Zag"),
        ("- {name: Zig, family: Zig}\n", "in a circle: Zig → Zig"),
        ("- {name: Zig, family: ImageNet}\n", "its family 'ImageNet' is a Dataset, not a Method"),
        ("- {name: Zig, aliases: [Baz, baz]}\n", "has the alias 'Baz' twice, as 'baz' counts in any case"),
        ("- {name: Zig-net}\n- {name: ZigNet}\n", "stands twice in the file, as entry 1, too"),
        (
            "- {name: Zeta ZX9, type: Hardware, aliases: [H100 NVL80]}\n- {name: AMD H100 NVL80, type: Hardware}\n",
            "both",
        ),
        (
            "- {name: Zig X9, type: Hardware}\n- {name: AMD Zig X9, type: Hardware}\n",
            "called 'zigx9' but for the maker",
        ),
        ("- {name: Zig, aliases: [Segment Anything Model]}\n", "both called"),
    ],
)
def test_each_fault_is_found_and_is_the_exit_status(tmp_path: Path, things: str, fault: str) -> None:
    path = catalogue(tmp_path, things)
    (found,) = {finding.text for finding in check_files([path]) if finding.fault}
    assert fault in found
    done = kg("catalogue", "check", path)
    assert done.returncode == 1
    assert found in done.stdout


@pytest.mark.parametrize(
    ("things", "note"),
    [
        ("- {name: Zig, family: Zog}\n", "is not in the catalogue itself"),
        ("- {name: ImageNet}\n", "are both called"),
        (
            "- {name: Zig tool, aliases: [ZT]}\n- {name: Zag tree, aliases: [ZT]}\n",
            "both called 'ZT', a duplicate alias",
        ),
    ],
)
def test_what_may_be_meant_so_is_a_note(tmp_path: Path, things: str, note: str) -> None:
    path = catalogue(tmp_path, things)
    assert any(note in finding.text and not finding.fault for finding in check_files([path]))
    done = kg("catalogue", "check", path, "--notes")
    assert done.returncode == 0
    assert note in done.stdout


def test_a_build_refuses_families_in_a_circle_and_names_file_and_entry(tmp_path: Path) -> None:
    path = catalogue(tmp_path, "- {name: Zeg}\n- {name: Zig, family: Zag}\n- {name: Zag, family: Zig}\n")
    message = r"mine\.yaml: entry 2 \(Zig\): families go in a circle: Zag → Zig → Zag"
    with pytest.raises(CatalogueError, match=message):
        load(path)
    done = kg("build", listing(tmp_path, {"title": "Zig"}), "--out", tmp_path / "out", "--catalogue", path)
    assert done.returncode == 1
    assert "entry 2 (Zig): families go in a circle" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_build_warns_of_clashes_and_names_file_and_entry(tmp_path: Path) -> None:
    path = catalogue(tmp_path, "- {name: Zeg}\n- {name: Zig, aliases: [CLIP]}\n")
    papers = tmp_path / "p.txt"
    papers.write_text("We compare with Zig on ImageNet.", encoding="utf-8")
    done = kg("build", papers, "--out", tmp_path / "out", "--catalogue", path, "--pipeline", "rules")
    assert done.returncode == 0
    assert f"warning: {path.as_posix()}: entry 2 (Zig): Method 'CLIP' and Method 'Zig' are both called" in done.stderr


def test_products_of_two_makers_under_one_number_are_no_fault(tmp_path: Path) -> None:
    things = "- {name: AMD ZX99, type: Hardware}\n- {name: Intel ZX99, type: Hardware}\n"
    assert check_files([catalogue(tmp_path, things)]) == []


def test_an_alias_that_reads_as_a_version_is_a_note(tmp_path: Path) -> None:
    path = catalogue(tmp_path, "- {name: Zigger, aliases: [Zigger 2]}\n")
    assert [finding.text for finding in check_files([path]) if not finding.fault] == [
        "Method 'Zigger': its alias 'Zigger 2' reads as a version of 'Zigger'"
    ]


def test_a_clean_file_has_nothing_to_say(tmp_path: Path) -> None:
    assert check_files([catalogue(tmp_path, "- {name: Zig, aliases: [Ziggy]}\n")]) == []
    assert kg("catalogue", "check", tmp_path / "none.yaml").returncode == 1


def test_a_file_that_was_imported_is_the_catalogue_of_a_build(tmp_path: Path) -> None:
    out = tmp_path / "zeta.yaml"
    assert kg("catalogue", "import", listing(tmp_path, PWC_METHOD), "--out", out).returncode == 0
    papers = tmp_path / "p.txt"
    papers.write_text("We compare with ZetaConv on ImageNet.", encoding="utf-8")
    done = kg("build", papers, "--out", tmp_path / "out", "--catalogue", out)
    assert done.returncode == 0
    assert "arxiv:1711.11248" in (tmp_path / "out" / "graph.ttl").read_text(encoding="utf-8")
    assert yaml.safe_load(out.read_text(encoding="utf-8"))["things"][0]["name"] == "ZetaConv"
