"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kg.model import KnowledgeGraph
from tests.graphs import small_graph


def require(condition: object, reason: str) -> None:
    """Skip the test where something it needs is not there; on CI, where it has to be, fail."""
    if condition:
        return
    if os.environ.get("CI"):
        pytest.fail(f"CI needs it: {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of gold annotations and corpora, which lies beside the checkout and is not part of it."""
    path = Path(__file__).resolve().parents[2] / "shared"
    require(path.is_dir(), f"the gold annotations are not at {path}")
    return path


@pytest.fixture
def graph() -> KnowledgeGraph:
    """Two papers, one method in two versions with their family, a dataset, a board."""
    return small_graph()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """On CI a skipped test is a failure: what the project promises has to be tried there."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
