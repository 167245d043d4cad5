"""Measures the page of runs of 1,000, 10,000 and 100,000 cases: its size, the time until it can be used, and the speed
of filters.

The runs are artificial: one case in fifty differs, with forty signatures, and with evidence that hardly compresses and,
in the largest run, exceeds the limit of a page. Measuring in a browser requires chromium on PATH, or
DIFFHARNESS_BROWSER, and Playwright, which is in the development lock. Nothing here passes or fails, but a missed goal
is reported.
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
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from harness.compare.ruling import Ruling
from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.findings.signature import Signature
from reports.html.page import html_report

GOALS: Final = {
    "file, MB": 20.0,
    "first paint, ms": 2000.0,
    "can be used, ms of CPU": 3000.0,
    "filter change, ms": 200.0,
}
SIZES: Final = (1_000, 10_000, 100_000)
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
        compared={"validate v1": {"diagnostics": 0}, _PLACE: {"events": number % 17, "planned objects": number % 5}},
        step_s={name: {"validate v1": 0.01, _PLACE: number % 1009 / 1000} for name in ("legacy", "new")},
    )


def _descendants_cpu_s() -> float:
    """Return the processor time of all processes that this one has started, and theirs: those of the browser. It does
    not depend on what else the machine does. 0 where there is no /proc."""
    found: dict[int, tuple[int, float]] = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = place.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            ticks = int(words[11]) + int(words[12])
            found[int(place.parent.name)] = (int(words[1]), ticks / os.sysconf("SC_CLK_TCK"))
    mine = {os.getpid()}
    while more := {pid for pid, (parent, _) in found.items() if parent in mine} - mine:
        mine |= more
    return sum(found[pid][1] for pid in mine - {os.getpid()} if pid in found)


def measure_in_browser(file: Path, browser: str, rounds: int) -> dict[str, float]:
    from playwright.sync_api import sync_playwright

    paints, ready, spent, changes = [], [], [], []
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for _ in range(rounds):
            page = opened.new_page(viewport={"width": 1280, "height": 800})
            before_s = _descendants_cpu_s()
            page.goto(file.as_uri())
            page.wait_for_selector("html[data-ready=yes]", timeout=120_000)
            spent.append(1000 * (_descendants_cpu_s() - before_s))
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            ready.append(page.evaluate("performance.now()"))
            page.goto(f"{file.as_uri()}#view=cases")
            page.wait_for_selector("#rows > *")
            changes += [page.evaluate(_FILTER, query) for query in QUERIES]
            page.close()
        opened.close()
    return {
        "first paint, ms": statistics.median(paints),
        "can be used, ms": statistics.median(ready),
        "can be used, ms of CPU": statistics.median(spent),
        "filter change, ms": statistics.median(changes),
        "slowest filter change, ms": max(changes),
    }


def measure(count: int, rounds: int) -> dict[str, Any]:
    run = make_run(count)
    started_s = time.process_time()
    text = html_report(run)
    figures: dict[str, Any] = {"cases": count, "made in, s of CPU": time.process_time() - started_s}
    browser = os.environ.get("DIFFHARNESS_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "report.html"
        file.write_text(text, encoding="utf-8")
        figures["file, MB"] = file.stat().st_size / 1e6
        if browser is None:
            print("no browser: install chromium, or name one by DIFFHARNESS_BROWSER")
        else:
            figures |= measure_in_browser(file, browser, rounds)
    for name, figure in figures.items():
        missed = "" if figure <= GOALS.get(name, figure) else f"  (the goal is {GOALS[name]:,.0f})"
        print(f"{name:28}{figure:12,.1f}{missed}")
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, action="append", help="number of cases; can be repeated")
    parser.add_argument("--rounds", type=int, default=3, help="number of times the page is opened")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    chosen = parser.parse_args()
    found = [measure(count, chosen.rounds) for count in chosen.cases or SIZES]
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
