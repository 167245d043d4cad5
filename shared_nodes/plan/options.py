"""Options of an operation as the command line gives them, and their parsed form, checked before anything is planned."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Final

from shared_nodes.addresses.parse import Target, parse_replace_option, parse_target_option
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.plan.target_files import read_target_files
from shared_nodes.record import record
from shared_nodes.world import Files

DEFAULT_PARALLELISM: Final = 10

__all__ = [
    "DEFAULT_PARALLELISM",
    "Mode",
    "Options",
    "ParsedOptions",
    "check_changes",
    "check_replace_mode",
    "parse_options",
    "parse_targets",
]


class Mode(StrEnum):
    NORMAL = "normal"
    DESTROY = "destroy"
    REFRESH_ONLY = "refresh-only"


@record
class Options:
    """Command-line options of an operation. Addresses are unparsed text, because parsing can fail and that is a user's
    mistake. The `seed` decides the order of everything the dependencies leave open."""

    mode: Mode = Mode.NORMAL
    targets: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    target_files: tuple[str, ...] = ()
    exclude_files: tuple[str, ...] = ()
    """Names of files with further addresses, one per line, relative to the working directory."""

    replace: tuple[str, ...] = ()
    refresh: bool = True
    parallelism: int = DEFAULT_PARALLELISM
    seed: int = 0
    changes: frozenset[str] = frozenset()
    """Intended changes that the engine adopts, by identifier: docs/intended-changes.md. Each engine declares which
    ones it supports."""

    suppress_forget_errors: bool = False
    """Whether destroying may leave forgotten objects behind without being a failure."""


@record
class ParsedOptions:
    """The addresses among the options, parsed."""

    targets: tuple[Target, ...] = ()
    excludes: tuple[Target, ...] = ()
    replace: frozenset[AbsResourceInstance] = frozenset()


def parse_options(options: Options, files: Files, flavour: Flavour) -> tuple[ParsedOptions, list[Diagnostic]]:
    undefined: list[Diagnostic] = []
    if not flavour.objects_can_be_excluded:
        options, undefined = _stop_at_undefined_flag(options)
    targets, excludes, problems = _parse_selection(options, files, flavour)
    replace: set[AbsResourceInstance] = set()
    for text in options.replace:
        outcome = parse_replace_option(text, flavour)
        if isinstance(outcome, Diagnostic):
            problems.append(outcome)
        else:
            replace.add(outcome)
    if options.mode is Mode.REFRESH_ONLY and not options.refresh:
        detail = (
            "It doesn't make sense to use -refresh-only at the same time as -refresh=false, because "
            f"{flavour.product} would have nothing to do."
        )
        problems.append(error("Incompatible refresh options", detail))
    return ParsedOptions(targets, excludes, frozenset(replace)), [*undefined, *problems]


def _stop_at_undefined_flag(options: Options) -> tuple[Options, list[Diagnostic]]:
    """Return the options up to the first flag that only OpenTofu has, and what is reported about the rest. Terraform
    stops parsing a command line there: flags before it keep their effect, and all flags after it are positional
    arguments, of which a plan takes none. The order is that in which a case gives its options to a binary."""
    without_files = dataclasses.replace(options, target_files=(), exclude_files=())
    listed = [*("target-file" for _ in options.target_files), *("exclude-file" for _ in options.exclude_files)]
    if options.excludes:
        parsed = dataclasses.replace(without_files, excludes=(), replace=(), refresh=True)
        more = bool(options.excludes[1:] or options.replace or not options.refresh or listed)
        return parsed, _report_undefined_flag("exclude", more=more)
    if listed:
        return without_files, _report_undefined_flag(listed[0], more=len(listed) > 1)
    return options, []


def _report_undefined_flag(flag: str, *, more: bool) -> list[Diagnostic]:
    undefined = error("Failed to parse command-line flags", f"flag provided but not defined: -{flag}")
    advice = "To specify a working directory for the plan, use the global -chdir flag."
    return [undefined, error("Too many command line arguments", advice)] if more else [undefined]


def _parse_selection(
    options: Options, files: Files, flavour: Flavour
) -> tuple[tuple[Target, ...], tuple[Target, ...], list[Diagnostic]]:
    """Return targets and exclusions. If both are given, only that is reported."""
    excludes_any = bool(options.excludes or options.exclude_files)
    if excludes_any and (options.targets or options.target_files):
        detail = (
            "The target and exclude planning options are mutually-exclusive. Each plan must use either only the target "
            "options or only the exclude options."
        )
        return (), (), [error("Invalid combination of arguments", detail)]
    targets, problems = parse_targets(options.targets, flavour)
    listed_targets, found = read_target_files(options.target_files, files, flavour)
    excludes, found_in_excludes = parse_targets(options.excludes, flavour, option="exclude")
    listed_excludes, found_in_files = read_target_files(options.exclude_files, files, flavour)
    problems += [*found, *found_in_excludes, *found_in_files]
    return (*targets, *listed_targets), (*excludes, *listed_excludes), problems


def parse_targets(
    texts: Iterable[str], flavour: Flavour, *, option: str = "target"
) -> tuple[tuple[Target, ...], list[Diagnostic]]:
    outcomes = [parse_target_option(text, flavour, option=option) for text in texts]
    problems = [outcome for outcome in outcomes if isinstance(outcome, Diagnostic)]
    return tuple(outcome for outcome in outcomes if not isinstance(outcome, Diagnostic)), problems


def check_replace_mode(options: Options) -> list[Diagnostic]:
    """Check that replacements are only requested in normal mode. This is called after the configuration was found to be
    valid."""
    if not options.replace or options.mode is Mode.NORMAL:
        return []
    detail = "Forcing resource instance replacement (with -replace=...) is allowed only in normal planning mode."
    return [error("Unsupported plan mode", detail)]


def check_changes(options: Options, known: Collection[str]) -> list[Diagnostic]:
    """Report all intended changes that the engine does not support, in one problem."""
    unknown = sorted(options.changes.difference(known))
    if not unknown:
        return []
    named = ", ".join(unknown)
    detail = f"This engine knows no intended change named {named}."
    if known:
        detail += f" Those it knows are {', '.join(sorted(known))}."
    else:
        detail += " It is the one that others are compared with, and knows none at all."
    return [error("Unknown intended change", detail)]
