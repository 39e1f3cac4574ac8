"""Take the pictures of the README from a built graph: ``python docs/make_screenshot.py OUT [NAME]``.

OUT is a folder that `kg build` wrote. The whole graph goes to docs/graph.png; with a NAME, the evidence on that
entity goes to docs/evidence.png. A Chromium is needed: on the path, named in KG_TEST_CHROME, or Playwright's own.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).resolve().parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")


def main(out: Path, name: str | None = None) -> None:
    """Write the pictures.

    Raises:
        FileNotFoundError: there is no graph.html in `out`.
    """
    page_file = (out / "graph.html").resolve(strict=True)
    named = os.environ.get("KG_TEST_CHROME") or next(filter(None, map(shutil.which, NAMES)), None)
    # Chromium cannot make its sandbox as root.
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        args = ["--disable-gpu", *(["--no-sandbox"] if root else [])]
        browser = playwright.chromium.launch(executable_path=named, args=args)
        context = browser.new_context(
            offline=True, color_scheme="light", viewport={"width": 1320, "height": 860}, device_scale_factor=1.5
        )
        page = context.new_page()
        page.goto(page_file.as_uri())
        page.wait_for_function("window.kgView && kgView.labelled().length > 0")
        page.wait_for_timeout(300)
        page.screenshot(path=DOCS / "graph.png")
        if name:
            page.fill("#search", name)
            page.locator("#hits li").first.wait_for()
            page.keyboard.press("Enter")
            page.click("#around")
            page.mouse.move(5, 5)
            page.wait_for_timeout(300)
            page.screenshot(path=DOCS / "evidence.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
