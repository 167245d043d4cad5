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
from harness.findings.trend import point_of, trend_of
from reports.html.page import html_report
from reports.html.trend import trend_report
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
    *(
        replace(each, features=("moved block", "output block")) if each.area != "expressions" else each
        for each in MIXED.results[1:]
    ),
    result(
        "a/equal",
        features=("moved block",),
        compared={"validate v1": {"events": 0, "calls": 0}, PLACE: {"events": 4}},
        step_s={"legacy": {PLACE: 0.0214}},
    ),
    result(
        "c/hostile",
        finding(explanation=(HOSTILE,), got=HOSTILE),
        finding("events.x", got=HOSTILE, count=2, standing=Standing.FOLLOWS, follows=(finding().signature.digest,)),
        description=HOSTILE,
        evidence=EVENTS,
        reduction_history=FILM,
    ),
    result(f"c/{HOSTILE.replace('/', '')}"),
    result("c/worded", finding("events.words", known="K3")),
    result("c/recorded", finding(against=("legacy", "recorded")), is_recorded=True, evidence=EVENTS),
    classes={**MIXED.classes, "K3": "wording"},
    titles={**MIXED.titles, "K3": "Other words on purpose"},
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
    made.write_text(
        html_report(RUN, replace(RUN, results=RUN.results[:1]), HEALTH, lambda _: "cat > main.tf"), encoding="utf-8"
    )
    return made


class Tab:
    """The tab of all tests, because a new one for each takes longer than most tests, and what goes wrong in it."""

    def __init__(self, browser: Any) -> None:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page: Final[Any] = context.new_page()
        self.problems: Final[list[str]] = []
        self.requests: Final[list[str]] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def open(self, address: str) -> Any:
        self.page.goto("about:blank")
        self.page.set_viewport_size({"width": 1280, "height": 800})
        self.page.emulate_media(media="screen", color_scheme="light")
        self.problems.clear()
        self.requests.clear()
        self.page.goto(address)
        self.page.wait_for_selector("html[data-ready=yes]")
        return self.page


@pytest.fixture(scope="module")
def tab(browser: Any) -> Tab:
    return Tab(browser)


@pytest.fixture
def page(tab: Tab, file: Path) -> Iterator[Any]:
    """Open the first screen. Whatever a test does, there must be no error, and no request except for the file."""
    yield tab.open(file.as_uri())
    assert tab.problems == []
    assert set(tab.requests) <= {file.as_uri(), "about:blank"}
    assert "taken" not in tab.page.title()


def wait_until(page: Any, expression: str) -> None:
    """Poll from outside, because the policy of the page forbids the script that Playwright would inject."""
    for _ in range(250):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"never came true: {expression}")


def show(page: Any, view: str) -> None:
    """Show another view, and wait until it is complete."""
    page.evaluate("view => { location.hash = view; }", view)
    wait_until(page, "document.documentElement.dataset.shown === location.hash")


def wait_for_text(page: Any, selector: str, text: str) -> None:
    """Wait for the view, because the browser reports a change of the address asynchronously."""
    page.locator(selector, has_text=text).first.wait_for()


def test_the_first_screen_leads_to_what_is_worst(page: Any) -> None:
    assert page.locator("h1").first.inner_text().startswith("! new crashes in 1 of ")
    page.locator("#causes .open-case").first.click()
    wait_for_text(page, "#case h1", "b/crash")
    page.go_back()
    page.locator("#causes tbody tr").first.wait_for()
    assert page.locator("#causes tbody tr").count() == 4
    page.go_forward()
    page.locator("#case h1").wait_for()


def test_causes_are_filtered_and_the_filter_stands_in_the_address(page: Any) -> None:
    page.get_by_label("Weight", exact=True).select_option("state")
    wait_for_text(page, "#causes-found", "2 of 4 causes")
    assert page.locator("#cause-task .chip").all_inner_texts() == ["all 2", "undocumented 1", "to be mended 1"]
    page.locator("#cause-task .chip", has_text="to be mended").click()
    wait_for_text(page, "#causes-found", "1 of 4 causes")
    assert page.locator("#causes tbody tr:visible .open-cause").all_inner_texts() == ["it is kept so"]
    assert "weight=state&task=mend" in page.url
    page.reload()
    wait_for_text(page, "#causes-found", "1 of 4 causes")
    page.locator("#cause-task .chip", has_text="all").click()
    wait_for_text(page, "#causes-found", "2 of 4 causes")


def test_causes_are_searched_and_sorted(page: Any) -> None:
    page.keyboard.press("/")
    page.keyboard.type("ACTIONS")
    wait_for_text(page, "#causes-found", "1 of 4 causes")
    assert "find=ACTIONS" in page.url
    page.get_by_label("Search causes").fill("")
    page.get_by_label("Sort", exact=True).select_option("most cases")
    wait_until(page, "document.querySelector('#causes tbody tr').dataset.number === '1'")
    page.reload()
    wait_until(page, "document.querySelector('#causes tbody tr').dataset.number === '1'")


def test_keys_go_through_causes_and_a_cause_leads_to_its_cases(page: Any) -> None:
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.textContent") == "In the plan, new differs in actions"
    page.keyboard.press("Enter")
    wait_for_text(page, "#cause h1", "In the plan, new differs in actions")
    assert page.locator("#panel-affected li").all_inner_texts() == ["a/one", "a/two", "c/hostile", "c/recorded"]
    assert page.locator("#panel-signatures li").all_inner_texts() == ["apply: in the plan, new differs in actions"]
    assert page.locator("#panel-example dd").all_inner_texts() == ['"create"', '"no-op"']
    assert page.locator("#panel-example dt").all_inner_texts() == ["A legacy", "B new"]
    assert page.locator("#panel-example .line.guilty .source").inner_text() == 'resource "terraform_data" "a" {'
    page.keyboard.press("k")
    wait_for_text(page, "#cause h1", "new crashes: KeyError in x.py:f")
    assert page.locator("#panel-example .raised").inner_text() == "KeyError"
    page.keyboard.press("j")
    wait_for_text(page, "#cause h1", "In the plan")
    page.locator("#cause a.count").click()
    wait_for_text(page, "#found", "4 of 11 cases")
    page.go_back()
    page.keyboard.press("Escape")
    page.locator("#causes tbody tr").first.wait_for()


def test_a_case_lists_its_causes_and_folds_consequences_under_their_reason(page: Any) -> None:
    page.goto(page.url + "#case=c%2Fhostile")
    wait_for_text(page, "#case h1", "c/hostile")
    assert page.locator("#panel-causes li a").all_inner_texts() == ["In the plan, new differs in actions"]
    assert page.locator(".step-tab[aria-current] .step-name").inner_text() == PLACE
    own = page.locator("#panel-findings > .finding-line > summary")
    assert own.all_inner_texts() == ["state in the plan, new differs in actions"]
    folded = page.locator("#panel-findings > .branch:not(.finding-line)")
    assert folded.locator("> summary").inner_text() == "1 consequence follows from: in the plan, new differs in actions"
    assert not folded.locator(".finding-line").first.is_visible()
    folded.locator("> summary").click()
    folded.locator(".finding-line summary").first.wait_for()  # it is made when the browser reports the click
    assert folded.locator(".finding-line summary").all_inner_texts() == [
        "events while applying, new differs in x in 2 places"
    ]


def test_steps_are_tabs_and_the_worst_is_open(page: Any) -> None:
    page.goto(page.url + "#case=a%2Fone")
    wait_for_text(page, ".step-tab[aria-current]", PLACE)
    assert page.locator(".step-tab").all_inner_texts() == ["validate v1\n= equal", f"{PLACE}\nstate\nworst"]
    page.keyboard.press("[")
    wait_for_text(page, ".step-tab[aria-current]", "validate v1")
    wait_for_text(page, "#panel-findings", "Nothing was found in this step.")
    assert "place=validate+v1" in page.url
    assert page.title() == "a/one, validate v1 – diffharness"
    page.go_back()
    wait_for_text(page, ".step-tab[aria-current]", PLACE)


def test_a_cell_of_the_table_of_features_opens_its_cases(page: Any) -> None:
    page.locator("nav >> text=Features").click()
    page.get_by_label("1 crash of moved block").click()
    wait_for_text(page, "#found", "1 of 11 cases")
    assert page.locator(".row-name").all_inner_texts() == ["b/crash"]


def test_features_are_searched(page: Any) -> None:
    page.goto(page.url + "#view=features&find=mov")
    page.locator(".features tbody tr:visible").first.wait_for()
    assert page.locator(".features tbody tr:visible th").all_inner_texts() == ["moved block"]
    page.get_by_label("Search features").fill("")
    assert page.locator(".features tbody th").all_inner_texts() == ["moved block", "output block"]
    page.locator("#feature-sort").select_option("largest share")
    wait_until(page, "document.querySelector('.features tbody tr').dataset.name === 'output block'")
    assert "order=largest+share" in page.url
    page.get_by_label("Search features").fill("nothing like it")
    wait_until(page, "!document.querySelector('.features tbody tr:not([hidden])')")


def test_chips_and_menus_change_the_filter(page: Any) -> None:
    page.locator(".verdict .chip", has_text="does something else").click()
    wait_for_text(page, "#found", "5 of 11 cases")
    page.locator("#case-chips .chip", has_text="undocumented").click()
    wait_for_text(page, "#found", "4 of 11 cases")
    page.get_by_label("Area", exact=True).select_option("a")
    wait_for_text(page, "#found", "2 of 11 cases")
    assert page.locator("#query").input_value() == "area:a known:undocumented impact:wrong"
    assert page.title() == "Cases: area:a known:undocumented impact:wrong – diffharness"
    page.locator("#case-chips .chip[aria-current]", has_text="undocumented").click()
    wait_for_text(page, "#found", "2 of 11 cases")
    page.get_by_label("Area", exact=True).select_option("")
    wait_for_text(page, "#found", "5 of 11 cases")
    page.go_back()
    wait_for_text(page, "#found", "2 of 11 cases")


def test_the_worst_cases_come_first(page: Any) -> None:
    page.keyboard.press("2")
    page.locator(".row").first.wait_for()
    names = ["b/crash", "a/one", "a/two", "c/hostile", "c/recorded", "b/known", "c/worded", "b/skipped"]
    assert page.locator(".row-name").all_inner_texts()[:8] == names


def test_a_cell_opens_its_cases(page: Any) -> None:
    page.locator("nav >> text=Run").click()
    page.get_by_label("1 case: legacy equal, new crash").click()
    wait_for_text(page, "#found", "1 of 11 cases")
    assert page.locator(".row-name").all_inner_texts() == ["b/crash"]
    page.get_by_role("button", name="Clear").click()
    wait_for_text(page, "#found:not(:has-text('of'))", "11 cases")


def test_the_filter_stands_in_the_address(page: Any) -> None:
    page.locator("nav >> text=Cases").click()
    page.keyboard.press("/")
    wait_until(page, "document.activeElement.id === 'query'")
    page.keyboard.type("ruling:differs !two")
    wait_until(page, "document.querySelector('#found').textContent.startsWith('3 of')")
    address = page.url
    assert "q=ruling%3Adiffers" in address
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("html[data-ready=yes]")
    assert page.locator("#query").input_value() == "ruling:differs !two"
    assert page.locator(".row-name").all_inner_texts() == ["a/one", "c/hostile", "c/recorded"]


def test_keys_go_through_the_list_and_open_a_case(page: Any) -> None:
    page.goto(page.url + "#view=cases&sort=name")
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
    rows = page.locator("#panel-events .pair-row")
    assert rows.locator(".h-a").all_inner_texts() == ["A\nonly legacy:\napply_start terraform_data.a create"]
    assert rows.locator(".h-b").all_inner_texts() == [f"B\nonly new:\napply_start {HOSTILE} create"]
    printed = page.locator("#panel-printed .pair-row")
    assert printed.locator(".h-a").all_inner_texts() == ["A\nonly legacy:\n(step succeeded)"]
    assert printed.locator(".h-b").all_inner_texts() == ["B\nonly new:\n(step failed)"]
    assert page.locator("#case img").count() == 0
    assert page.locator("#case script").count() == 0


SWAPPED: Final = json.dumps(
    {
        "files": {"v1/main.tf": "locals {}\n", "v1/long.tf.json": "{}\n" * 50, "v2/main.tf": "# why\nlocals {}\n"},
        "courses": {
            name: {
                PLACE: {
                    "config": "v2",
                    "ok": True,
                    "diagnostics": [{"severity": "warning", "summary": f"{name} {verb}", "detail": detail}],
                    "order": {"effects": [["terraform_data.a", verb]], "before": []},
                    "events": events,
                    "plan_calls": {"items": [["plan", "a"]]},
                    "calls": {"items": [[verb, "a"]]},
                },
                **({"step 2 (plan v2)": {"ok": True}} if name == "legacy" else {}),
            }
            for name, verb, detail, events in (
                ("legacy", "create", "Made.", [["start", "a"], ["end", "a"], ["start", "b"], ["end", "b"]]),
                (
                    "new",
                    "delete",
                    "Nothing is left of it.",
                    [["start", "b"], ["end", "b"], ["start", "a"], ["start", "a"], ["end", "a"]],
                ),
            )
        },
    }
)


def test_each_lane_is_in_its_own_order_and_other_effects_are_no_equal_order(browser: Any, tmp_path: Path) -> None:
    """The events of one engine were once put into the order of the other, and "the same" was said about an order of
    other effects."""
    made = tmp_path / "report.html"
    made.write_text(html_report(run_of(result("a/swapped", finding("events[x]"), evidence=SWAPPED))), encoding="utf-8")
    opened = browser.new_page()
    opened.goto(f"{made.as_uri()}#case=a%2Fswapped")
    wait_for_text(opened, "#case h1", "a/swapped")
    rows = opened.locator("#panel-events .pair-row")
    lanes = [[cell.inner_text() for cell in row.locator(".cell").all()] for row in rows.all()]
    assert [left.splitlines()[-1] for left, _ in lanes if left] == ["start a", "end a", "start b", "end b"]
    right = [cell.splitlines() for _, cell in lanes if cell]
    assert [(lines[0], lines[-1]) for lines in right] == [
        ("start b", "start b"),
        ("end b", "end b"),
        ("↕", "start a"),
        ("B", "start a"),
        ("↕", "end a"),
    ]
    calls = opened.locator("#panel-calls .pair-row").all_inner_texts()
    assert [calls[0].splitlines()[-1], calls[-1].splitlines()[0], len(calls)] == ["– while planning", "B", 5]
    assert opened.locator(".step-tab").last.inner_text() == "step 2 (plan v2)\nnot reached by new"
    assert opened.locator("#panel-order h2").inner_text() == "The order of effects"
    wait_for_text(opened, "#panel-order", "They do different things")
    assert opened.locator("#panel-files details[open] summary").all_inner_texts() == ["v2/main.tf"]
    opened.set_viewport_size({"width": 390, "height": 800})
    opened.reload()
    opened.locator("#panel-printed .cell").first.wait_for()
    signs = "".join(text[:1] for text in opened.locator("#panel-printed .cell:visible").all_inner_texts())
    assert signs == "AAABBB(", "line by line they could not be read"
    opened.close()


def test_only_what_a_recording_calls_wrong_is_red(page: Any) -> None:
    page.goto(page.url + "#case=c%2Frecorded")
    wait_for_text(page, "#panel-printed .compared-head", "not as recorded")
    heads = page.locator("#panel-printed .side")
    assert heads.all_inner_texts() == ["A legacyas recorded", "B newnot as recorded"]
    assert "h-wrong" in (heads.nth(1).get_attribute("class") or "")
    page.goto(page.url.partition("#")[0] + "#case=c%2Fhostile")
    wait_for_text(page, "#case h1", "c/hostile")
    assert page.locator("#case .h-wrong").count() == 0
    assert page.locator("#case del, #case s").count() == 0


def test_an_equal_case_shows_what_that_rests_on(page: Any) -> None:
    page.goto(page.url + "#case=a%2Fequal")
    wait_for_text(page, "#case h2", "What this rests on")
    table = page.locator("#case table")
    assert table.locator("thead th").all_inner_texts() == ["step", "events", "A legacy, ms"]
    assert table.locator("tbody tr").all_inner_texts() == ["validate v1\t0\t", f"{PLACE}\t4\t21"]


def test_every_view_has_a_title_of_its_own(page: Any) -> None:
    titles = []
    for view in VIEWS:
        show(page, view)
        titles.append(page.title())
    assert len(set(titles)) == len(titles)
    assert all(title.endswith(" – diffharness") for title in titles)
    assert f"{RUN.causes[0].title} – diffharness" in titles


def test_a_film_is_stepped_through_and_marks_what_goes_next(page: Any) -> None:
    page.goto(page.url + "#case=c%2Fhostile")
    page.locator("#panel-film > summary").click()
    film = page.locator("#panel-film")
    assert film.locator("h2").inner_text() == "How it was made smaller: 4 → 2 lines, 2 → 1 blocks"
    film.locator(".leaving").first.wait_for()  # it is made when the browser reports the click
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
    page.locator("nav >> text=Run").click()
    assert "1 of 2" in page.locator("#run dl.health").first.inner_text()
    rows = page.locator(".mutants tbody tr")
    rows.first.wait_for()
    assert rows.first.inner_text().startswith("S01\tIt lags.")
    assert rows.first.locator("td").nth(1).inner_text() == "not found"
    page.get_by_text("canary of made-up stories").last.wait_for()


def test_a_key_copies_the_command_of_what_is_looked_at(page: Any) -> None:
    page.goto(page.url + "#case=a%2Ftwo")
    wait_for_text(page, "#case h1", "a/two")
    page.keyboard.press("c")
    wait_until(page, "document.querySelector('#said').textContent.includes('Command of a/two copied')")
    assert page.evaluate("navigator.clipboard.readText()") == "diffharness run corpus/a/two --engines legacy,new"


def test_open_panels_stand_in_the_address(page: Any) -> None:
    page.goto(page.url + "#case=a%2Fone")
    page.wait_for_selector("#panel-order svg")
    assert (
        page.locator("#panel-order li").first.inner_text().startswith("Only A legacy guarantees that terraform_data.b")
    )
    page.locator("#panel-order > summary").click()
    wait_until(page, "location.hash.includes('panels=order')")
    page.reload()
    page.wait_for_selector("#panel-files")
    assert page.locator("#panel-order").get_attribute("open") is None


def check_copying(page: Any, buttons: dict[str, str]) -> None:
    for button, beginning in buttons.items():
        page.get_by_role("button", name=button).click()
        wait_until(page, "document.querySelector('#said').textContent.includes('copied')")
        assert page.evaluate("navigator.clipboard.readText()").startswith(beginning)
        page.evaluate("document.querySelector('#said').textContent = ''")


def test_buttons_copy(page: Any) -> None:
    page.goto(page.url + "#case=a%2Fone")
    check_copying(
        page,
        {
            "Copy command": "diffharness run corpus/a/one",
            "Copy as issue": "### `in the plan, new differs in actions`\n\n```text\na/one: differs",
            "Copy as corpus case": "mkdir -p corpus/regressions/a/one",
            "Copy known.yaml entry": "# The path of the case is to be given from the directory of this file.\n- id: D-",
            "Copy reproduction": "cat > main.tf",
        },
    )


def test_buttons_of_a_cause_copy(page: Any) -> None:
    page.locator(".open-cause", has_text="In the plan").click()
    check_copying(
        page,
        {
            "Copy as issue": "### `` In the plan, new differs in `actions` ``\n\nIt shows in 4 cases.\n",
            "Copy known.yaml entry": "# The path of the case is to be given from the directory of this file.\n- id: D-",
            "Copy command": "diffharness run corpus/a/one",
        },
    )


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


def test_a_dark_page_is_printed_in_light_colours(page: Any) -> None:
    """Browsers print no backgrounds: light text would not be seen."""
    show(page, "theme=dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.querySelector('.dim')).color") == "rgb(89, 99, 110)"


def test_nothing_is_wider_than_a_telephone(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    crash = page.locator("a.open-cause").first.get_attribute("href")
    for view in (crash.removeprefix("#"), *VIEWS):
        show(page, view)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


VIEWS: Final = (
    "",
    "view=cases",
    "view=features",
    f"cause={RUN.causes[0].identifier}&panels=consequences",
    f"cause={RUN.causes[1].identifier}&panels=consequences",
    "view=run",
    "case=a%2Fone&panels=noise",
    "case=a%2Fone&place=validate+v1&panels=printed,all",
    "case=c%2Frecorded&panels=all",
    "view=cases&q=impact%3Acrash",
    "case=c%2Fhostile&panels=film",
    "case=a%2Fequal",
)


def violations(page: Any) -> list[tuple[str, str]]:
    """Check the view with axe-core, which has been injected from outside: the policy of the page would not allow it."""
    checked = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [(each["id"], node["html"]) for each in checked for node in each["nodes"]]


@pytest.mark.skipif(AXE is None, reason=NO_AXE)
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_every_view_can_be_used_by_everybody(browser: Any, file: Path, theme: str, width: int) -> None:
    """Colours depend on the theme and layout on the width, and neither on both."""
    size = {"width": width, "height": 800}
    context = browser.new_context(viewport=size, bypass_csp=True, reduced_motion="reduce")
    opened = context.new_page()
    opened.goto(file.as_uri())
    opened.wait_for_selector("html[data-ready=yes]")
    opened.evaluate(AXE)
    found = {}
    for view in VIEWS:
        show(opened, f"{view}&theme={theme}")
        found[view] = violations(opened)
    context.close()
    assert {view: each for view, each in found.items() if each} == {}


# Five questions of a new reader: none takes more than two clicks


def test_what_is_worst_and_whether_it_is_new_is_on_the_first_screen(page: Any) -> None:
    first = page.locator("#causes tbody tr").first
    assert first.locator("td, th").all_inner_texts() == [
        "crash",
        "new crashes: KeyError in x.py:f",
        "1",
        "undocumented appeared",
        "b/crash",
    ]


def test_how_it_is_reproduced_takes_two_clicks(page: Any) -> None:
    page.locator(".open-cause").nth(1).click()
    page.get_by_role("button", name="Copy reproduction").click()
    wait_until(page, "document.querySelector('#said').textContent.includes('copied')")
    assert page.evaluate("navigator.clipboard.readText()") == "cat > main.tf"


def test_which_features_are_affected_takes_two_clicks(page: Any) -> None:
    page.locator("nav >> text=Features").click()
    page.get_by_label("3 wrong of moved block").click()
    wait_for_text(page, "#found", "3 of 11 cases")


def test_what_can_be_ignored_takes_one_click(page: Any) -> None:
    page.locator("#cause-task .chip", has_text="can be ignored").click()
    wait_for_text(page, "#causes-found", "1 of 4 causes")
    assert page.locator("#causes tbody tr:visible .open-cause").all_inner_texts() == ["Other words on purpose"]


# The page over many runs


@pytest.fixture(scope="module")
def trend_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("trend") / "trend.html"
    late = run_of(result("a/one", finding()), result("a/two"), result("b/known"), result("b/crash"))
    points = [
        point_of(HOSTILE, replace(RUN, header={"started": "2026-11-17T10:00:00"})),
        point_of("later", replace(late, header={"started": "2026-11-18T10:00:00"})),
    ]
    made.write_text(trend_report(trend_of(points)), encoding="utf-8")
    return made


def test_the_trend_is_filtered_and_searched(browser: Any, trend_file: Path) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800})
    opened = context.new_page()
    problems: list[str] = []
    opened.on("console", lambda message: problems.append(message.text))
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.goto(trend_file.as_uri())
    opened.wait_for_selector("html[data-ready=yes]")
    assert opened.locator("h1").inner_text() == "After 2 runs, 2 causes are left, and 2 are gone"
    assert opened.locator("#rows tr").first.locator("td").all_inner_texts() == ["4", "1"]
    last = opened.locator("#rows tr").first.locator("td").last.bounding_box()
    assert last["x"] + last["width"] <= 390, "the last run can be seen without scrolling"
    opened.locator(".chip", has_text="gone").click()
    wait_until(opened, "document.querySelector('#found').textContent === '2 of 4'")
    assert opened.title() == "Gone: After 2 runs, 2 causes are left, and 2 are gone – diffharness"
    opened.reload()
    wait_until(opened, "document.querySelector('#found').textContent === '2 of 4'")
    opened.keyboard.press("/")
    opened.keyboard.type("KEYERROR")
    wait_until(opened, "document.querySelector('#found').textContent === '1 of 4'")
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    assert problems == []
    context.close()


@pytest.mark.skipif(AXE is None, reason=NO_AXE)
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_the_trend_can_be_used_by_everybody(browser: Any, trend_file: Path, theme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, bypass_csp=True)
    opened = context.new_page()
    opened.goto(f"{trend_file.as_uri()}#theme={theme}")
    opened.wait_for_selector("html[data-ready=yes]")
    opened.evaluate(AXE)
    found = violations(opened)
    context.close()
    assert found == []
