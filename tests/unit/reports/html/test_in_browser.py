"""The page of a run in a real browser: views, filters, keys, history, copying, accessibility, and no network request.
All tests share one browser and one file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from harness.findings.finding import Standing
from reports.html.page import html_report
from reports.run.harness_quality import Benchmark, FuzzFigures, HarnessQuality, MutantAttempt
from tests.browser import AXE, BROWSER, NO_AXE, NO_BROWSER
from tests.sample_runs import MIXED, finding, result, run_of

sync_api: Final[Any] = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: nothing to open the page with"
)
pytestmark = pytest.mark.skipif(BROWSER is None, reason=NO_BROWSER)

HOSTILE: Final = "<img src=x onerror=document.title='taken'></script><script>document.title='taken'</script>"
PLACE: Final = "step 1 (apply v1)"
EVENTS: Final = json.dumps(
    {
        "files": {"v1/main.tf": 'resource "terraform_data" "a" {\n}\n', HOSTILE: HOSTILE},
        "courses": {
            "legacy": {PLACE: {"config": "v1", "ok": True, "events": [["apply_start", "terraform_data.a", "create"]]}},
            "new": {PLACE: {"config": "v1", "ok": False, "events": [["apply_start", HOSTILE, "create"]]}},
        },
    }
)
FILM: Final = json.dumps(
    {
        "format": 1,
        "frames": [
            {
                "told": "as it was",
                "trials": 0,
                "blocks": 2,
                "lines": 4,
                "files": {"v1/main.tf": 'resource "terraform_data" "a" {\n}\nlocals {\n}\n', "v1/more.tf": HOSTILE},
                "without": [],
            },
            {
                "told": f"left out blocks {HOSTILE}",
                "trials": 3,
                "blocks": 1,
                "lines": 2,
                "files": {"v1/main.tf": 'resource "terraform_data" "a" {\n}\n'},
                "without": ["v1/more.tf"],
            },
        ],
    }
)
HEALTH: Final = HarnessQuality(
    Benchmark(
        "corpus",
        (
            MutantAttempt("B01", "corpus/x/y", 3, "new: plan differs"),
            MutantAttempt("S01", "", 800, HOSTILE, "It lags."),
        ),
    ),
    FuzzFigures("7", "default", "abc", 200, 4.25, 0.714, 0, "found"),
)
RUN: Final = run_of(
    *(replace(each, features=("moved block",)) if each.area != "expressions" else each for each in MIXED.results),
    result(
        "c/hostile",
        finding(explanation=(HOSTILE,), got=HOSTILE),
        finding("events.x", got=HOSTILE, count=2, standing=Standing.FOLLOWS, follows=(finding().signature.digest,)),
        description=HOSTILE,
        evidence=EVENTS,
        reduction_history=FILM,
    ),
    result(f"c/{HOSTILE.replace('/', '')}"),
    classes=MIXED.classes,
    titles=MIXED.titles,
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("page") / "report.html"
    made.write_text(html_report(RUN, replace(RUN, results=RUN.results[:1]), HEALTH), encoding="utf-8")
    return made


@pytest.fixture
def page(browser: Any, file: Path) -> Iterator[Any]:
    """Open the first screen. Whatever a test does, there must be no error, and no request except for the file."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    problems: list[str] = []
    requests: list[str] = []
    opened.on(
        "console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None
    )
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("request", lambda request: requests.append(request.url))
    opened.goto(file.as_uri())
    opened.wait_for_selector("html[data-ready=yes]")
    yield opened
    assert problems == []
    assert set(requests) == {file.as_uri()}
    assert "taken" not in opened.title()
    context.close()


def wait_until(page: Any, expression: str) -> None:
    """Poll from outside, because the policy of the page forbids the script that Playwright would inject."""
    for _ in range(250):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"never came true: {expression}")


def wait_for_text(page: Any, selector: str, text: str) -> None:
    """Wait for the view, because the browser reports a change of the address asynchronously."""
    page.locator(selector, has_text=text).first.wait_for()


def test_the_first_screen_leads_to_what_is_to_be_opened(page: Any) -> None:
    assert page.locator("h1").first.inner_text() == "! An engine broke"
    page.locator("a.first").click()
    wait_for_text(page, "#case h1", "b/crash")
    page.go_back()
    page.locator("#causes tbody tr").first.wait_for()
    assert page.locator("#causes tbody tr").count() == 3
    page.go_forward()
    page.locator("#case h1").wait_for()


def test_causes_are_filtered_and_the_filter_stands_in_the_address(page: Any) -> None:
    page.get_by_label("Weight", exact=True).select_option("state")
    wait_for_text(page, "#causes-found", "2 of 3 causes")
    page.get_by_label("Documented", exact=True).select_option("documented")
    wait_for_text(page, "#causes-found", "1 of 3 causes")
    assert page.locator("#causes tbody tr:visible .open-cause").all_inner_texts() == ["it is kept so"]
    assert "weight=state&known=documented" in page.url
    page.reload()
    wait_for_text(page, "#causes-found", "1 of 3 causes")
    page.get_by_label("Documented", exact=True).select_option("")
    wait_for_text(page, "#causes-found", "2 of 3 causes")


def test_keys_go_through_causes_and_a_cause_leads_to_its_cases(page: Any) -> None:
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.textContent") == "the plan: new differs in actions"
    page.keyboard.press("Enter")
    wait_for_text(page, "#cause h1", "the plan: new differs in actions")
    assert page.locator("#panel-affected li").all_inner_texts() == ["a/one", "a/two", "c/hostile"]
    assert page.locator("#panel-signatures li").all_inner_texts() == ["apply: the plan: new differs in actions"]
    assert page.locator("#panel-example dd").all_inner_texts() == ['"create"', '"no-op"']
    page.keyboard.press("k")
    wait_for_text(page, "#cause h1", "new crashes: KeyError in x.py:f")
    assert page.locator("#panel-example .raised").inner_text() == "KeyError"
    page.keyboard.press("j")
    wait_for_text(page, "#cause h1", "the plan")
    page.locator("#cause a.count").click()
    wait_for_text(page, "#found", "3 of 9 cases")
    page.go_back()
    page.keyboard.press("Escape")
    page.locator("#causes tbody tr").first.wait_for()


def test_a_case_lists_its_causes_and_folds_consequences_under_their_reason(page: Any) -> None:
    page.goto(page.url + "#case=c%2Fhostile")
    wait_for_text(page, "#case h1", "c/hostile")
    assert page.locator("#panel-causes li a").all_inner_texts() == ["the plan: new differs in actions"]
    step = page.locator("#panel-findings .step")
    assert step.locator("h3").inner_text() == PLACE
    assert step.locator("> .finding-line > summary").all_inner_texts() == ["state the plan: new differs in actions"]
    folded = step.locator("> .branch:not(.finding-line)")
    assert folded.locator("> summary").inner_text() == "1 consequence follows from: the plan: new differs in actions"
    assert not folded.locator(".finding-line").first.is_visible()
    folded.locator("> summary").click()
    assert folded.locator(".finding-line summary").all_inner_texts() == [
        "events while applying: new differs in x in 2 places"
    ]


def test_a_cell_of_the_table_of_features_opens_its_cases(page: Any) -> None:
    page.locator("nav >> text=Features").click()
    page.get_by_label("1 crash of moved block").click()
    wait_for_text(page, "#found", "1 of 9 cases")
    assert page.locator(".row-name").all_inner_texts() == ["b/crash"]


def test_a_cell_opens_its_cases(page: Any) -> None:
    page.get_by_label("1 case: legacy equal, new crash").click()
    wait_for_text(page, "#found", "1 of 9 cases")
    assert page.locator(".row-name").all_inner_texts() == ["b/crash"]
    page.get_by_role("button", name="Clear").click()
    wait_for_text(page, "#found:not(:has-text('of'))", "9 cases")


def test_the_filter_stands_in_the_address(page: Any) -> None:
    page.keyboard.press("/")
    wait_until(page, "document.activeElement.id === 'query'")
    page.keyboard.type("ruling:differs !two")
    wait_until(page, "document.querySelector('#found').textContent.startsWith('2 of')")
    address = page.url
    assert "q=ruling%3Adiffers" in address
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("html[data-ready=yes]")
    assert page.locator("#query").input_value() == "ruling:differs !two"
    assert page.locator(".row-name").all_inner_texts() == ["a/one", "c/hostile"]


def test_keys_go_through_the_list_and_open_a_case(page: Any) -> None:
    page.locator("nav >> text=Cases").click()
    page.locator(".row").first.wait_for()
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.querySelector('.row-name').textContent") == "a/one"
    page.keyboard.press("Enter")
    page.wait_for_selector("#case:not([hidden]) h1")
    assert page.locator("#case h1").inner_text() == "a/one"
    page.keyboard.press("j")
    wait_until(page, "document.querySelector('#case h1').textContent === 'a/two'")
    page.keyboard.press("Escape")
    page.wait_for_selector("#cases:not([hidden])")
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


def test_a_case_shows_its_line_its_difference_and_its_events(page: Any) -> None:
    page.goto(page.url + "#case=c%2Fhostile")
    page.wait_for_selector("#case .panel")
    assert page.locator(".line.guilty .source").inner_text() == 'resource "terraform_data" "a" {'
    assert "First divergence: legacy has" in page.locator(".pinned").inner_text()
    assert page.locator("#panel-outcomes .leaf.differing .leaf-name").first.inner_text().startswith("ok")
    assert page.locator("#case img").count() == 0
    assert page.locator("#case script").count() == 0


def test_a_film_is_stepped_through_and_marks_what_goes_next(page: Any) -> None:
    page.goto(page.url + "#case=c%2Fhostile")
    page.locator("#panel-film > summary").click()
    film = page.locator("#panel-film")
    assert film.locator("h2").inner_text() == "How it was made smaller: 4 → 2 lines, 2 → 1 blocks"
    assert film.locator(".leaving .source").all_inner_texts() == ["locals {", "}", HOSTILE]
    film.get_by_role("button", name="Next").click()
    wait_for_text(page, "#panel-film .film-told", "2 of 2: left out blocks")
    assert film.locator(".file summary code").all_inner_texts() == ["v1/main.tf"]
    assert film.locator(".leaving").count() == 0
    address = page.url
    assert "frame=1" in address
    page.reload()
    wait_for_text(page, "#panel-film .film-told", "2 of 2: left out blocks")
    page.get_by_label("Version of the case").press("ArrowLeft")
    wait_for_text(page, "#panel-film .film-told", "1 of 2: as it was")


def test_the_worth_of_the_harness_is_shown(page: Any) -> None:
    assert "1 of 2" in page.locator("#overview dl.health").inner_text()
    page.locator("nav >> text=Run").click()
    rows = page.locator(".mutants tbody tr")
    rows.first.wait_for()
    assert rows.first.inner_text().startswith("S01\tIt lags.")
    assert rows.first.locator("td").nth(1).inner_text() == "not found"
    page.get_by_text("canary of made-up stories").last.wait_for()


def test_a_key_copies_the_command_of_what_is_looked_at(page: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(page.url + "#case=a%2Ftwo")
    wait_for_text(page, "#case h1", "a/two")
    page.keyboard.press("c")
    wait_until(page, "document.querySelector('#said').textContent.includes('Command of a/two copied')")
    assert page.evaluate("navigator.clipboard.readText()") == "diffharness run corpus/a/two --engines legacy,new"


def test_open_panels_stand_in_the_address(page: Any) -> None:
    page.goto(page.url + "#case=a%2Fone")
    page.wait_for_selector("#panel-order svg")
    page.locator("#panel-why > summary").click()
    wait_until(page, "location.hash.includes('panels=why')")
    page.reload()
    page.wait_for_selector("#panel-files")
    assert page.locator("#panel-why").get_attribute("open") is None


@pytest.mark.parametrize(
    ("button", "beginning"),
    [
        ("Copy command", "diffharness run corpus/a/one"),
        ("Copy as issue", "### `new: apply differs"),
        ("Copy as corpus case", "mkdir -p corpus/regressions/a/one"),
        ("Copy known.yaml entry", "- id: D-"),
    ],
)
def test_buttons_copy(page: Any, button: str, beginning: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(page.url + "#case=a%2Fone")
    page.get_by_role("button", name=button).click()
    wait_until(page, "document.querySelector('#said').textContent.includes('copied')")
    assert page.evaluate("navigator.clipboard.readText()").startswith(beginning)


def test_themes_change_and_stay(page: Any) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(colour)
    page.keyboard.press("t")
    page.keyboard.press("t")
    assert page.evaluate(colour) != before
    assert page.url.endswith("#theme=dark")
    page.locator("nav >> text=Run").click()
    assert "theme=dark" in page.url
    page.get_by_text("came out differently").wait_for()


def test_nothing_is_wider_than_a_telephone(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    crash = page.locator("a.open-cause").first.get_attribute("href")
    for hash_ in ("", "#view=cases", "#view=features", crash, "#case=a%2Fone", "#case=c%2Fhostile", "#view=run"):
        page.goto(page.url.partition("#")[0] + hash_)
        page.wait_for_timeout(100)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


VIEWS: Final = (
    "",
    "view=cases",
    "view=features",
    f"cause={RUN.causes[0].identifier}&panels=consequences",
    f"cause={RUN.causes[1].identifier}&panels=consequences",
    "view=run",
    "case=a%2Fone&panels=noise",
    "case=c%2Fhostile&panels=film",
    "case=a%2Fequal",
)


@pytest.mark.skipif(AXE is None, reason=NO_AXE)
@pytest.mark.parametrize(("theme", "options"), [("light", "{}"), ("dark", "{runOnly: ['color-contrast']}")])
def test_every_view_can_be_used_by_everybody(browser: Any, file: Path, theme: str, options: str) -> None:
    """Check the rules of axe-core. They are injected from outside, which the policy of the page would not allow."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, bypass_csp=True)
    opened = context.new_page()
    found: list[tuple[str, str, str]] = []
    for view in VIEWS:
        opened.goto("about:blank")
        opened.goto(f"{file.as_uri()}#{view}&theme={theme}")
        opened.wait_for_selector("html[data-ready=yes]")
        opened.evaluate(AXE)
        violations = opened.evaluate(f"axe.run({options})")["violations"]
        found += [(view, each["id"], node["html"]) for each in violations for node in each["nodes"]]
    context.close()
    assert found == []
