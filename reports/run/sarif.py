"""A run as SARIF 2.1.0, which shows a divergence on the line of the configuration that causes it.

A rule is a cause: a new cause is a new rule, and two hundred cases of one bug are two hundred results of one rule. A
case with three causes has three results. Results are identified by cause and case, not by line, so that an edit further
up does not make an old divergence new. Documented causes are included, but suppressed. GitHub accepts at most 5,000
results: new ones come first, and the rest is counted.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from harness.findings.case_causes import causes_by_case, example_of
from harness.findings.causes import Cause
from harness.findings.finding import Finding
from harness.findings.reproduction import reproduction
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.findings.run_comparison import Comparison, compare_runs
from harness.findings.signature import Ruling, Signature
from harness.findings.weight import Weight
from reports.run.screen import case_screen
from reports.run.source_lines import find_source_lines, read_evidence
from reports.visible import shortened, visible, visible_line

__all__ = ["MOST_RESULTS", "sarif"]

MOST_RESULTS: Final = 5_000
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LONGEST: Final = 1_000
_LEVELS: Final = {Ruling.NOISE: "warning", Ruling.FLAKY: "warning", Ruling.NOT_RUN: "note"}
_CASE_FILE: Final = "case.yaml"
_CONFIGURATION_SUFFIXES: Final = (".tf", ".tofu", ".tf.json", ".tofu.json")
_MAIN_FILES: Final = ("main.tf", "main.tofu")
_EXPECTED: Final = re.compile(r" \(case\.yaml:(\d{1,9})\)\Z")
_REFUSED: Final = re.compile(r"(?P<file>[^\n]+?)(?::(?P<line>\d{1,9}))?(?:\Z|: )")
_MOST_GONE: Final = 100
_MOST_SIGNATURES: Final = 20


def sarif(run: Run, before: Run | None = None, root: str = "", here: str = "") -> str:
    """Return the SARIF text. `before` is an earlier run: each result says whether it was already present then. `root`
    is the directory to which paths are relative: that of the repository. `here` is the one from which cases were named.

    Causes that are gone become notifications, not results: GitHub does not know absent results and would display them.
    """
    earlier = _known_earlier(before)
    causes = causes_by_case(run.causes)
    found = [(result, cause) for result in run.results for cause in causes.get(result.identifier, ())]
    found.sort(key=lambda each: bool(each[1].known))
    results = {result.identifier: result for result in run.results}
    numbers = {cause.identifier: number for number, cause in enumerate(run.causes)}
    shown: list[dict[str, Any]] = []
    for result, cause in found[:MOST_RESULTS]:
        example = example_of(result, cause, causes[result.identifier])
        made = _result(result, cause, example, causes[result.identifier])
        state = _state(result, example, earlier)
        shown.append(
            {
                **made,
                "ruleIndex": numbers[cause.identifier],
                "locations": [_location(result, example, root, here)],
                **state,
            }
        )
    since = None if before is None else compare_runs(before, run)
    tree = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {**_driver(run), "rules": [_rule(cause, results[cause.smallest]) for cause in run.causes]}
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(run, len(found) - len(shown), since)],
                "results": shown,
            }
        ],
    }
    return json.dumps(tree, indent=1) + "\n"


def _driver(run: Run) -> dict[str, str]:
    version = run.header.get("version", "")
    return {"name": "diffharness", **({"version": visible_line(version)} if version else {})}


def _known_earlier(before: Run | None) -> dict[tuple[str, Signature], str] | None:
    """Map case and signature to the entry of known.yaml, which is empty if the finding was not documented."""
    if before is None:
        return None
    return {
        (result.identifier, finding.signature): finding.known
        for result in before.results
        for finding in result.findings
    }


def _state(result: CaseResult, finding: Finding, earlier: Mapping[tuple[str, Signature], str] | None) -> dict[str, str]:
    if earlier is None:
        return {}
    was = earlier.get((result.identifier, finding.signature))
    return {"baselineState": "new" if was is None else "unchanged" if was == finding.known else "updated"}


def _invocation(run: Run, left_out: int, since: Comparison | None) -> dict[str, Any]:
    """Report what fails a run without being a result of a case, and what is no longer found."""
    notes = [f"{stale.place}: {stale.entry}: {stale.problem}" for stale in run.stale]
    if not run.is_complete:
        notes.append(f"{run.planned - len(run.results)} of {run.planned} cases were not run")
    broken = sum(result.ruling.is_breakdown for result in run.results)
    if broken:
        notes.append(f"an engine, or diffharness itself, came to no end in {broken} of {run.planned} cases")
    if left_out:
        notes.append(f"{left_out} more results do not fit here")
    shown = [{"level": "error", "message": {"text": visible_line(note)}} for note in notes]
    gone = () if since is None else since.gone_causes[:_MOST_GONE]
    shown += [{"level": "note", "message": {"text": _describe_gone(cause)}} for cause in gone]
    return {
        "executionSuccessful": run.is_complete and not broken,
        **({"toolExecutionNotifications": shown} if shown else {}),
    }


def _describe_gone(cause: Cause) -> str:
    return visible_line(f"gone: {shortened(cause.title, _LONGEST)}, which was in {cause.smallest}")


def _rule(cause: Cause, smallest: CaseResult) -> dict[str, Any]:
    text = visible_line(shortened(cause.title, _LONGEST))
    signatures = [
        visible_line(shortened(str(signature), _LONGEST)) for signature in cause.signatures[:_MOST_SIGNATURES]
    ]
    again = f"An example: {visible_line(reproduction(smallest))}"
    return {
        "id": visible_line(cause.identifier),
        "name": visible_line(f"{cause.example.signature.subject}/{cause.weight.description}"),
        "shortDescription": {"text": text},
        "help": {"text": "\n".join([text, again, *signatures])},
        "defaultConfiguration": {"level": _level(cause.weight, cause.example)},
        "properties": {"tags": [cause.weight.description, *(visible_line(name) for name in cause.features)]},
    }


def _level(weight: Weight, example: Finding) -> str:
    lightest = "warning" if weight <= Weight.EVENTS else "error"
    return _LEVELS.get(example.signature.ruling, lightest)


def _result(result: CaseResult, cause: Cause, example: Finding, causes: Sequence[Cause]) -> dict[str, Any]:
    name = visible_line(cause.identifier)
    screen = shortened(f"{cause.title}\n\n{case_screen(result, causes, [example])}", 4 * _LONGEST)
    suppression = {"kind": "external", "justification": visible_line(cause.known)}
    fingerprint = f"{name}:{visible_line(result.identifier)}"
    return {
        "ruleId": name,
        "level": "note" if cause.known else _level(example.weight, example),
        "message": {"text": visible(screen).expandtabs(4)},
        "partialFingerprints": {"cause/v1": name, "primaryLocationLineHash": fingerprint},
        **({"suppressions": [suppression]} if cause.known else {}),
    }


def _location(result: CaseResult, example: Finding, root: str, here: str) -> dict[str, Any]:
    """Return the only location: results with several are displayed several times. If no line is known, it is the first
    line of the file that describes the case. A story that is in no file has only a name."""
    named = {"logicalLocations": [{"fullyQualifiedName": visible_line(result.identifier)}]}
    if result.generated_by:
        return named
    evidence = read_evidence(result)
    known = _written_line(result, example, here or root) or next(iter(find_source_lines([example], evidence)), None)
    name, line = known or (_describing_file(evidence.files), 1)
    uri = _uri(_relative(result, name, root, here))
    where = {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}
    return {"physicalLocation": where, **named}


def _relative(result: CaseResult, name: str, root: str, here: str) -> str:
    """Return the path of a file of a case, relative to the root. A case that is elsewhere is called by its name: an
    address on this machine says nothing on another."""
    path = posixpath.normpath(posixpath.join(here or root, result.path, name))
    below = f"{root.rstrip('/')}/"
    if root and path.startswith(below):
        return path.removeprefix(below)
    if not path.startswith(("/", "../")):
        return path
    return "/".join(part for part in f"{result.identifier}/{name}".split("/") if part not in ("", "..", "."))


def _written_line(result: CaseResult, example: Finding, here: str) -> tuple[str, int] | None:
    """Return the line that made the case unreadable, or that expects something else, where a message names it."""
    expected = _EXPECTED.search(example.expected) if example.field.startswith("expect.") else None
    if expected is not None:
        return _CASE_FILE, int(expected[1])
    if example.signature.ruling is not Ruling.INVALID_CASE:
        return None
    message = _REFUSED.match(example.field or example.got)
    if message is None:
        return None
    for place in (result.path, posixpath.join(here, result.path)):
        if message["file"].startswith(place):
            return posixpath.relpath(message["file"], place), int(message["line"] or 1)
    return None


def _describing_file(files: Iterable[str]) -> str:
    """Return the case.yaml, or the file of a configuration that most people would open first. Neither is there if the
    case could not be read: what is expected there is named then."""
    names = sorted(files, key=lambda name: (name.count("/"), posixpath.basename(name) not in _MAIN_FILES, name))
    if _CASE_FILE in names:
        return _CASE_FILE
    return next((name for name in names if name.endswith(_CONFIGURATION_SUFFIXES)), _CASE_FILE)


def _uri(path: str) -> str:
    """Encode a path as a relative URI reference of RFC 3986. A name that starts like a scheme must not be read as
    one."""
    return quote(path, safe="/", errors="surrogatepass")
