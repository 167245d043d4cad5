"""The result of one case: everything that a run records about it.

A result is pure data with one form on disk, a JSON object with a version: the journal has one per line, and reports are
made from nothing else. Observations, which are large, are kept as evidence only if there is a finding. Except for
times, a result is the same in every run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, field, replace
from typing import Any, Final

from harness.compare.ruling import Ruling
from harness.findings.finding import Finding, Standing
from harness.findings.signature import Signature
from shared_nodes.record import record

__all__ = ["FORMAT", "HARNESS", "CaseResult", "ResultError", "result_from_json", "result_to_json"]

HARNESS: Final = "harness"
"""The subject of a finding where no engine was running."""

FORMAT: Final = 1
"""The format of results on disk. A reader understands all formats up to its own."""


class ResultError(Exception):
    """Not a result, or one of a later format."""


@record
class CaseResult:
    identifier: str
    """`area/name`, or longer to be unique in a run: reports, shards and an earlier run are joined by it."""

    path: str
    """The path of the directory of the case, as it was given."""

    area: str
    """The identifier without the name of the case."""

    description: str = ""
    tags: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    """The parts of the language that the case uses, and how it is run."""

    engines: tuple[str, ...] = ()
    """The first is the baseline."""

    is_recorded: bool = False
    flavour: str = ""
    """The product that engines followed; empty if the case could not be read."""

    counts: Mapping[str, int] = field(default_factory=dict)
    """For a file of expressions: how many lines it has, and how many have which outcome."""

    agrees: tuple[str, ...] = ()
    """Engines that did what was recorded."""

    equal: tuple[str, ...] = ()
    """Engines that did what the baseline did."""

    not_run: Mapping[str, str] = field(default_factory=dict)
    """Engines that cannot run the case, each with the reason."""

    repository: str = ""
    """The repository that the case is from, in a run of several."""

    missing_modules: tuple[str, ...] = ()
    """The sources of modules that are not here, without which no engine can run the case."""

    given_values: tuple[str, ...] = ()
    """The variables of the configuration that got values from the command line."""

    chosen_values: Mapping[str, str] = field(default_factory=dict)
    """Values that were chosen for required variables, by name, as JSON."""

    findings: tuple[Finding, ...] = ()
    failure: str = ""
    """Why a configuration without a story of its own came to no good end with the baseline: the operation, a blank
    line, and what was reported. Whether engines agree about it is another question, which findings answer."""

    faked: tuple[str, ...] = ()
    """Commands that were only pretended to run, because the case is not trusted."""

    changes: tuple[str, ...] = ()
    """Intended changes that the run has adopted."""

    permissive: tuple[str, ...] = ()
    """Providers that the run has replaced by the permissive one, in addition to those of the case."""

    mutant: str = ""
    """The mutant that was active in an engine."""

    prelude: str = ""
    """The prelude that was added to the modules of the case, as `--prelude` names it."""

    generated_by: str = ""
    """The command that generates the case, if it is a story that is not in a file."""

    varies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What varied between the runs of an engine, by engine: observations, and orders that are not compared."""

    repeated: tuple[str, ...] = ()
    """Further options of the run, as a command line gives them, without which the case may show something else."""

    first_schedule: str = ""
    """The schedule of the first run by each engine, unless it is the usual one."""

    normalised: Mapping[str, int] = field(default_factory=dict)
    """How often each rule of normalisation changed something."""

    evidence: str = ""
    """JSON text: {"files": {name: text}, "courses": {engine: {place: observation}}, "graphs": {...}}."""

    reduction_history: str = ""
    """JSON text, as `harness.reduce.history` writes it: the history of the reduction of the case, if it was reduced."""

    runs: Mapping[str, int] = field(default_factory=dict)
    """How often each engine ran the case to its end."""

    elapsed_s: Mapping[str, float] = field(default_factory=dict)
    """Time of all runs, by engine."""

    compared: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """What was compared at each place: how many objects, events, calls and so on the baseline has there. It says what
    the equality of a case rests on, of which no evidence is kept."""

    step_s: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Time of each step in the first run, by engine and place. A recording has none."""

    case_s: float = 0.0
    """Time from reading the case to its result: all runs, steps that were run once more, and comparing."""

    binaries_s: float = 0.0
    """Part of it in which commands of binaries ran."""

    attempts: int = 1
    """More than one if a worker was lost."""

    trace: str = ""
    """Where an engine was when its time or memory ran out, or its process ended: another place each time."""

    @property
    def ruling(self) -> Ruling:
        """The worst ruling among the findings that are not documented. A case that the baseline could not run is not
        equal, since nothing was compared with it."""
        found = [finding.signature.ruling for finding in self.open_findings if not finding.is_detail]
        is_not_run = bool(self.engines) and self.engines[0] in self.not_run
        return max(found, key=_SEVERITY.index, default=Ruling.NOT_RUN if is_not_run else Ruling.EQUAL)

    @property
    def open_findings(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if not finding.known or not finding.is_accepted)

    @property
    def failure_headline(self) -> str:
        """The operation that failed and its first error, in one line."""
        operation, *rest = self.failure.split("\n")
        error = next((line for line in rest if line.startswith(_ERROR)), "")
        return f"{operation}: {error.removeprefix(_ERROR)}" if error else operation

    @property
    def stable(self) -> CaseResult:
        """The result without what differs between two equal runs."""
        return replace(self, elapsed_s={}, step_s={}, case_s=0.0, binaries_s=0.0, attempts=1, trace="")


_ERROR: Final = "Error: "

_SEVERITY: Final = (
    Ruling.NOT_RUN,
    Ruling.EQUAL,
    Ruling.NOISE,
    Ruling.FLAKY,
    Ruling.DIFFERS,
    Ruling.ONLY_BASELINE_FAILS,
    Ruling.ONLY_CANDIDATE_FAILS,
    Ruling.OVER_BUDGET,
    Ruling.HANG,
    Ruling.CRASH,
    Ruling.INVALID_CASE,
)


_PUBLISHED_KEYS: Final = {"reduction_history": "film", "schedules": "ways"}
"""Fields of results and findings that have other names in journals and documents."""

_FIELDS: Final = {key: name for name, key in _PUBLISHED_KEYS.items()}


def _rename(tree: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in tree.items()}


def result_to_json(result: CaseResult) -> dict[str, Any]:
    """Encode a result. Empty parts are left out: most cases have no findings."""
    needed = {"identifier": result.identifier, "path": result.path, "area": result.area}
    tree = {name: value for name, value in asdict(result).items() if value not in ("", (), {}, 0, False)}
    if "findings" in tree:
        tree["findings"] = tuple(_rename(finding, _PUBLISHED_KEYS) for finding in tree["findings"])
    return {"format": FORMAT, **needed, **_rename(tree, _PUBLISHED_KEYS)}


def result_from_json(tree: Any) -> CaseResult:
    if not isinstance(tree, dict) or not isinstance(tree.get("format"), int):
        raise ResultError("not the result of a case")
    if tree["format"] > FORMAT:
        raise ResultError(f"a result of format {tree['format']}, and this diffharness knows none beyond {FORMAT}")
    values = _rename({name: value for name, value in tree.items() if name != "format"}, _FIELDS)
    try:
        values["findings"] = tuple(_finding(found) for found in values.get("findings", ()))
        for name in (
            "tags",
            "features",
            "engines",
            "agrees",
            "equal",
            "faked",
            "changes",
            "permissive",
            "repeated",
            "missing_modules",
        ):
            values[name] = tuple(values.get(name, ()))
        for name in (
            "counts",
            "not_run",
            "chosen_values",
            "varies",
            "normalised",
            "runs",
            "elapsed_s",
            "compared",
            "step_s",
        ):
            if not isinstance(values.get(name, {}), dict):
                raise ResultError(f"not the result of a case: {name} has no names")
        values["varies"] = {engine: tuple(texts) for engine, texts in values.get("varies", {}).items()}
        return CaseResult(**values)
    except (TypeError, ValueError, KeyError, AttributeError) as problem:
        raise ResultError(f"not the result of a case: {problem}") from problem


def _finding(tree: Mapping[str, Any]) -> Finding:
    signature = tree["signature"]
    return Finding(
        **{
            **_rename(tree, _FIELDS),
            "signature": Signature(**{**signature, "ruling": Ruling(signature["ruling"])}),
            "against": tuple(tree["against"]),
            "explanation": tuple(tree["explanation"]),
            "schedules": tuple(tree.get("ways", ())),
            "objects": tuple(tree.get("objects", ())),
            "standing": Standing(tree.get("standing", Standing.OWN)),
            "follows": tuple(tree.get("follows", ())),
        }
    )
