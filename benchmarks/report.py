"""Measures the page of a very large run: its size, the time until it shows something, and the speed of filters.

The run is artificial: one case in fifty differs, with forty signatures, and with evidence that hardly compresses and
exceeds the limit of a page. Measuring in a browser requires chromium on PATH, or DIFFHARNESS_BROWSER, and Playwright,
which is in the development lock. Nothing here passes or fails, but a missed goal is reported.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from harness.compare.ruling import Ruling
from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.findings.signature import Signature
from reports.html.page import html_report

GOALS: Final = {"file, MB": 30.0, "first paint, ms": 2000.0, "filter change, ms": 200.0}
QUERIES: Final = ("ruling:differs", "area:area_7", "abc", "new=differs !area_1", "", "group:0", "case-0", "!case")
_MAIN: Final = 'resource "terraform_data" "a" {\n  input = "x"\n}\n'
_PLACE: Final = "step 1 (apply v1)"
_SIGNATURES: Final = 40

_FILTER: Final = """
async (query) => {
  const input = document.querySelector("#query");
  const started = performance.now();
  input.value = query;
  input.dispatchEvent(new Event("input"));
  await new Promise((done) => {
    const rows = document.querySelector("#rows");
    const seen = new MutationObserver(() => { seen.disconnect(); requestAnimationFrame(() => setTimeout(done, 0)); });
    seen.observe(rows, { childList: true, attributes: true });
  });
  return performance.now() - started;
}
"""
"""Time from a key press to the new rows, including the pause in which more keys may follow."""


def make_run(count: int) -> Run:
    results = map(_result, range(count))
    return Run(
        {"seed": "0"}, ("legacy", "new"), tuple(sorted(results, key=lambda each: each.identifier)), planned=count
    )


def _result(number: int) -> CaseResult:
    digest = hashlib.sha256(str(number).encode()).hexdigest()
    name = f"area_{number % 90}/case-{digest[:12]}"
    is_different = number % 50 == 0
    signature = Signature("new", "apply", Ruling.DIFFERS, f"plan.shape_{number // 50 % _SIGNATURES}", "value")
    found = Finding(signature, ("legacy",), _PLACE, "plan terraform_data.a: actions", '"create"', '"no-op"')
    files = (
        {} if not is_different else {"v1/main.tf": f"{_MAIN}# {hashlib.shake_256(digest.encode()).hexdigest(10_000)}\n"}
    )
    return CaseResult(
        name,
        f"corpus/{name}",
        f"area_{number % 90}",
        f"What this case protects is told here, in a sentence of its own ({digest[:4]}).",
        engines=("legacy", "new"),
        equal=() if is_different else ("new",),
        findings=(found,) if is_different else (),
        evidence=json.dumps({"files": files}) if is_different else "",
        runs={"legacy": 2, "new": 1},
        elapsed_s={"legacy": 0.02, "new": 0.01},
    )


def measure_in_browser(file: Path, browser: str, rounds: int) -> dict[str, float]:
    from playwright.sync_api import sync_playwright

    paints, ready, changes = [], [], []
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for _ in range(rounds):
            page = opened.new_page(viewport={"width": 1280, "height": 800})
            page.goto(file.as_uri())
            page.wait_for_selector("html[data-ready=yes]", timeout=120_000)
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            ready.append(page.evaluate("performance.now()"))
            page.goto(f"{file.as_uri()}#view=cases")
            page.wait_for_selector("#rows > *")
            changes += [page.evaluate(_FILTER, query) for query in QUERIES]
            page.close()
        opened.close()
    return {
        "first paint, ms": statistics.median(paints),
        "list can be used, ms": statistics.median(ready),
        "filter change, ms": statistics.median(changes),
        "slowest filter change, ms": max(changes),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3, help="number of times the page is opened")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    chosen = parser.parse_args()
    run = make_run(chosen.cases)
    started_s = time.monotonic()
    text = html_report(run)
    figures: dict[str, Any] = {"cases": chosen.cases, "made in, s": time.monotonic() - started_s}
    browser = os.environ.get("DIFFHARNESS_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "report.html"
        file.write_text(text, encoding="utf-8")
        figures["file, MB"] = file.stat().st_size / 1e6
        if browser is None:
            print("no browser: install chromium, or name one by DIFFHARNESS_BROWSER")
        else:
            figures |= measure_in_browser(file, browser, chosen.rounds)
    for name, figure in figures.items():
        missed = "" if figure <= GOALS.get(name, figure) else f"  (the goal is {GOALS[name]:,.0f})"
        print(f"{name:28}{figure:12,.1f}{missed}")
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
