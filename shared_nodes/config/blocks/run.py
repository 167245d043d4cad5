"""`run` blocks of test files: one command of a test each, with what is expected of it."""

from __future__ import annotations

from typing import Final

from shared_nodes.config.blocks.mock import OVERRIDE_BLOCKS, ObjectOverride, bare_word, read_overrides
from shared_nodes.config.blocks.provider_references import read_passed_providers
from shared_nodes.config.blocks.rules import read_rule
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.config.syntax.literals import check_name, constant_flag, constant_text
from shared_nodes.config.syntax.module_source import check_source
from shared_nodes.config.syntax.static_reference import reference_list
from shared_nodes.config.syntax.version_constraint import read_constraint
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Block, Traversal
from shared_nodes.record import record

__all__ = ["RunBlock", "RunModule", "check_variables", "read_run"]

_STATE_KEY: Final = "state_key"
_SCHEMA: Final = ContentSchema(
    frozenset(("command", "providers", "expect_failures")),
    blocks={"plan_options": (), "variables": (), "module": (), "assert": (), **OVERRIDE_BLOCKS},
)
_PLAN_OPTIONS: Final = ContentSchema(frozenset(("mode", "refresh", "replace", "target")))
_MODULE: Final = ContentSchema(frozenset(("source", "version")))
_ONCE: Final = ("plan_options", "variables", "module")


@record
class RunModule:
    """The module that a run is about, instead of the one beside the test."""

    source: str
    range: Range


@record
class RunBlock:
    name: str
    range: Range
    module: RunModule | None = None
    expect_failures: tuple[Traversal, ...] = ()
    overrides: tuple[ObjectOverride, ...] = ()


def read_run(block: Block, flavour: Flavour) -> tuple[RunBlock, list[Diagnostic]]:
    schema = _SCHEMA.with_arguments(_STATE_KEY) if flavour.tests_choose_phases else _SCHEMA
    content, problems = read_content(block.body, schema)
    problems.extend(check_name("Invalid run block name", block.labels[0], block.label_ranges[0]))
    module: RunModule | None = None
    first: dict[str, Block] = {}
    for inner in content.blocks:
        known = first.setdefault(inner.type, inner)
        if inner.type in _ONCE and known is not inner:
            detail = f"This run block already has a {inner.type} block defined at {known.header_range}."
            problems.append(error(f'Multiple "{inner.type}" blocks', detail, inner.header_range))
            continue
        match inner.type:
            case "assert":
                problems.extend(read_rule(inner, flavour)[1])
            case "plan_options":
                problems.extend(_plan_options_problems(inner, flavour))
            case "variables":
                problems.extend(check_variables(inner))
            case "module":
                module, found = _read_module(inner, flavour)
                problems.extend(found)
    overrides, found = read_overrides(content.blocks, flavour)
    problems.extend(found)
    attributes = content.attributes
    if "command" in attributes and bare_word(attributes["command"].expression) not in ("apply", "plan"):
        detail = 'The "command" argument requires one of the following keywords without quotes: apply or plan.'
        problems.append(error('Invalid "command" keyword', detail, attributes["command"].expression.range))
    if "providers" in attributes:
        problems.extend(read_passed_providers(attributes["providers"].expression, flavour)[1])
    failures: list[Traversal] = []
    if "expect_failures" in attributes:
        failures, found = reference_list(attributes["expect_failures"].expression, flavour)
        problems.extend(found)
    constant_text(attributes.get(_STATE_KEY), flavour, problems)
    return RunBlock(block.labels[0], block.header_range, module, tuple(failures), overrides), problems


def check_variables(block: Block) -> list[Diagnostic]:
    """Check a block with values of variables. Any names will do, and the values are not evaluated."""
    return [
        error(f'Unexpected "{inner.type}" block', "Blocks are not allowed here.", inner.type_range)
        for inner in block.body.blocks[:1]
    ]


def _plan_options_problems(block: Block, flavour: Flavour) -> list[Diagnostic]:
    content, problems = read_content(block.body, _PLAN_OPTIONS)
    attributes = content.attributes
    mode = bare_word(attributes["mode"].expression) if "mode" in attributes else None
    if "mode" in attributes and mode not in ("normal", "refresh-only"):
        detail = 'The "mode" argument requires one of the following keywords without quotes: normal or refresh-only'
        problems.append(error('Invalid "mode" keyword', detail, attributes["mode"].expression.range))
    refresh = constant_flag(attributes.get("refresh"), flavour, problems)
    for name in ("replace", "target"):
        if name in attributes:
            problems.extend(reference_list(attributes[name].expression, flavour)[1])
    if mode == "refresh-only" and refresh is False:
        detail = 'The "refresh" option cannot be set to false when running a test in "refresh-only" mode.'
        problems.append(error("Incompatible plan options", detail, attributes["refresh"].range))
    return problems


def _read_module(block: Block, flavour: Flavour) -> tuple[RunModule | None, list[Diagnostic]]:
    content, problems = read_content(block.body, _MODULE)
    given, version = content.attributes.get("source"), content.attributes.get("version")
    read_constraint(version, problems)
    if given is None:
        detail = "You must specify a source attribute when executing alternate modules during test executions."
        problems.append(error('Missing "source" attribute for module block', detail, block.header_range))
        return None, problems
    source = constant_text(given, flavour, problems)
    if source is None:
        return None, problems
    problems.extend(check_source(source, given.range, flavour, has_version=version is not None))
    return RunModule(source, block.header_range), problems
