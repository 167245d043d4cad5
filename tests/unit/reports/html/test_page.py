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
from reports.run.engine_labels import engine_labels
from reports.run.harness_quality import Benchmark, FuzzFigures, HarnessQuality, MutantAttempt
from reports.run.value_text import value_text
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
    script = "".join(file.read_text(encoding="utf-8") for file in STATIC.glob("*.js"))
    for word in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(", "DOMParser"):
        assert word not in script
    for word in ("fetch(", "XMLHttpRequest", "WebSocket", "import(", "sendBeacon", "localStorage", "document.cookie"):
        assert word not in script
    assert set(re.findall(r"https?://[^\"'\s]+", script)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"url\(|@import|http", (STATIC / "report.css").read_text(encoding="utf-8"))


PAIRS: Final = {
    "ink": "ground card good-ground calm-ground guilty a-ground b-ground wrong-ground a-mark b-mark wrong-mark",
    "dim": "ground card calm-ground",
    "link": "ground card calm-ground",
    **{name: f"{name}-ground" for name in ("good", "calm", "a", "b", "wrong")},
    "heavy": "heavy-ground",
    "ground": "heavy",
    "wrong": "wrong-ground card",
    **dict.fromkeys(("word", "text", "name", "comment", "number"), "card guilty"),
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


def test_the_first_screen_answers_its_questions_without_the_script() -> None:
    before = run_of(result("a/equal"), result("a/one"), result("a/gone", finding("state.gone")), result("a/two"))
    page = Elements(html_report(run_of(*MIXED.results, result("a/gone"), planned=11), before))
    assert "! new crashes in 1 of 6 cases and does something else in 3" in page.text
    assert "A legacy B new 3 causes: 2 undocumented, 1 to be mended." in page.text
    assert "The run was stopped: 3 of 11 cases were never run, and nothing is said about them." in page.text
    assert "crashes 1 does something else 3 not compared 2 the same 2" in page.text
    assert "Since the run before causes appeared 3 gone 1 2 cases worse 1 case better 4 cases added" in page.text
    assert "gone: In the state, new differs in gone was in a/gone" in page.text
    assert "legacy could not run 1 case: no" in page.text


def test_nothing_is_said_about_an_earlier_run_that_there_is_none_of() -> None:
    page = Elements(html_report(run_of(result("a/equal", compared={"validate v1": {"events": 3}}))))
    compared = "1 case with 1 step was compared. No earlier run was compared."
    start = f"= new behaves like legacy in the only case A legacy B new {compared} the same 1 What was compared"
    assert start in page.text
    assert "1 case: 3 events, 1 steps." not in page.text
    assert "1 case: 1 step, 3 events." in page.text
    assert "Since" not in page.text
    assert not [tag for tag, attributes in page.found if attributes.get("id") == "causes"]


def test_the_table_of_causes_needs_no_script() -> None:
    page = Elements(html_report(MIXED))
    row = "weight cause cases status example crash new crashes: KeyError in x.py:f 1 case undocumented b/crash"
    assert row in page.text
    assert "state In the plan, new differs in actions 2 cases undocumented a/one" in page.text
    assert "state it is kept so K1 1 case known bug b/known" in page.text
    causes = page.data["index"]["causes"]
    assert [(cause["weight"], cause["task"], cause["status"]) for cause in causes] == [
        ("crash", "decide", "undocumented"),
        ("state", "decide", "undocumented"),
        ("state", "mend", "known bug"),
    ]


@pytest.mark.parametrize(
    ("category", "is_accepted", "task"),
    [("bug", True, "mend"), ("missing", True, "mend"), ("change", True, "ignore"), ("change", False, "mend")],
)
def test_what_can_be_ignored_is_what_is_accepted_as_harmless(category: str, is_accepted: bool, task: str) -> None:
    known = finding("state.x", known="K1", is_accepted=is_accepted)
    page = Elements(html_report(run_of(result("a/known", known), classes={"K1": category})))
    assert page.data["index"]["causes"][0]["task"] == task


def test_the_page_of_a_cause_has_its_cases_its_example_and_what_follows() -> None:
    reason = finding("state.x", explanation=("It is so.",))
    following = finding("events.y", standing=Standing.FOLLOWS, follows=(reason.signature.digest,))
    crash = finding("crash[panic: no in example.com/tf.Read]", Ruling.CRASH, got="Traceback of the harness")
    cases = [result("a/one", reason, following), result("a/two", reason, following, evidence=EVIDENCE + " ")]
    broken, value = Elements(html_report(run_of(*cases, result("b/crash", crash)))).data["index"]["causes"]
    assert (value["title"], value["weight"], value["cases"], value["smallest"]) == (
        "In the state, new differs in `x`",
        "state",
        [0, 1],
        0,
    )
    assert value["signatures"] == [[reason.signature.digest, "apply: in the state, new differs in `x`"]]
    assert value["consequences"] == [[following.signature.digest, "apply: while applying, new differs in `y`"]]
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
    assert findings[1]["follows"] == ["in the state, new differs in `x`"]
    assert (findings[3]["crash"], findings[3]["got"]) == (["panic: no", "example.com/tf.Read", ""], "")
    assert page["index"]["rows"][0][13] == [0, 1, 2]


def test_of_too_many_findings_the_heavy_ones_are_shown() -> None:
    light = [finding(f"events.x{number}") for number in range(200)]
    detail = Elements(html_report(run_of(result("a/one", *light, finding())))).data["detail-0"]["0"]
    assert (len(detail["findings"]), detail["left_out"]) == (60, 141)
    assert detail["findings"][-1]["first"]


def test_features_are_counted_by_outcome_and_lead_to_their_cases() -> None:
    cases = [result(f"a/{number}", features=('a "b"',)) for number in range(2)]
    cases += [result("a/2", finding(), features=('a "b"',)), result("a/3", finding(), tags=("rare",))]
    page = Elements(html_report(run_of(*cases)))
    assert 'feature cases same error ignored wrong crash Share a "b" 3 2 · · 1 ·' in page.text
    links = [
        attributes["href"] for tag, attributes in page.found if tag == "a" and "feature" in str(attributes.get("href"))
    ]
    query = "#view=cases&q=feature%3A%22a%20%5C%22b%5C%22%22"
    assert links == ["#view=features", query, f"{query}%20outcome%3Asame", f"{query}%20outcome%3Awrong"]
    assert page.data["index"]["features"] == ['a "b"']
    assert [row[14:16] for row in page.data["index"]["rows"]] == [
        [[0], "same"],
        [[0], "same"],
        [[0], "wrong"],
        [[], "wrong"],
    ]


@pytest.mark.parametrize(
    ("run", "title"),
    [
        (run_of(result("a/equal")), "new behaves like legacy in the only case"),
        (run_of(result("a/one", finding())), "new does something else in 1 of 1 case"),
        (
            run_of(result("a/known", finding(known="K1")), classes={"K1": "bug"}),
            "new does something else in 1 of 1 case, all of it documented",
        ),
        (
            run_of(result("a/hang", finding("hang", Ruling.HANG))),
            "new could not be compared with legacy in any case; the time limit was not enough for 1 case",
        ),
    ],
)
def test_the_title_says_what_the_candidate_did(run: Run, title: str) -> None:
    assert Elements(html_report(run)).text.startswith(f"{title} – diffharness")


def test_a_documented_crash_does_not_look_as_if_nothing_had_happened() -> None:
    known = result("a/known", finding("crash", Ruling.CRASH, known="K1"))
    page = Elements(html_report(run_of(known, result("a/equal"), classes={"K1": "bug"})))
    assert {row[0]: row[3] for row in page.data["index"]["rows"]} == {"a/known": "documented", "a/equal": "equal"}
    assert "crashes 1 the same 1" in page.text
    assert {row[0]: (row[15], row[17]) for row in page.data["index"]["rows"]} == {
        "a/known": ("crash", "documented"),
        "a/equal": ("same", ""),
    }


def test_a_case_with_other_events_alone_is_not_called_the_same() -> None:
    page = Elements(html_report(run_of(result("a/odd", finding("events.x")), result("a/equal"))))
    assert "new behaves like legacy in all 2 cases, but for events or wording in 1" in page.text
    assert "other events or wording only 1 the same 1" in page.text


def test_numbers_add_up() -> None:
    page = Elements(html_report(MIXED))
    assert "all 7 each case once, by its worst finding" in page.text
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
    assert [row[13] for row in index["rows"]] == [[], [1], [1], [0], [2], [], []]
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


def test_the_missing_edge_is_drawn_alone() -> None:
    """In an order of many effects, those between which an edge is missing are drawn, with what both guarantee."""
    effects = [[f"terraform_data.{name}", "create"] for name in "abcde"]
    sides = {
        name: {"step 1 (apply v1)": {"order": {"effects": effects, "before": before}}}
        for name, before in (("legacy", [[0, 1], [1, 2], [0, 2], [3, 4]]), ("new", [[0, 1], [3, 4]]))
    }
    page = Elements(html_report(run_of(result("a/one", finding(), evidence=json.dumps({"courses": sides}))))).data
    missing = page["detail-0"]["0"]["missing"]["step 1 (apply v1)"]["new"]
    assert missing["against"] == "legacy"
    assert missing["edges"] == [["terraform_data.c (create)", "terraform_data.b (create)", "first"]]
    assert [box[0] for box in missing["drawing"]["boxes"]] == ["terraform_data.b (create)", "terraform_data.c (create)"]
    assert [arrow[1] for arrow in missing["drawing"]["arrows"]] == ["first"]


def test_effects_of_one_engine_alone_are_no_matter_of_order() -> None:
    one = {"effects": [["terraform_data.a", "create"], ["terraform_data.b", "create"]], "before": [[0, 1]]}
    other = {"effects": [["terraform_data.a", "create"]], "before": []}
    sides = {"legacy": {"step 1 (apply v1)": {"order": one}}, "new": {"step 1 (apply v1)": {"order": other}}}
    page = Elements(html_report(run_of(result("a/one", finding(), evidence=json.dumps({"courses": sides}))))).data
    assert page["detail-0"]["0"]["missing"] == {}


def test_a_case_has_what_each_engine_printed_and_its_state() -> None:
    """Equal texts are kept once. The planning mode of a step decides how an empty plan is printed."""
    state = {"resources": [{"type": "terraform_data", "name": "a", "instances": [{"attributes": {"input": "x"}}]}]}
    plan = {"op": "plan", "ok": True, "plan": {"resource_changes": []}}
    steps = "steps:\n- {op: apply, config: v1}\n- {op: plan, config: v1, mode: refresh-only}\n"
    courses = {
        "legacy": {"step 1 (apply v1)": {"op": "apply", "ok": True, "state": state}, "step 2 (plan v1)": plan},
        "new": {"step 1 (apply v1)": {"op": "apply", "ok": True, "state": {}}, "step 2 (plan v1)": plan},
    }
    evidence = json.dumps({"files": {"case.yaml": steps}, "courses": courses})
    printed = Elements(html_report(run_of(result("a/one", finding(), evidence=evidence)))).data["detail-0"]["0"][
        "printed"
    ]
    (legacy, new), texts = (printed["at"][name] for name in ("legacy", "new")), printed["texts"]
    first, second = "step 1 (apply v1)", "step 2 (plan v1)"
    assert (legacy[second], legacy[first][0]) == (new[second], new[first][0])
    assert texts[legacy[second][0]].startswith("No changes. Your infrastructure still matches the configuration.")
    assert texts[legacy[first][1]] == '# terraform_data.a:\nresource "terraform_data" "a" {\n    input = "x"\n}\n'
    assert (texts[new[first][1]], legacy[second][1]) == ("The state is empty.\n", -1)


def test_an_equal_case_says_what_its_equality_rests_on() -> None:
    compared = {"step 1 (apply v1)": {"events": 4, "objects in the state": 2}}
    equal = result("a/equal", compared=compared, step_s={"legacy": {"step 1 (apply v1)": 0.0214}}, is_recorded=True)
    page = Elements(html_report(run_of(equal))).data
    detail = page[f"detail-{page['index']['rows'][0][10]}"]["0"]
    assert detail["compared"] == compared
    assert detail["times"] == {"legacy": {"step 1 (apply v1)": 21}}
    assert (detail["recorded"], detail["runs"]) == (True, {"legacy": 2, "new": 1})


def test_values_of_findings_are_written_as_a_person_would() -> None:
    for text, words in (
        ('{"phase":"plan","severity":"error","summary":"Read failed","detail":"No."}', "Error: Read failed\nNo."),
        (
            '["refresh_start","sim.a",null], ["refresh_complete","sim.a",null]',
            "refresh_start sim.a\nrefresh_complete sim.a",
        ),
        ('{"add":2,"change":0}', "2 add, 0 change"),
        ('{"id":"x"}', '{"id":"x"}'),
        ("nothing more", "(none)"),
        ('{"address":"t.a","mode":"managed","change":{"actions":["no-op"],"before":null}}', "t.a: no-op"),
        (f'{{"name":"{"x" * 80}"}}', f'{{\n  "name": "{"x" * 80}"\n}}'),
        ("[broken", "[broken"),
        ("[]", "[]"),
    ):
        assert value_text(text) == words


def test_engines_are_called_by_what_they_are() -> None:
    """A page is read elsewhere: how the run found an engine is no part of its name."""
    engines = ("recorded:tofu-main", "/opt/x/tofu", "experimental:/opt/y/tofu")
    run = run_of(result("a/one", engines=engines), engines=engines)
    page = Elements(html_report(run))
    assert page.data["index"]["labels"] == {
        "recorded:tofu-main": "tofu-main",
        "/opt/x/tofu": "tofu",
        "experimental:/opt/y/tofu": "experimental:tofu",
    }
    assert engine_labels(["/a/tofu", "/b/tofu"]) == {"/a/tofu": "/a/tofu", "/b/tofu": "/b/tofu"}


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
    assert detail["known"].startswith(
        "# The path of the case is to be given from the directory of this file.\n- id: D-"
    )
    entries = [cause["entry"] for cause in page["index"]["causes"]]
    assert [entry.count("- id: D-") for entry in entries] == [1, 1, 0], "what is documented needs no entry"
    assert "case: corpus/a/one\n" in entries[1]
    assert detail["issue"].startswith("### `new crashes: KeyError in x.py:f`\n")
    without = [each for each in page["detail-0"].values() if not each["known"]]
    assert len(without) == 1, "what is documented needs no entry"
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
        '{"files": {"": ""}, "courses": {"new": {"x": {"config": "", "plan": {"resource_changes": 1}}}}}',
        '{"files": {"case.yaml": "mode: ["}, "courses": {"new": {"step 1 (": {"state": {"resources": [1]}}}}}',
        '{"files": {"case.yaml": "mode: x"}, "courses": {"new": {"x": {"state": {"outputs": {"o": 1}}}}}}',
        '{"courses": {"new": {"x": {"state": {"resources": [{"type": [], "instances": [{"attributes": []}]}]}}}}}',
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
    plan = f'{{"output_changes": {{"o": {change}}}}}'
    tree = loads(f'{{"plan": {plan}, "secret": "(sensitive value)", "big": 12345678901234567890, "n": 5}}')
    assert isinstance(tree, dict)
    assert render_observation(tree) == {
        "plan": {"output_changes": {"o": {"after": {"name": "unknown", "id": {"\0": "unknown"}}}}},
        "secret": {"\0": "sensitive"},
        "big": {"\0": "number", "text": "12345678901234567890"},
        "n": 5,
    }
    sets = loads('{"state": {"outputs": {"o": {"value": ["b"], "type": ["set", "string"]}}}}')
    assert isinstance(sets, dict)
    assert render_observation(sets)["state"]["outputs"]["o"]["value"] == {"\0": "set", "items": ["b"]}


# Large runs


def test_a_large_run_is_a_file_of_limited_size() -> None:
    """One case in a hundred differs, with evidence that hardly compresses and exceeds the limit of a page. What is
    kept of each other case is little: `benchmarks/report.py` measures five times as many."""
    noise = "".join(hashlib.sha256(str(number).encode()).hexdigest() for number in range(2_000))
    equal = result("a/b")
    different = result("a/b", finding())

    def one(number: int) -> CaseResult:
        name = f"area_{number % 90}/case-{hashlib.sha256(str(number).encode()).hexdigest()[:12]}"
        if number % 100:
            return replace(equal, identifier=name, path=f"corpus/{name}")
        evidence = json.dumps({"files": {"notes.txt": noise[number // 10 :]}})
        return replace(different, identifier=name, path=f"corpus/{name}", evidence=evidence)

    text = html_report(run_of(*map(one, range(20_000))))
    assert len(text) < 15_000_000
    index = Elements(text).data["index"]
    assert len(index["rows"]) == 20_000
    assert 0 < sum(row[10] >= 0 for row in index["rows"] if row[17]) < 200
    assert all(row[10] >= 0 for row in index["rows"] if not row[17]), "what is told about equal cases is little"
