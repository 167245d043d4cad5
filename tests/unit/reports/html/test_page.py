"""The page of a run: one file without network access, numbers that add up, and texts of cases that stay text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from harness.compare.ruling import Ruling
from harness.findings.finding import Standing
from harness.findings.result import CaseResult
from harness.findings.run import Run
from reports.html.highlight import highlighted
from reports.html.page import html_report
from reports.html.values import render_observation
from reports.run.harness_quality import Benchmark, FuzzFigures, HarnessQuality, MutantAttempt
from shared_nodes.values.json import loads
from tests.html_elements import Elements
from tests.sample_runs import EVIDENCE, MAIN, MIXED, finding, result, run_of

STATIC: Final = Path(__file__).parents[4] / "reports" / "html" / "static"


# The file


def test_the_same_run_gives_the_same_bytes() -> None:
    assert html_report(MIXED) == html_report(replace(MIXED))


def test_nothing_is_loaded_and_only_what_was_hashed_runs() -> None:
    page = Elements(html_report(MIXED))
    policy = next(each["content"] for tag, each in page.found if tag == "meta" and each.get("http-equiv"))
    assert policy is not None
    for kind, text in (("script", page.scripts[-1][1]), ("style", page.style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag, attributes in page.found:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        assert "src" not in attributes
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        assert (attributes.get("href") or "#").startswith("#")


def test_the_script_makes_no_markup_of_text_and_asks_nobody() -> None:
    script = (STATIC / "report.js").read_text(encoding="utf-8")
    for word in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(", "DOMParser"):
        assert word not in script
    for word in ("fetch(", "XMLHttpRequest", "WebSocket", "import(", "sendBeacon", "localStorage", "document.cookie"):
        assert word not in script
    assert set(re.findall(r"https?://[^\"'\s]+", script)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"url\(|@import|http", (STATIC / "report.css").read_text(encoding="utf-8"))


PAIRS: Final = {
    "ink": "ground card good-ground odd-ground bad-ground calm-ground guilty gone-ground came-ground",
    "dim": "ground card calm-ground good-ground odd-ground bad-ground",
    "link": "ground card calm-ground",
    **{name: f"{name}-ground" for name in ("good", "odd", "calm", "gone", "came")},
    "bad": "bad-ground card guilty",
    **dict.fromkeys(("word", "text", "name", "comment"), "card guilty"),
    "number": "card guilty gone-ground came-ground",
}
"""Colours of text, and their backgrounds."""


def light(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_text_can_be_read_on_its_ground_in_every_theme() -> None:
    """The contrast that WCAG requires at level AA."""
    style = (STATIC / "report.css").read_text(encoding="utf-8")
    themes = [dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in re.findall(r":root[^{]*\{([^}]*)", style)]
    assert len([theme for theme in themes if theme]) == 3
    for theme in filter(None, themes):
        for name, grounds in PAIRS.items():
            for ground in grounds.split():
                dark, bright = sorted((light(theme[name]), light(theme[ground])))
                assert (bright + 0.05) / (dark + 0.05) >= 4.5, f"{name} on {ground}"


# Content


def test_the_first_screen_answers_three_questions_without_the_script() -> None:
    before = run_of(result("a/equal"), result("a/one"), result("a/gone", finding("state.gone")), result("a/two"))
    text = Elements(html_report(run_of(*MIXED.results, result("a/gone")), before)).text
    assert "An engine broke" in text
    assert "3 causes, 2 new, show in 4 of 8 cases." in text
    assert "What is new? Since the run before: 3 new causes 1 gone cause 3 new signatures 1 gone signature" in text
    assert "gone the state: new differs in gone was in a/gone" in text
    assert "What to open first? b/crash the smallest of 1 case with new crashes: KeyError in x.py:f" in text


def test_the_table_of_causes_needs_no_script() -> None:
    page = Elements(html_report(MIXED))
    assert "weight cases cause documented smallest case crash 1 case new crashes: KeyError in x.py:f new" in page.text
    rows = [attributes for tag, attributes in page.found if tag == "tr" and "data-weight" in attributes]
    assert [(row["data-weight"], row["data-class"], row["data-known"]) for row in rows] == [
        ("crash", "", "new"),
        ("state", "", "new"),
        ("state", "bug", "documented"),
    ]
    assert "state 2 cases the plan: new differs in actions new a/one" in page.text
    assert "state 1 case it is kept so bug: K1 b/known" in page.text


def test_the_page_of_a_cause_has_its_cases_its_example_and_what_follows() -> None:
    reason = finding("state.x", explanation=("It is so.",))
    following = finding("events.y", standing=Standing.FOLLOWS, follows=(reason.signature.digest,))
    crash = finding("crash[panic: no in example.com/tf.Read]", Ruling.CRASH, got="Traceback of the harness")
    cases = [result("a/one", reason, following), result("a/two", reason, following, evidence=EVIDENCE + " ")]
    broken, value = Elements(html_report(run_of(*cases, result("b/crash", crash)))).data["index"]["causes"]
    assert (value["title"], value["weight"], value["cases"], value["smallest"]) == (
        "the state: new differs in x",
        "state",
        [0, 1],
        0,
    )
    assert value["signatures"] == [[reason.signature.digest, "apply: the state: new differs in x"]]
    assert value["consequences"] == [[following.signature.digest, "apply: while applying: new differs in y"]]
    assert (value["expected"], value["got"], value["why"], value["crash"]) == (
        '"create"',
        '"no-op"',
        ["It is so."],
        None,
    )
    assert broken["crash"] == ["panic: no", "example.com/tf.Read"]


def test_a_case_has_its_findings_with_their_causes_and_reasons() -> None:
    reason = finding("state.x")
    following = finding("events.y", standing=Standing.FOLLOWS, follows=(reason.signature.digest,))
    crash = finding("crash[panic: no in example.com/tf.Read]", Ruling.CRASH, got="Traceback of the harness")
    known = finding("events.z", known="K1")
    cases = [result("a/one", reason, following, known, crash), result("a/two", reason)]
    page = Elements(html_report(run_of(*cases, classes={"K1": "wording"}))).data
    findings = page["detail-0"]["0"]["findings"]
    assert [(each["first"], each["weight"], each["standing"], each["cause"], each["known"]) for each in findings] == [
        (False, "state", "own", 1, ""),
        (False, "events", "follows", 1, ""),
        (False, "events", "own", 2, "K1"),
        (True, "crash", "own", 0, ""),
    ]
    assert findings[1]["follows"] == ["the state: new differs in x"]
    assert (findings[3]["crash"], findings[3]["got"]) == (["panic: no", "example.com/tf.Read", ""], "")
    assert page["index"]["rows"][0][14] == [0, 1, 2]


def test_of_too_many_findings_the_heavy_ones_are_shown() -> None:
    light = [finding(f"events.x{number}") for number in range(200)]
    detail = Elements(html_report(run_of(result("a/one", *light, finding())))).data["detail-0"]["0"]
    assert (len(detail["findings"]), detail["left_out"]) == (60, 141)
    assert detail["findings"][-1]["first"]


def test_features_are_counted_by_outcome_and_lead_to_their_cases() -> None:
    cases = [result(f"a/{number}", features=('a "b"',)) for number in range(2)]
    cases += [result("a/2", finding(), features=('a "b"',)), result("a/3", finding(), tags=("rare",))]
    page = Elements(html_report(run_of(*cases)))
    assert 'feature cases same error ignored wrong crash a "b" 3 2 · · 1 ·' in page.text
    links = [
        attributes["href"] for tag, attributes in page.found if tag == "a" and "feature" in str(attributes.get("href"))
    ]
    query = "#view=cases&q=feature%3A%22a%20%5C%22b%5C%22%22"
    assert links == ["#view=features", query, f"{query}%20outcome%3Asame", f"{query}%20outcome%3Awrong"]
    assert page.data["index"]["features"] == ['a "b"']
    assert [row[15:] for row in page.data["index"]["rows"]] == [
        [[0], "same"],
        [[0], "same"],
        [[0], "wrong"],
        [[], "wrong"],
    ]


@pytest.mark.parametrize(
    ("run", "title"),
    [
        (run_of(result("a/equal")), "The engines are equal"),
        (run_of(result("a/one", finding())), "The engines are not equal"),
        (run_of(result("a/known", finding(known="K1")), classes={"K1": "bug"}), "The engines are equal"),
        (run_of(result("a/equal"), planned=2), "The run is not as it should be"),
        (run_of(result("a/hang", finding("hang", Ruling.HANG))), "An engine broke"),
    ],
)
def test_the_title_says_what_the_exit_status_says(run: Run, title: str) -> None:
    assert Elements(html_report(run)).text.startswith(f"{title}: legacy, new")


def test_numbers_add_up() -> None:
    page = Elements(html_report(MIXED))
    assert "all 7 each case once" in page.text
    index = page.data["index"]
    assert len(index["rows"]) == 7
    pair, alone = index["matrices"]
    assert (pair["total"], sum(cell[2] for cell in pair["cells"])) == (6, 6)
    assert ["equal", "crash", 1] in pair["cells"]
    assert ["not-run", "not-run", 1] in pair["cells"]
    assert (alone["engine"], alone["cells"]) == ("language", [["", "equal", 1]])
    assert [(cause["cases"], cause["class"], cause["known"]) for cause in index["causes"]] == [
        ([3], "", ""),
        ([1, 2], "", ""),
        ([4], "bug", "K1"),
    ]
    assert [row[14] for row in index["rows"]] == [[], [1], [1], [0], [2], [], []]
    assert [index["groups"][row[7][0]]["digest"] for row in index["rows"][1:3]] == [finding().signature.digest] * 2


def test_rows_say_paths_and_commands_in_short() -> None:
    index = Elements(html_report(MIXED)).data["index"]
    row = index["rows"][1]
    commands = [index["patterns"][row[column]].replace("\0", row[0]) for column in (5, 6)]
    assert commands == ["corpus/a/one", "diffharness run corpus/a/one --engines legacy,new"]


def test_a_case_has_its_files_its_line_and_both_orders() -> None:
    page = Elements(html_report(MIXED)).data
    number = next(at for at, row in enumerate(page["index"]["rows"]) if row[0] == "a/one")
    detail = page[f"detail-{page['index']['rows'][number][10]}"][str(number)]
    assert detail["guilty"] == [["v1/main.tf", 1]]
    assert "".join(detail["files"]["v1/main.tf"][1::2]) == MAIN
    assert detail["findings"][0]["why"] == ["It is so.", "new did another thing."]
    orders = detail["orders"]["step 1 (apply v1)"]
    assert (orders["legacy"]["own"], orders["new"]["own"]) == (1, 0)
    ((cluster, effects),) = orders["legacy"]["text"]
    assert cluster == ""
    assert effects[1] == ["terraform_data.b (create)", [["terraform_data.a (create)", True]]]
    assert [arrow[1] for arrow in orders["legacy"]["drawing"]["arrows"]] == [True]
    assert [box[0] for box in orders["new"]["drawing"]["boxes"]] == [effect[0] for effect in effects]


def test_a_large_order_is_drawn_by_modules_and_told_in_full() -> None:
    effects = [["terraform_data.a", "create"], *([f"module.m.terraform_data.x{n}", "create"] for n in range(400))]
    befores = [[0, number] for number in range(1, 401)]
    sides = {
        name: {"step 1 (apply v1)": {"order": {"effects": effects, "before": some}}}
        for name, some in (("legacy", befores), ("new", befores[:-1]))
    }
    page = Elements(html_report(run_of(result("a/one", finding(), evidence=json.dumps({"courses": sides}))))).data
    orders = page["detail-0"]["0"]["orders"]["step 1 (apply v1)"]
    assert [box[0] for box in orders["legacy"]["drawing"]["boxes"]] == ["terraform_data.a (create)", "module.m (400)"]
    assert [arrow[1:] for arrow in orders["legacy"]["drawing"]["arrows"]] == [
        [True, "module.m (400) after terraform_data.a (create)"]
    ]
    assert [(cluster, len(each)) for cluster, each in orders["legacy"]["text"]] == [("module.m (400)", 400), ("", 1)]


def test_what_the_harness_is_worth_is_on_the_page() -> None:
    health = HarnessQuality(
        Benchmark(
            "corpus",
            (
                MutantAttempt("B01", "corpus/x/y", 3, "new: plan differs", "It goes round."),
                MutantAttempt("S01", "", 800, "", "It lags."),
            ),
        ),
        FuzzFigures("7", "default", "abc", 200, 4.25, 0.714, 0, "found"),
    )
    page = Elements(html_report(MIXED, None, health))
    assert "mutants found 1 of 2" in page.text
    assert "canary of made-up stories found" in page.text
    assert "valid made-up configurations 71%" in page.text
    assert "1 of 2 mistakes that were put into an engine on purpose were found by the corpus" in page.text
    assert "B bug 1 1 S seed 0 1" in page.text
    assert page.text.index("It lags.") < page.text.index("It goes round."), "what is not found comes first"
    assert "not found" in page.text
    assert "mutants" not in Elements(html_report(MIXED)).text


def test_what_buttons_copy_can_be_used() -> None:
    page = Elements(html_report(MIXED)).data
    detail = next(iter(page["detail-0"].values()))
    assert detail["known"].startswith("- id: D-")
    assert "### `new: " in detail["issue"]
    assert "mkdir -p corpus/regressions/" in detail["corpus"]
    assert "/v1/main.tf <<'END_OF_FILE'\n" + MAIN + "END_OF_FILE\n" in detail["corpus"]


def test_no_file_of_a_case_ends_the_command_it_is_copied_with() -> None:
    files = {"main.tf": "END_OF_FILE\nrm -rf ~\n", "../up/../../x.tf": ""}
    hostile = result("a/-rf", finding(), evidence=json.dumps({"files": files}))
    detail = next(iter(Elements(html_report(run_of(hostile))).data["detail-0"].values()))
    assert detail["corpus"] == ""
    inside = replace(hostile, evidence=json.dumps({"files": {"main.tf": files["main.tf"]}}))
    detail = next(iter(Elements(html_report(run_of(inside))).data["detail-0"].values()))
    assert "<<'END_OF_FILE_'\nEND_OF_FILE\nrm -rf ~\nEND_OF_FILE_\n" in detail["corpus"]


def test_evidence_that_is_none_is_no_reason_to_fail() -> None:
    for evidence in (
        "",
        "{",
        "[]",
        '{"files": [1], "courses": {"new": 1}, "graphs": 3}',
        '{"courses": {"new": {"x": []}}}',
    ):
        assert "a/one" in html_report(run_of(result("a/one", finding(), evidence=evidence)))


# Highlighting and values


def test_tokens_have_the_colours_of_what_they_are() -> None:
    text = 'locals {\n  a = [for x in var.l : x > 1 ? "b${x}" : null] # end\n  c = /* in */ 1.5\n}\n'
    flat = highlighted("main.tf", text)
    pieces = list(zip(flat[::2], flat[1::2], strict=True))
    assert "".join(flat[1::2]) == text
    for piece in (("name", "locals"), ("word", "for"), ("word", "in"), ("number", "null"), ("number", "1.5")):
        assert piece in pieces
    assert ("comment", "# end\n") in pieces
    assert not [word for kind, word in pieces if kind == "wrong"]
    assert highlighted("notes.md", "for x") == ["", "for x"]


def test_values_are_told_apart_from_texts_that_look_like_them() -> None:
    change = '{"after": {"name": "unknown"}, "after_unknown": {"id": true}, "after_sensitive": {}}'
    tree = loads(f'{{"change": {change}, "secret": "(sensitive value)", "big": 12345678901234567890, "n": 5}}')
    assert isinstance(tree, dict)
    assert render_observation(tree) == {
        "change": {"after": {"name": "unknown", "id": {"\0": "unknown"}}},
        "secret": {"\0": "sensitive"},
        "big": {"\0": "number", "text": "12345678901234567890"},
        "n": 5,
    }
    sets = loads('{"outputs": {"o": {"value": ["b"], "type": ["set", "string"]}}}')
    assert isinstance(sets, dict)
    assert render_observation(sets)["outputs"]["o"]["value"] == {"\0": "set", "items": ["b"]}


# Large runs


def test_a_hundred_thousand_cases_fit_into_thirty_megabytes() -> None:
    """One case in five hundred differs, with evidence that hardly compresses and exceeds the limit of a page."""
    noise = "".join(hashlib.sha256(str(number).encode()).hexdigest() for number in range(2_000))
    equal = result("a/b")
    different = result("a/b", finding())

    def one(number: int) -> CaseResult:
        name = f"area_{number % 90}/case-{hashlib.sha256(str(number).encode()).hexdigest()[:12]}"
        if number % 500:
            return replace(equal, identifier=name, path=f"corpus/{name}")
        evidence = json.dumps({"files": {"notes.txt": noise[number // 10 :]}})
        return replace(different, identifier=name, path=f"corpus/{name}", evidence=evidence)

    text = html_report(run_of(*map(one, range(100_000))))
    assert len(text) < 30_000_000
    index = Elements(text).data["index"]
    assert len(index["rows"]) == 100_000
    assert 0 < sum(row[10] >= 0 for row in index["rows"]) < 200
