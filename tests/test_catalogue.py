"""The catalogue: its data, its format, its errors, its gazetteer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import jsonschema
import pytest
import yaml

from kg.catalogue import load
from kg.catalogue.gazetteer import gazetteer
from kg.catalogue.reading import DATA
from kg.errors import CatalogueError
from kg.model import EntityType
from kg.names import compare, normal

FILES = sorted(DATA.glob("*.yaml"))


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_data_conforms_to_the_schema(path: Path) -> None:
    schema = json.loads((DATA.parent / "schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(yaml.safe_load(path.read_text(encoding="utf-8")), schema)


def test_the_catalogue_holds_what_papers_compare_with() -> None:
    counts = Counter(thing.type for thing in load().things)
    assert counts[EntityType.METHOD] >= 1700
    assert counts[EntityType.DATASET] >= 1100
    assert counts[EntityType.HARDWARE] >= 650
    assert counts[EntityType.TASK] >= 400
    assert counts[EntityType.METRIC] >= 200


def test_the_catalogue_says_where_things_are_to_be_found() -> None:
    things = load().things
    assert sum(thing.homepage is not None for thing in things if thing.type == EntityType.DATASET) >= 300
    assert sum(thing.homepage is not None for thing in things if thing.type != EntityType.DATASET) >= 200
    assert sum(thing.introduced_by is not None for thing in things) >= 2000


@pytest.mark.parametrize(
    "names",
    [
        "RAFT LoFTR LightGlue CoTracker GLIP YOLOv9 CoCoOp MaPLe VMamba SwinIR NAFNet PatchCore UNETR LLaVA-Med",
        "GPT-4.5 o1-mini Qwen3-Coder Qwen1.5 MiniCPM-V Molmo Janus Chameleon Zephyr Jamba Titans DeepSeek-Prover",
        "LTX-Video Open-Sora LlamaGen REPA SANA OmniGen Zero-1-to-3 TRELLIS pixelSplat TensoRF NeuS CUT3R Marigold",
        "GaLore OmniQuant AQLM MInference SageAttention Search-R1 Mem0 RAPTOR VAPO STaR E5 BGE SimCSE AlphaEvolve",
        "DreamerV2 IMPALA BCQ TD3+BC CogACT RDT-1B UniAD MixMatch TRADES DANN Tent iCaRL TransE FEDformer TabNet",
        "NequIP PaiNN Boltz-2 ScreenSpot-Pro AppWorld LiveBench C-Eval MGSM MultiWOZ Caltech-101 FGVC-Aircraft",
        "DNN LM MDP ERM ANN PDE GIN EM",
    ],
)
def test_what_papers_of_each_field_compare_with_is_known(names: str) -> None:
    assert [name for name in names.split() if not load().find(name)] == []


@pytest.mark.parametrize("word", ["complex", "time LLM", "meta dataset", "largest", "structured 3D", "tent", "star"])
def test_names_that_are_words_in_another_case_are_not_found_in_text(word: str) -> None:
    surfaces = [entry for entry in gazetteer(load()) if entry.surface.casefold().replace("-", " ") == word]
    assert all(entry.exact_case for entry in surfaces)


def test_keys_are_unique_and_made_of_names() -> None:
    things = load().things
    assert len({thing.key for thing in things}) == len(things)
    assert all(thing.key.split("~")[0] == normal(thing.name) for thing in things)


def test_no_alias_repeats_its_name_or_another_things_name() -> None:
    catalogue = load()
    # A short form that stands for two things belongs to both, as does a name that only its case parts; else to one.
    shared = {"asr", "cl", "codex", "dt", "em", "eqa", "fm", "gqa", "mae", "mdm", "ovis", "rf", "sgd", "vqa"}
    clashes = {
        form
        for thing in catalogue.things
        for form in map(normal, thing.spellings)
        if len(catalogue.find(form)) > 1
    }  # fmt: skip
    assert clashes == shared


def test_families_have_no_cycle() -> None:
    above = {normal(thing.name): normal(thing.family) for thing in load().things if thing.family}
    for start in above:
        seen = {start}
        key = start
        while key in above:
            key = above[key]
            assert key not in seen, f"{start} is a version of itself"
            seen.add(key)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("FA3", "FlashAttention-3"),
        ("Visual Geometry Grounded Transformers", "VGGT"),
        ("nvidia h100", "NVIDIA H100"),
        (r"$\pi_0$", "π0"),
        ("WikiText103", "WikiText-103"),
    ],
)
def test_find_by_any_spelling(name: str, expected: str) -> None:
    assert [thing.name for thing in load().find(name)] == [expected]


@pytest.mark.parametrize(
    ("version", "other"),
    [
        ("EPIC-KITCHENS-55", "EPIC-KITCHENS-100"),
        ("CO3D", "CO3Dv2"),
        ("DAVIS 2016", "DAVIS 2017"),
        ("o1", "o1-preview"),
        ("FLUX", "FLUX.1-dev"),
        ("Yi", "Yi-34B"),
        ("UR5", "UR5e"),
        ("TurtleBot", "TurtleBot3"),
        ("Kinect v2", "Azure Kinect"),
        ("Cortex-M0", "Cortex-M0+"),
        ("DYNAP-SE", "DYNAP-SE2"),
        ("Kunlun", "Kunlun II"),
        ("GB200", "GB200 NVL72"),
        ("GB300", "GB300 NVL72"),
        ("homomorphic encryption", "FHE"),
        ("Qwen2.5", "Qwen2.5-VL"),
        ("Qwen3", "Qwen3-Coder"),
        ("RT-1", "RT-2"),
        ("o1", "o4-mini"),
        ("HBM2e", "HBM4"),
        ("Atari 2600", "Atari 100k"),
    ],
)
def test_versions_of_one_line_are_apart_and_of_one_family(version: str, other: str) -> None:
    assert compare(version, other) == "version"


def test_a_count_of_operations_is_not_their_rate() -> None:
    assert [thing.name for thing in load().find("FLOPs")] == ["FLOPs"]
    assert [thing.name for thing in load().find("FLOPS")] == ["FLOPS"]


def test_find_gives_every_sense() -> None:
    assert [thing.name for thing in load().find("MAE")] == ["Masked Autoencoder", "mean absolute error"]
    assert load().find("never heard of") == ()


def test_users_things_are_added_and_extend(tmp_path: Path) -> None:
    mine = written(
        tmp_path / "mine.yaml",
        "type: Method\nthings:\n- {name: OurNet, aliases: [ON-1]}\n- {name: Mamba, aliases: [Mambo-S6]}\n"
        "- {name: MNIST, type: Task}\n",
    )
    catalogue = load(mine)
    assert catalogue.find("on1")[0].name == "OurNet"
    (mamba,) = catalogue.find("Mambo-S6")
    assert mamba.introduced_by == "arxiv:2312.00752"
    assert [thing.key for thing in catalogue.find("MNIST")] == ["mnist", "mnist~task"]
    assert load().find("OurNet") == ()


def test_a_long_form_is_told_and_is_a_spelling(tmp_path: Path) -> None:
    (lora,) = load().find("Low-Rank Adaptation")
    assert (lora.name, lora.long_form) == ("LoRA", "Low-Rank Adaptation")
    mine = written(tmp_path / "mine.yaml", "type: Method\nthings: [{name: OWN, long_form: Ordinary Web Net}]\n")
    (own,) = load(mine).find("ordinary web nets")
    assert (own.spellings, own.long_form) == (("OWN", "Ordinary Web Net"), "Ordinary Web Net")
    assert {entry.surface for entry in gazetteer(load(mine)) if entry.key == own.key} == {"OWN", "Ordinary Web Net"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- a\n- b\n", "has no list `things`"),
        ("things: [", "is not YAML"),
        ("things: [{type: Method}]", "entry 1: `name` must be a text"),
        ("things: [{name: X, type: Thing}]", r"entry 1 \(X\): `type` must be one of"),
        ("things: [{name: X}]", r"entry 1 \(X\): `type` must be one of"),
        ("type: Task\nthings: [{name: X}, {name: 3}]", "entry 2: `name` must be a text, not 3"),
        ("type: Task\nthings: [{name: X, aliases: Y}]", "`aliases` must be a list"),
        ("type: Task\nthings: [{name: X, colour: red}]", "unknown key: colour"),
        ("type: Task\nthings: [{name: X, homepage: 'javascript:alert(1)'}]", "`homepage` is not of the form"),
        ("type: Task\nthings: [{name: X, homepage: 'https://x.org/\">'}]", "`homepage` is not of the form"),
        ("type: Task\nthings: [{name: X, wikidata: 12}]", "`wikidata` must be a text"),
        ("things: [!!python/object/apply:os.getcwd []]", "is not YAML"),
    ],
)
def test_a_bad_file_is_told_by_file_entry_and_reason(tmp_path: Path, text: str, reason: str) -> None:
    path = written(tmp_path / "bad.yaml", text)
    with pytest.raises(CatalogueError, match=reason) as raised:
        load(path)
    assert str(raised.value).startswith(f"{path}: ")
    assert "\n" not in str(raised.value)


def test_a_missing_file_and_one_that_is_not_text(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="cannot be read"):
        load(tmp_path / "none.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CatalogueError, match="is not UTF-8 text"):
        load(tmp_path / "binary.yaml")


def test_nested_aliases_of_yaml_do_not_blow_up_the_message(tmp_path: Path) -> None:
    nested = ", ".join(f"&a{depth} [{', '.join([f'*a{depth - 1}'] * 9)}]" for depth in range(1, 12))
    with pytest.raises(CatalogueError, match="`name` must be a text") as raised:
        load(written(tmp_path / "laughs.yaml", f"things:\n- name: [&a0 [x, x], {nested}]\n"))
    assert len(str(raised.value)) < 500


@pytest.mark.parametrize("surface", ["SAM", "CLIP", "MATH", "Adam", "GAT", "DINO", "Falcon", "ARC", "Replica"])
def test_words_and_short_names_need_their_case(surface: str) -> None:
    found = [entry for entry in gazetteer(load()) if entry.surface == surface]
    assert found
    assert all(entry.exact_case for entry in found)


@pytest.mark.parametrize("surface", ["FlashAttention-3", "random Fourier features", "k-means", "NVIDIA H100"])
def test_telling_names_match_in_any_case(surface: str) -> None:
    found = [entry for entry in gazetteer(load()) if entry.surface == surface]
    assert found
    assert not any(entry.exact_case for entry in found)


def test_the_gazetteer_is_sorted_and_its_keys_are_known() -> None:
    catalogue = load()
    entries = gazetteer(catalogue)
    assert list(entries) == sorted(entries)
    assert len(set(entries)) == len(entries)
    of_things = [entry for entry in entries if catalogue.get(entry.key)]
    assert len({entry.key for entry in of_things}) == len(catalogue.things)


def test_the_learned_gazetteer_is_made_again_with_the_same_bytes(shared: Path, tmp_path: Path) -> None:
    script = Path(__file__).parents[1] / "training" / "make_gazetteer.py"
    out = tmp_path / "learned.tsv"
    subprocess.run([sys.executable, script, shared / "gold" / "train.jsonl", "--out", out], check=True)
    assert out.read_bytes() == (DATA / "learned.tsv").read_bytes()
