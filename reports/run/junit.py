"""A run as JUnit XML, which every build server displays: one test case per case, one suite per area.

A case has one failure, or one error if an engine broke, which lists its causes; a documented divergence passes and is
mentioned. What fails a run without being a case (an outdated entry of known.yaml, cases that were not run) is a test
case in a suite of its own; otherwise a build server would display a failed run as passed. Characters that XML cannot
represent are among those that every report makes visible. There are no elements and attributes but those of the schema
junit-10 of Jenkins, the strictest of those in use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree

from harness.findings.case_causes import causes_by_case
from harness.findings.causes import Cause
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.findings.run_comparison import Comparison
from harness.findings.signature import Ruling
from reports.run.comparison import CASE_CHANGES, comparison_lines
from reports.run.screen import case_screen, reproduction_line
from reports.visible import shortened, visible, visible_line

__all__ = ["junit_xml"]

_OWN_SUITE: Final = "diffharness"
_EARLIER: Final = "since the earlier run"
_LONGEST_MESSAGE: Final = 300


def junit_xml(run: Run, since: Comparison | None = None) -> str:
    """Return the XML. `since` has the changes since an earlier run: they are noted at each case that changed, and all
    of them are in one test case that always passes."""
    changes = {} if since is None else {case: name for name in CASE_CHANGES for case in getattr(since, name)}
    causes = causes_by_case(run.causes)
    root = ElementTree.Element("testsuites", name="diffharness")
    areas: dict[str, list[CaseResult]] = defaultdict(list)
    for result in run.results:
        areas[result.area].append(result)
    for area in sorted(areas):
        suite = ElementTree.SubElement(root, "testsuite", name=visible_line(area))
        for result in areas[area]:
            _add_case(suite, result, causes.get(result.identifier, ()), changes.get(result.identifier, ""))
    _add_own_suite(root, run, since)
    _count(root)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_case(suite: ElementTree.Element, result: CaseResult, causes: Sequence[Cause], change: str) -> None:
    name = result.identifier.partition("/")[2] or result.identifier
    test = ElementTree.SubElement(
        suite,
        "testcase",
        classname=visible_line(result.area),
        name=visible_line(name),
        time=f"{sum(result.elapsed_s.values()):.3f}",
    )
    if result.open_findings:
        kind = "error" if result.ruling.is_breakdown or result.ruling is Ruling.INVALID_CASE else "failure"
        problem = ElementTree.SubElement(test, kind, type=str(result.ruling), message=_message(result, causes))
        problem.text = visible("\n".join([*map(_cause_line, causes), "", case_screen(result, causes)]))
    elif result.ruling is Ruling.NOT_RUN:
        ElementTree.SubElement(test, "skipped", message=visible_line("; ".join(result.not_run.values())))
    ElementTree.SubElement(test, "system-out").text = visible("\n".join(_output(result, change)))


def _message(result: CaseResult, causes: Sequence[Cause]) -> str:
    """Return the title of the worst new cause of the case, or the signature of a finding that has none."""
    titles = [cause.title for cause in causes if not cause.known]
    more = f" (and {len(titles) - 1} more new {'cause' if len(titles) == 2 else 'causes'})" if len(titles) > 1 else ""
    text = titles[0] if titles else str(result.open_findings[0].signature)
    return visible_line(shortened(text, _LONGEST_MESSAGE) + more)


def _cause_line(cause: Cause) -> str:
    documented = f" [{cause.category} {cause.known}]" if cause.known else ""
    return visible_line(f"{cause.weight.description}: {cause.title}{documented} ({cause.identifier})")


def _output(result: CaseResult, change: str) -> list[str]:
    lines = [reproduction_line(result), *([f"{change} since the earlier run"] if change else [])]
    lines += [f"documented: {name}" for name in dict.fromkeys(found.known for found in result.findings if found.known)]
    lines += [f"came to no good end: {result.failure_headline}"] if result.failure else []
    lines += [f"{engine} not run: {reason}" for engine, reason in result.not_run.items()]
    return lines + [f"not run, taken to have succeeded: {visible_line(command)}" for command in result.faked]


def _add_own_suite(root: ElementTree.Element, run: Run, since: Comparison | None) -> None:
    problems = {f"known.yaml: {stale.entry}": f"{stale.place}: {stale.problem}" for stale in run.stale}
    if not run.is_complete:
        problems["all cases"] = f"{run.planned - len(run.results)} of {run.planned} cases were not run"
    if not problems and since is None:
        return
    suite = ElementTree.SubElement(root, "testsuite", name=_OWN_SUITE)
    for name, problem in problems.items():
        test = ElementTree.SubElement(suite, "testcase", classname=_OWN_SUITE, name=visible_line(name), time="0.000")
        ElementTree.SubElement(test, "failure", message=visible_line(problem)).text = visible(problem)
    if since is not None:
        test = ElementTree.SubElement(suite, "testcase", classname=_OWN_SUITE, name=_EARLIER, time="0.000")
        ElementTree.SubElement(test, "system-out").text = "\n".join(comparison_lines(since))


def _count(root: ElementTree.Element) -> None:
    for element in (*root, root):
        tests = list(element.iter("testcase"))
        element.set("tests", str(len(tests)))
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            if element is not root or tag != "skipped":
                element.set(attribute, str(sum(test.find(tag) is not None for test in tests)))
        element.set("time", f"{sum(float(test.get('time', '0')) for test in tests):.3f}")
