"""Makes the pictures of the documentation: the page of a real run, the recorded pair of corpus/opentofu-migration.

    python docs/pictures/make.py

It needs Playwright, which is in the development lock, and a browser: chromium on PATH, or DIFFHARNESS_BROWSER. Times in
a picture depend on the machine; everything else is reproducible, as long as the corpus does not change.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

PLACE: Final = Path(__file__).parent
ROOT: Final = PLACE.parent.parent
CORPUS: Final = "corpus/opentofu-migration"
ENGINES: Final = "recorded:opentofu-main,recorded:opentofu-main-new"
CAUSE: Final = "FeatureRefresh-read"
CASE: Final = "discoveries/n01_crash_with_blocks"
PICTURES: Final = {
    "report.png": ("", 860),
    "cause.png": (f"cause={CAUSE}", 860),
    "case.png": (f"case={CASE}&panels=calls,events,files,noise,state".replace("/", "%2F"), 1050),
}
"""The part of the page, and its height."""

WIDTH: Final = 1100
LARGEST: Final = 300_000
"""Limit in bytes, because every clone of the repository contains them."""


def main() -> None:
    browser = os.environ.get("DIFFHARNESS_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("There is no browser: install chromium, or name one by DIFFHARNESS_BROWSER.")
    with tempfile.TemporaryDirectory() as scratch:
        page = _page(Path(scratch))
        with sync_playwright() as playwright:
            opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
            for name, (view, height) in PICTURES.items():
                _take(opened, f"{page.as_uri()}#{view}", height, PLACE / name)
            opened.close()


def _page(scratch: Path) -> Path:
    page = scratch / "report.html"
    _diffharness(1, "run", CORPUS, "--engines", ENGINES, "--out", str(scratch / "run"), "--html", str(page))
    return page


def _diffharness(status: int, *arguments: str) -> None:
    command = [sys.executable, "-c", "from harness.cli import main; main()", *arguments]
    ended = subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    if ended.returncode != status:
        sys.exit(f"diffharness {' '.join(arguments)} ended with {ended.returncode}, and {status} was expected.")


def _take(browser: Browser, address: str, height: int, file: Path) -> None:
    page = browser.new_page(viewport={"width": WIDTH, "height": height})
    page.goto(address)
    page.wait_for_selector("html[data-ready=yes]")
    page.screenshot(path=file)
    page.close()
    size = file.stat().st_size
    print(f"{file.relative_to(ROOT)}: {size:,} bytes")
    if size > LARGEST:
        sys.exit(f"That is too large: {LARGEST:,} at most.")


if __name__ == "__main__":
    main()
