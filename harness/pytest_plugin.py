"""`pytest corpus/`: every case.yaml is a test.

A failure is told on one screen (what differs, since when, why, how to see it again) and not by a traceback, since the
code of the harness has nothing to do with it. Engines, known divergences and what may be executed come from
`[tool.diffharness]` of the project pytest is started in. `-p no:diffharness` switches all of this off.

Whoever installs diffharness loads this module with every pytest they start, so that it imports nothing of ours before
there is a case.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from harness.configuration import Configuration
    from harness.findings.known_divergences import KnownDivergences
    from harness.findings.result import CaseResult

__all__ = ["CaseFailure", "judged_case", "project_settings", "pytest_collect_file"]

_CASE_FILE: Final = "case.yaml"


class CaseFailure(Exception):
    """The case fails; the text is what is to be seen of it."""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.name != _CASE_FILE:
        return None
    collected: pytest.Collector = _CaseFile.from_parent(parent, path=file_path)
    return collected


class _CaseFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        yield _CaseItem.from_parent(self, name=self.path.parent.name)


class _CaseItem(pytest.Item):
    def runtest(self) -> None:
        result, complaints = judged_case(self.path.parent, self.config.invocation_params.dir)
        if result.ruling == "not-run":  # no engine here can run it, which `diffharness run` counts apart as well
            pytest.skip("; ".join(f"{engine}: {reason}" for engine, reason in result.not_run.items()))
        if complaints:
            raise CaseFailure("\n\n".join(complaints))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *arguments: Any) -> Any:
        if isinstance(excinfo.value, CaseFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *arguments)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.path.parent.parent.name}/{self.path.parent.name}"


def judged_case(directory: Path, project: Path) -> tuple[CaseResult, list[str]]:
    """The result, and what is to be said against it. Whether an entry of known.yaml is out of date shows in the one
    case it names, so that this needs no look at other tests, which may run in other processes."""
    from harness.case.trust import refused_binaries
    from harness.case.unit import Unit, UnitKind
    from harness.configuration import ConfigurationError, trusted_directories
    from harness.engines.registry import DEFAULT_ENGINES
    from harness.execute.unit import judge_unit
    from harness.findings.known_divergences import KnownError
    from harness.play.run_spec import RunSpec
    from reports.run.screen import case_screen

    try:
        configuration, known = project_settings(project)
    except (ConfigurationError, KnownError) as problem:
        raise CaseFailure(str(problem)) from problem
    trusted = trusted_directories(configuration)
    engines = configuration.engines or DEFAULT_ENGINES
    refusal = refused_binaries(engines, [directory], trusted)
    if refusal is not None:
        raise CaseFailure(refusal)
    settings = RunSpec(engines, trusted=trusted, changes=frozenset(configuration.changes or ()))
    result = known.documented(judge_unit(Unit(UnitKind.CASE, directory), settings))
    complaints = [case_screen(result)] if result.open_findings else []
    stale = [f"{each.place}: {each.entry}: {each.problem}" for each in known.stale([result])]
    return result, [*complaints, *stale]


@lru_cache(maxsize=1)
def project_settings(directory: Path) -> tuple[Configuration, KnownDivergences]:
    from harness.configuration import read_configuration
    from harness.findings.known_divergences import KnownDivergences, read_known

    configuration = read_configuration(directory)
    return configuration, KnownDivergences() if configuration.known is None else read_known(configuration.known)
