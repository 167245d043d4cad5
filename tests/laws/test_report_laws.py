"""Whatever a case contains, a report about it stays a report: no text of a case takes effect."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.console import Console

from harness.compare.ruling import Ruling
from harness.findings.finding import Finding
from harness.findings.result import CaseResult, result_from_json, result_to_json
from harness.findings.run import Run, Stale
from harness.findings.run_comparison import compare_runs
from harness.findings.signature import Signature
from reports.graph.svg import graph_svg
from reports.html.page import SCRIPTS, html_report
from reports.html.shell import script_text
from reports.run.comparison import comparison_lines
from reports.run.document import run_document
from reports.run.harness_quality import UNKNOWN, Benchmark, FuzzFigures, HarnessQuality, MutantAttempt
from reports.run.junit import junit_xml
from reports.run.markdown import COMMENT, markdown
from reports.run.sarif import sarif
from reports.run.summary import print_run
from reports.visible import visible_line
from tests.html_elements import Elements
from tests.sample_runs import MIXED
from tests.schema import violations

SCHEMA: Final = json.loads(
    (Path(__file__).parent.parent.parent / "reports" / "run" / "run.schema.json").read_text(encoding="utf-8")
)
SCRIPT: Final = str(script_text(SCRIPTS))
UNSEEN: Final = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}

hostile: Final = st.lists(
    st.sampled_from(
        [
            *("</script>", "<!--<script>", '" onload=x ', "' x='", "javascript:x", "&lt;", "{{ 1 }}", "{% x %}"),
            *("\x1b[2J", "\x1b]8;;http://x\x07", "\x00", "\r", "\u202e", "\u2066", "\u200b", "\ufeff", "\x9b"),
            *("\ud800", "\uffff", "\U0010ffff", "\u2028", "]]>", "<!--", "<script>", "</details>", "</code>", "&amp;"),
            *(
                "`",
                "``",
                "```\n",
                "|",
                "\\|",
                "\\",
                "\n\n# head\n",
                "\n",
                "\t",
                "@user",
                "#1",
                "[l](http://x)",
                "![i](x)",
            ),
            *(
                "[bold red]",
                "[/]",
                ":smile:",
                "=cmd()",
                "http://example.com",
                "*x*",
                "~~~\n",
                "    code",
                "{}",
                "%s",
                "{0}",
            ),
        ]
    )
    | st.text(max_size=3),
    max_size=4,
).map("".join)

signatures: Final = st.builds(
    Signature, hostile, hostile, st.sampled_from([ruling for ruling in Ruling if ruling != "equal"]), hostile, hostile
)
findings: Final = st.builds(
    Finding,
    signatures,
    st.tuples(hostile),
    hostile,
    hostile,
    hostile,
    hostile,
    st.booleans(),
    st.lists(hostile, max_size=2).map(tuple),
    st.sampled_from(["", "K1"]),
)
observations: Final = st.dictionaries(
    st.sampled_from(["ok", "config", "diagnostics", "events", "state", "order", "plan"]) | hostile,
    hostile
    | st.lists(hostile, max_size=2)
    | st.dictionaries(hostile, hostile, max_size=2)
    | st.sampled_from([{"effects": [["<b>", "x"], ["\"'", "y"]], "before": [[0, 1]]}, {"effects": 1}, {"before": []}]),
    max_size=3,
)
evidences: Final = hostile | st.fixed_dictionaries(
    {
        "files": st.dictionaries(hostile | st.sampled_from(["main.tf", "v1/main.tf"]), hostile, max_size=2),
        "courses": st.dictionaries(
            st.sampled_from(["legacy", "new", "recorded"]) | hostile,
            st.dictionaries(hostile, observations, max_size=2),
            max_size=2,
        ),
    }
).map(json.dumps)
films: Final = hostile | st.lists(
    st.fixed_dictionaries(
        {
            "told": hostile,
            "trials": st.integers(0, 9),
            "blocks": st.integers(0, 9),
            "lines": st.integers(0, 9),
            "files": st.dictionaries(hostile | st.just("main.tf"), hostile, max_size=2),
            "without": st.lists(hostile, max_size=2),
        }
    ),
    min_size=1,
    max_size=3,
).map(lambda frames: json.dumps({"format": 1, "frames": frames}))
results: Final = st.builds(
    lambda name, area, **other: CaseResult(f"{area}/{name}", f"corpus/{area}/{name}", area, **other),
    hostile,
    hostile,
    description=hostile,
    engines=st.just(("legacy", "new")),
    not_run=st.dictionaries(st.sampled_from(["legacy", "new"]), hostile, max_size=2),
    findings=st.lists(findings, max_size=2).map(tuple),
    faked=st.lists(hostile, max_size=1).map(tuple),
    evidence=evidences,
    tags=st.lists(hostile, max_size=1).map(tuple),
    normalised=st.dictionaries(hostile, st.integers(1, 9), max_size=1),
    trace=hostile,
    reduction_history=films,
)
runs: Final = st.builds(
    lambda header, cases, stale: Run(
        {"seed": header, "mutant": header, "started": header},
        ("legacy", "new"),
        tuple({case.identifier: case for case in cases}.values()),
        tuple(stale),
        {"K1": "bug"},
        len(cases),
    ),
    hostile,
    st.lists(results, max_size=3),
    st.lists(st.builds(Stale, hostile, hostile, hostile), max_size=2),
)
healths: Final = st.builds(
    HarnessQuality,
    st.none()
    | st.builds(
        Benchmark,
        hostile,
        st.lists(st.builds(MutantAttempt, hostile, hostile, st.just(1), hostile, hostile)).map(tuple),
    ),
    st.none()
    | st.builds(FuzzFigures, hostile, hostile, hostile, st.just(1), st.just(0.5), st.none(), st.just(0), hostile),
)
few: Final = settings(max_examples=60)


@few
@given(runs)
def test_a_terminal_sees_text_only(run: Run) -> None:
    file = io.StringIO()
    print_run(run, Console(file=file, width=100))
    text = file.getvalue()
    text.encode()
    assert {character for character in text if unicodedata.category(character) in UNSEEN} <= {"\n"}


@few
@given(runs, runs)
def test_what_has_changed_is_told_in_lines_of_text(run: Run, before: Run) -> None:
    for line in comparison_lines(compare_runs(before, run)):
        line.encode()
        assert not [character for character in line if unicodedata.category(character) in UNSEEN]


@few
@given(runs)
def test_colours_are_ours_alone(run: Run) -> None:
    file = io.StringIO()
    print_run(run, Console(file=file, width=100, force_terminal=True, color_system="standard", legacy_windows=False))
    for part in file.getvalue().split("\x1b")[1:]:
        assert part.startswith("[")
        assert part.partition("m")[0][1:].replace(";", "").isdigit()


@few
@given(runs, st.none() | runs)
def test_xml_is_well_formed_and_whole(run: Run, before: Run | None) -> None:
    root = ElementTree.fromstring(junit_xml(run, None if before is None else compare_runs(before, run)).encode())
    cases = [test for test in root.iter("testcase") if test.get("classname") != "diffharness"]
    expected = {(visible_line(each.area), each.identifier) for each in run.results}
    assert len(cases) == len(expected)


@few
@given(runs, st.integers(3_000, COMMENT), st.none() | runs)
def test_markdown_fits_and_shows_strings_as_code(run: Run, limit: int, before: Run | None) -> None:
    text = markdown(run, limit, None if before is None else compare_runs(before, run))
    assert len(text.encode()) <= limit
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inline = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in inline} <= {"text", "code_inline", "softbreak", "strong_open", "strong_close"} | {
        "em_open",
        "em_close",
    }
    text = "".join(child.content for child in inline if child.type == "text")
    assert "@" not in text
    assert "http" not in text
    for token in tokens:
        if token.type == "html_block":
            assert token.content.startswith(("<details><summary><code>", "</details>"))
            assert "<script" not in token.content
    assert sum(token.type == "heading_open" for token in tokens) <= 6


@few
@given(runs, st.none() | runs)
def test_the_document_is_what_its_schema_says(run: Run, before: Run | None) -> None:
    document = run_document(run, None if before is None else compare_runs(before, run))
    assert list(violations(json.loads(json.dumps(document)), SCHEMA)) == []


FULL: Final = HarnessQuality(
    Benchmark("corpus", (MutantAttempt("B01", "corpus/a", 1, "new: x"), MutantAttempt("B02", "", 1, ""))),
    FuzzFigures("1", "default", "abc", 1, 0.5, 0.5, 1, "found"),
)
PLAIN: Final = {
    (tag, name)
    for run in (MIXED, replace(MIXED, results=(), stale=()))
    for earlier in (None, run, replace(MIXED, results=MIXED.results[:1]))
    for health in (UNKNOWN, FULL)
    for tag, attributes in Elements(html_report(run, earlier, health)).found
    for name in ("", *attributes)
}
"""Elements and attributes of pages about harmless cases."""


def texts(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        yield from tree
        for part in tree.values():
            yield from texts(part)
    elif isinstance(tree, list):
        for part in tree:
            yield from texts(part)
    elif isinstance(tree, str):
        yield tree


@few
@given(runs, st.none() | runs, healths)
def test_a_page_has_no_element_and_no_attribute_of_a_cases_making(
    run: Run, before: Run | None, health: HarnessQuality
) -> None:
    text = html_report(run, before, health)
    text.encode()
    page = Elements(text)
    assert {(tag, name) for tag, attributes in page.found for name in ("", *attributes)} <= PLAIN
    assert page.scripts[-1][1] == SCRIPT
    assert all((attributes.get("href") or "#").startswith("#") for _, attributes in page.found)
    assert "<!--" not in text.replace(SCRIPT, "")
    assert len(page.data["index"]["rows"]) == len(run.results)
    shown = [*texts(page.data), page.text]
    assert {character for text in shown for character in text if unicodedata.category(character) in UNSEEN} <= set(
        "\n\t\0"
    )


@few
@given(runs, st.none() | runs)
def test_sarif_is_what_programs_expect(run: Run, before: Run | None) -> None:
    text = sarif(run, before)
    (only,) = json.loads(text)["runs"]
    unseen = {character for text in texts(only) for character in text if unicodedata.category(character) in UNSEEN}
    assert unseen <= {"\n"}
    for found in only["results"]:
        assert only["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] == found["ruleId"]
        (place,) = found["locations"]
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9%/._~-]+", uri)
        assert place["physicalLocation"]["region"]["startLine"] >= 1


@few
@given(results)
def test_a_result_survives_its_file(result: CaseResult) -> None:
    assert result_from_json(json.loads(json.dumps(result_to_json(result)))) == result


@few
@given(st.dictionaries(hostile, st.lists(hostile, max_size=3), max_size=6))
def test_a_picture_of_a_graph_has_our_elements_only(graph: dict[str, list[str]]) -> None:
    text = graph_svg(graph)
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(text.encode()).iter()}
    assert tags <= {"svg", "title", "style", "defs", "marker", "path", "g", "rect", "text"}
    assert {character for character in text if unicodedata.category(character) in UNSEEN} <= {"\n"}
