"""The pytest plugin: `pytest corpus/` runs every case.yaml as a test.

pytest loads this module wherever diffharness is installed. It does nothing unless the project asks for it, by a table
`[tool.diffharness]` in its pyproject.toml or by `-p diffharness_pytest`: a file called case.yaml in any other project
does not concern it. It imports nothing of ours before there is a case to run.

A failing case is reported on one screen (what differs, since when, why, how to reproduce it) instead of a traceback,
which would only show code of the harness. Engines, known divergences and trusted directories come from
`[tool.diffharness]`. `-p no:diffharness_pytest` disables the plugin.
"""

from __future__ import annotations

import importlib
import sys
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from harness.configuration import Configuration
    from harness.findings.known_divergences import KnownDivergences
    from harness.findings.result import CaseResult

__all__ = ["CaseFailure", "judge_case", "pytest_configure", "read_project"]

_CASE_FILE: Final = "case.yaml"
_HOME: Final = Path(__file__).absolute().parent
_PACKAGES: Final = ("shared_nodes", "legacy_engine", "new_engine", "harness", "reports")


class CaseFailure(Exception):
    """A case failed. The text is all that pytest prints."""


# Collecting


def pytest_configure(config: pytest.Config) -> None:
    if __name__ in config.getoption("plugins") or _has_settings(config.invocation_params.dir):
        config.pluginmanager.register(_CaseCollector(), "diffharness-cases")


def _has_settings(directory: Path) -> bool:
    """Return whether the project has a table `[tool.diffharness]`. A file that cannot be read is ignored here: pytest,
    or the first case, reports it."""
    for parent in (directory, *directory.parents):
        try:
            table = tomllib.loads((parent / "pyproject.toml").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if "diffharness" in table.get("tool", {}):
            return True
    return False


class _CaseCollector:
    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        if file_path.name != _CASE_FILE:
            return None
        collected: pytest.Collector = _CaseFile.from_parent(parent, path=file_path)
        return collected


class _CaseFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        yield _CaseItem.from_parent(self, name=self.path.parent.name)


class _CaseItem(pytest.Item):
    def runtest(self) -> None:
        results, complaints = judge_case(self.path.parent, self.config.invocation_params.dir)
        if complaints:
            raise CaseFailure("\n\n".join(complaints))
        if not results:
            pytest.skip("only other systems were recorded of it, and no engine of the project answers for one of them")
        if all(result.ruling == "not-run" for result in results):
            # No engine of the project can run the case here. `diffharness run` does not count it as a failure either,
            # but reports it with the same reasons.
            pytest.skip("; ".join(f"{engine}: {reason}" for engine, reason in results[0].not_run.items()))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *arguments: Any) -> Any:
        if isinstance(excinfo.value, CaseFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *arguments)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.path.parent.parent.name}/{self.path.parent.name}"


# Running


def judge_case(directory: Path, project: Path) -> tuple[list[CaseResult], list[str]]:
    """Run one case as each product that it is recorded of. Return the results, and a text for each complaint. A case
    that is there for recorded engines has no result if the project names none of these. An
    outdated entry of known.yaml is reported by the case that the entry names, so that no test needs to know about the
    others."""
    _import_packages()
    from harness.case.recordings import is_foreign, system_file
    from harness.case.trust import refused_binaries
    from harness.case.unit import find_units
    from harness.configuration import ConfigurationError, trusted_directories
    from harness.engines.recorded import is_recorded, recorded_system
    from harness.engines.registry import DEFAULT_ENGINES
    from harness.execute.judge import judge_unit
    from harness.findings.known_divergences import KnownError
    from harness.play.run_spec import RunSpec
    from reports.run.screen import case_screen

    try:
        configuration, known = read_project(project)
    except (ConfigurationError, KnownError) as problem:
        raise CaseFailure(str(problem)) from problem
    trusted = trusted_directories(configuration)
    engines = configuration.engines or DEFAULT_ENGINES
    refusal = refused_binaries(engines, [directory], trusted)
    if refusal is not None:
        raise CaseFailure(refusal)
    systems = [recorded_system(engine) for engine in engines if is_recorded(engine)]
    if is_foreign(directory) and not any(system_file(directory, system).exists() for system in systems):
        return [], []
    flavour = configuration.flavour or ""
    spec = RunSpec(engines, flavour=flavour, trusted=trusted, changes=frozenset(configuration.changes or ()))
    results = [known.documented(judge_unit(unit, spec)) for unit in find_units([directory], flavour)]
    complaints = [case_screen(result) for result in results if result.open_findings]
    stale = [f"{each.place}: {each.entry}: {each.problem}" for each in known.stale(results)]
    return results, [*complaints, *stale]


@lru_cache(maxsize=1)
def read_project(directory: Path) -> tuple[Configuration, KnownDivergences]:
    """Read the settings and the known divergences once per run of pytest."""
    from harness.configuration import read_configuration
    from harness.findings.known_divergences import KnownDivergences, read_known

    configuration = read_configuration(directory)
    return configuration, KnownDivergences() if configuration.known is None else read_known(configuration.known)


@lru_cache(maxsize=1)
def _import_packages() -> None:
    """Import our packages although a test directory on the path may contain others of the same name. If such a package
    has been imported already, no case can run in this process."""
    path = list(sys.path)
    sys.path.insert(0, str(_HOME))
    try:
        for name in _PACKAGES:
            file = importlib.import_module(name).__file__
            if file is None or _HOME not in Path(file).absolute().parents:
                raise CaseFailure(
                    f"{name} was imported from {file}, which is not part of diffharness. Run the cases with "
                    "`diffharness run` instead, or in a separate pytest process."
                )
    finally:
        sys.path[:] = path
