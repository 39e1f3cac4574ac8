"""docker-compose.yml against the Compose specification, and against what it has to promise."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests.neo4j_server import VERSIONS

COMPOSE = Path(__file__).parents[1] / "docker-compose.yml"


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    return loaded


def test_it_conforms_to_the_compose_specification(compose: dict[str, Any]) -> None:
    folder = files("check_jsonschema").joinpath("builtin_schemas", "vendor")
    schema = json.loads(folder.joinpath("compose-spec.json").read_text(encoding="utf-8"))
    jsonschema.validate(compose, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**compose, "servcies": {}}, schema)


def test_the_image_is_pinned_to_a_version_that_is_tested(compose: dict[str, Any]) -> None:
    tag = re.fullmatch(r"neo4j:(?P<version>[\d.]+)-community", compose["services"]["neo4j"]["image"])
    assert tag is not None
    assert tag["version"] in VERSIONS


def test_every_port_is_bound_to_loopback(compose: dict[str, Any]) -> None:
    ports = compose["services"]["neo4j"]["ports"]
    assert sorted(ports) == ["127.0.0.1:7474:7474", "127.0.0.1:7687:7687"]


def test_the_password_comes_from_the_environment_and_its_absence_is_an_error(compose: dict[str, Any]) -> None:
    auth = compose["services"]["neo4j"]["environment"]["NEO4J_AUTH"]
    required = re.fullmatch(r"neo4j/\$\{NEO4J_PASSWORD:\?(?P<message>.+)\}", auth)
    assert required is not None
    assert "NEO4J_PASSWORD" in required["message"]


def test_the_container_gets_no_variable_that_neo4j_would_take_for_a_setting(compose: dict[str, Any]) -> None:
    # The image turns each NEO4J_… variable into a setting, and refuses to start for one that it does not know.
    names = set(compose["services"]["neo4j"]["environment"])
    assert "NEO4J_PASSWORD" not in names
    assert "NEO4J_USERNAME" not in names


def test_the_data_outlive_the_container(compose: dict[str, Any]) -> None:
    volume, _, place = compose["services"]["neo4j"]["volumes"][0].partition(":")
    assert place == "/data"
    assert volume in compose["volumes"]


def test_the_health_check_logs_in(compose: dict[str, Any]) -> None:
    kind, command = compose["services"]["neo4j"]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    assert "cypher-shell" in command
    assert re.findall(r"\$+", command) == ["$$"], "one dollar would be filled in by compose, not in the container"
