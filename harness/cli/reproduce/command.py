"""`diffharness reproduce`: write everything that a bug report needs to a directory."""

from __future__ import annotations

import os
import posixpath
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from harness.case.case import CaseError
from harness.cli.reproduce.engine_facts import EngineFacts, facts_of_engines
from harness.cli.reproduce.form import BugReport, crash_output, versions_text
from harness.cli.reproduce.kept_case import KeptCase, PlayedStep, open_kept_case
from harness.cli.reproduce.layout import (
    OUTPUTS,
    PRIOR_STATE,
    REPORT_FILE,
    SCRIPT_FILE,
    VARIABLES,
    VERSIONS_FILE,
    lay_out,
)
from harness.cli.reproduce.script import ScriptWriter, needs_case_file, slug
from harness.cli.support.case_options import (
    CaseOptions,
    case_options,
    find_kept_result,
    mark_known,
    select_case,
)
from harness.cli.support.given_options import InputCommand
from harness.cli.support.options import mutant_option
from harness.cli.support.project import read_known_divergences, read_project_configuration
from harness.cli.support.unreadable_case import UnreadableCaseError
from harness.compare.verdict import RECORDED
from harness.execute.journal import JournalError
from harness.execute.replay import replay
from harness.findings.building.evidence import evidence_of
from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.findings.secrets.masking import secrets_of
from harness.findings.worst import worst_first
from harness.play.artifacts import ArtifactWriter
from harness.play.run_spec import RunSpec
from reports.terminal.step_output import output_of_step, state_of_step
from reports.visible import visible_line
from shared_nodes.record import record

__all__ = ["reproduce"]


@click.command(cls=InputCommand)
@click.argument("case", metavar="CASE|RUN:CASE")
@case_options
@mutant_option
@click.option("--run", "run_name", metavar="RUN", help="Run nothing: use what this run has kept of the case.")
@click.option("--signature", metavar="DIGEST", default="", help="Report this finding alone.  [default: all]")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory to write, new or empty.  [default: reproduce-CASE in the current directory]",
)
def reproduce(case: str, *, mutant: str, run_name: str | None, signature: str, out: Path | None, **values: Any) -> None:
    """Write a directory for a bug report about a CASE: the configuration, the commands of the engines alone, what each
    engine printed, versions, and a text with the fields of the products' forms. Sensitive values are masked."""
    options = CaseOptions.from_click(values)
    try:
        source = _run_again(case, mutant, options) if run_name is None else _read_kept(case, run_name, options.engines)
        findings = _select_findings(source.result, signature)
        directory = out or Path(f"reproduce-{Path(source.result.path).name or 'case'}")
        _require_free(directory)
        with open_kept_case(source.result) as kept:
            _write_directory(directory, _make_files(source, findings, kept))
    except CaseError as problem:
        raise UnreadableCaseError(str(problem)) from problem
    except JournalError as problem:
        raise click.ClickException(str(problem)) from problem
    except OSError as problem:
        raise click.ClickException(f"cannot write to {out}: {problem.strerror or problem}") from problem
    for finding in findings[:1]:
        click.echo(visible_line(f"{finding.signature.digest} {finding.signature}"))
    if not findings:
        click.echo("no difference was found")
    click.echo(f"written    {directory}/{REPORT_FILE}")
    click.echo(f"commands   sh {directory}/{SCRIPT_FILE}")


@record
class _Source:
    """A result with evidence, and the circumstances in which it came about."""

    result: CaseResult
    spec: RunSpec
    facts: Mapping[str, str] | None = None
    """The facts of the run that has kept the result; None if the case has just been run."""


def _run_again(case: str, mutant: str, options: CaseOptions) -> _Source:
    selected = select_case(case, options)
    settings = replace(selected.settings, mutant=mutant or selected.settings.mutant)
    with tempfile.TemporaryDirectory(prefix="diffharness-reproduce-") as place:
        replayed = replay(selected.directory, settings, ArtifactWriter(Path(place)))
    result = mark_known(replayed.result, settings)
    if not result.evidence:
        observations = replayed.verdict.observations
        secrets = secrets_of(replayed.case, observations)
        evidence = evidence_of(selected.directory, replayed.case, observations, (), secrets)
        result = replace(result, evidence=evidence)
    return _Source(result, settings)


def _read_kept(case: str, run_name: str, engines: str | None) -> _Source:
    kept = find_kept_result(read_project_configuration(), run_name, case)
    result = kept.result
    if not result.evidence:
        raise click.UsageError(
            f"the run {run_name} has kept nothing of {case}, because its engines agreed there: omit --run to run it"
        )
    if engines is not None:
        result = _restricted(result, tuple(name.strip() for name in engines.split(",")))
    return _Source(read_known_divergences().documented(result), kept.settings, kept.facts)


def _restricted(result: CaseResult, engines: tuple[str, ...]) -> CaseResult:
    """Return the result of some of the engines of a run."""
    for name in engines:
        if name not in result.engines:
            there = ", ".join(result.engines)
            raise click.BadParameter(f"{name} did not take part; there are {there}", param_hint="--engines")
    findings = tuple(each for each in result.findings if each.signature.subject in engines)
    return replace(result, engines=engines, findings=findings)


def _select_findings(result: CaseResult, signature: str) -> list[Finding]:
    findings = worst_first(result.findings)
    chosen = [each for each in findings if not signature or each.signature.digest == signature]
    if signature and not chosen:
        there = ", ".join(dict.fromkeys(each.signature.digest for each in findings)) or "none"
        raise click.UsageError(f"{result.identifier} has no finding {signature}; there is {there}")
    return chosen


# The files


def _make_files(source: _Source, findings: Sequence[Finding], kept: KeptCase) -> dict[str, str]:
    result = source.result
    engines = facts_of_engines(result.engines, Path(result.path), result.flavour, source.facts)
    layout = lay_out(kept, with_case=needs_case_file(kept, engines))
    played = kept.played()
    if not any(finding.place.startswith("validate ") for finding in findings):
        played = [each for each in played if not each.place.startswith("validate ")] or played
    script = ScriptWriter(kept, layout, source.spec, played)
    outputs = _outputs(kept, engines, played)
    report = BugReport(result, findings, engines, kept, layout, (), _printed(outputs, engines, played, findings))
    report = replace(report, steps=tuple(script.commands(report.subject)))
    prior = kept.prior_state
    return {
        **layout.files,
        **({} if prior is None else {PRIOR_STATE: prior}),
        **_variables(played),
        **outputs,
        **_crashes(findings, engines),
        SCRIPT_FILE: script.text(engines),
        VERSIONS_FILE: versions_text(engines),
        REPORT_FILE: report.text(),
    }


def _variables(played: Sequence[PlayedStep]) -> dict[str, str]:
    return {
        f"{VARIABLES}/{slug(number, each)}.tfvars.json": each.step.variables
        for number, each in enumerate(played, 1)
        if each.step is not None and each.step.variables is not None
    }


def _outputs(kept: KeptCase, engines: Sequence[EngineFacts], played: Sequence[PlayedStep]) -> dict[str, str]:
    """Return what each engine, and the recording, did in each step."""
    sides = [(each.name, each.label, each.flavour) for each in engines]
    sides.append((RECORDED, RECORDED, engines[0].flavour))
    files: dict[str, str] = {}
    for name, label, flavour in sides:
        course = kept.observations.get(name, {})
        for number, each in enumerate(played, 1):
            observation = course.get(each.place)
            if observation is None or each.step is None:
                continue
            start = f"{OUTPUTS}/{label}/{slug(number, each)}"
            mode = "destroy" if each.step.operation == "destroy" else each.step.mode
            files[f"{start}.txt"] = output_of_step(observation, flavour, mode, _files_of(kept, each.step.config))
            state = state_of_step(observation)
            if state is not None:
                files[f"{start}.state.json"] = state
    return files


def _files_of(kept: KeptCase, config: str) -> dict[str, str]:
    """Return the files of a configuration by their paths in it, as diagnostics name them."""
    place = posixpath.normpath(posixpath.join(kept.main, config))
    return {posixpath.relpath(name, place): text for name, text in kept.files.items()}


def _printed(
    outputs: Mapping[str, str],
    engines: Sequence[EngineFacts],
    played: Sequence[PlayedStep],
    findings: Sequence[Finding],
) -> dict[str, list[str]]:
    """Return the output of each engine in the step that the report is about."""
    number = next((at for at, each in enumerate(played, 1) if findings and each.place == findings[0].place), None)
    if number is None:
        return {}
    name = f"{slug(number, played[number - 1])}.txt"
    found = {each.label: outputs.get(f"{OUTPUTS}/{each.label}/{name}") for each in engines}
    return {label: [text] for label, text in found.items() if text is not None}


def _crashes(findings: Sequence[Finding], engines: Sequence[EngineFacts]) -> dict[str, str]:
    labels = {each.name: each.label for each in engines}
    return {
        f"{OUTPUTS}/{labels.get(each.signature.subject, RECORDED)}/{each.signature.ruling}.txt": crash_output(each.got)
        + "\n"
        for each in findings
        if each.signature.ruling.is_breakdown
    }


# Writing


def _require_free(directory: Path) -> None:
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise click.UsageError(f"{directory} already exists and is not empty: choose another --out")


def _write_directory(directory: Path, files: Mapping[str, str]) -> None:
    """Write all files to a new directory next to the given one, and rename it: it is there completely, or not at
    all."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".reproduce-", dir=directory.parent) as scratch:
        made = Path(scratch) / "made"
        for name, text in files.items():
            place = made / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8", errors="surrogateescape")
        os.rename(made, directory)
