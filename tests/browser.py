"""Finds an installed browser and the rules of axe-core, for tests of the page."""

from __future__ import annotations

import os
import shutil
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Final

__all__ = ["AXE", "BROWSER", "NO_AXE", "NO_BROWSER"]

NO_BROWSER: Final = "there is no browser to open the page with: install chromium, or name one by DIFFHARNESS_BROWSER"
NO_AXE: Final = "there is no axe-core: install axe-playwright-python, or name axe.min.js by DIFFHARNESS_AXE"

BROWSER: Final = os.environ.get("DIFFHARNESS_BROWSER") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None
)


def _axe() -> str | None:
    """Return the source of axe-core."""
    named = os.environ.get("DIFFHARNESS_AXE")
    if named:
        return Path(named).read_text(encoding="utf-8")
    if find_spec("axe_playwright_python") is None:
        return None
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


AXE: Final = _axe()
