"""A real Chromium without a network, for tests of pages."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from playwright.sync_api import Error, sync_playwright

from tests.conftest import require

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Route

HOW = (
    "no Chromium was found: install one (apt-get install chromium, or python -m playwright install chromium) "
    "or name it in KG_TEST_CHROME"
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
QUIET = (
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass
class Opened:
    """A page that was opened from disk, and all that went wrong or out meanwhile."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def outside(self) -> list[str]:
        """The requests that were not for a file on disk or for data within the page."""
        return [url for url in self.requests if not url.startswith(("file://", "data:"))]

    def view(self, expression: str) -> Any:
        """Evaluate an expression on what the page says about itself, e.g. ``shown()``."""
        return self.page.evaluate(f"kgView.{expression}")


def executable() -> str | None:
    """Where a Chromium lies: as KG_TEST_CHROME says, on the path, or none (then Playwright's own is tried)."""
    named = os.environ.get("KG_TEST_CHROME")
    return named or next((found for found in map(shutil.which, NAMES) if found), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a headless Chromium; where there is none, skip, or fail on CI."""
    # Chromium cannot make its sandbox as root, which is who tests are run by in containers.
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = None
        try:
            args = [*QUIET, *(["--no-sandbox"] if root else [])]
            browser = playwright.chromium.launch(executable_path=executable(), args=args)
        except Error as error:
            require(False, f"{HOW} ({str(error).splitlines()[0]})")
        assert browser is not None
        yield browser
        browser.close()


@contextmanager
def opened(
    browser: Browser, path: Path, *, scheme: Literal["light", "dark"] = "light", width: int = 1400, height: int = 900
) -> Iterator[Opened]:
    """Open a file from disk with the network off."""
    context = browser.new_context(
        offline=True, color_scheme=scheme, viewport={"width": width, "height": height}, service_workers="block"
    )
    result = Opened(context.new_page())

    def gate(route: Route) -> None:
        if route.request.url.startswith("file://"):
            route.continue_()
        else:
            route.abort()

    def hear(said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            result.complaints.append(said.text)

    def refuse(dialog: Dialog) -> None:
        result.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    context.route("**/*", gate)
    page = result.page
    page.on("request", lambda request: result.requests.append(request.url))
    page.on("pageerror", lambda error: result.complaints.append(str(error)))
    page.on("console", hear)
    page.on("dialog", refuse)
    page.goto(path.resolve().as_uri())
    page.wait_for_function("window.kgView && kgView.labelled().length >= 0")
    page.wait_for_timeout(150)
    try:
        yield result
    finally:
        context.close()
