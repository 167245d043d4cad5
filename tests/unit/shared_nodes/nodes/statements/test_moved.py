"""Moves, applied to states that contain only addresses."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.parse import Target, parse_replace_option, parse_target_option
from shared_nodes.addresses.provider import BUILTIN, AbsProviderConfig, ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.source import Range, Source
from shared_nodes.nodes.statements.moved import (
    MoveStatement,
    apply_moves,
    blocked_moves_warning,
    statement_cycles,
    unified_endpoints,
)
from shared_nodes.state.model import InstanceObject, ObjectStatus, State

_PROVIDER = ProviderInstance(AbsProviderConfig(BUILTIN))
_SOURCE = Source("main.tf", "")


def _target(text: str) -> Target:
    target = parse_target_option(text)
    assert not isinstance(target, Diagnostic)
    return target


def _instance(text: str) -> AbsResourceInstance:
    instance = parse_replace_option(text)
    assert isinstance(instance, AbsResourceInstance)
    return instance


def _statement(text: str) -> MoveStatement:
    """Parse `[module path:] from -> to`; the path consists of names separated by dots."""
    path, _, ends = text.rpartition(":")
    names = tuple(path.split(".")) if path else ()
    source, target = (end.strip() for end in ends.split("->"))
    endpoints = unified_endpoints(ModulePath(names), _target(source), _target(target))
    assert endpoints is not None
    return MoveStatement(*endpoints, Range(_SOURCE, 0, 0))


def _state(addresses: Iterable[str]) -> State:
    state = State()
    for address in addresses:
        state.put(_instance(address), _PROVIDER, InstanceObject(ObjectStatus.READY))
    return state


def _moved(statements: list[str], addresses: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return what the state contains afterwards, and the previous address of each moved object."""
    state = _state(addresses)
    results = apply_moves([_statement(text) for text in statements], state)
    left = [str(address) for address, _ in state.instances()]
    return left, {str(new): str(old) for new, old in results.changes.items()}


@pytest.mark.parametrize(
    ("statements", "before", "after", "changes"),
    [
        pytest.param(["a.b -> a.c"], ["a.b"], ["a.c"], {"a.c": "a.b"}, id="rename"),
        pytest.param(
            ["a.b -> a.c"], ["a.b[0]", "a.b[1]"], ["a.c[0]", "a.c[1]"], {"a.c[0]": "a.b[0]", "a.c[1]": "a.b[1]"}
        ),
        pytest.param(['a.b -> a.b["k"]'], ["a.b", "a.b[7]"], ["a.b[7]", 'a.b["k"]'], {'a.b["k"]': "a.b"}, id="one of"),
        pytest.param(["a.b[1] -> a.c"], ["a.b[0]", "a.b[1]"], ["a.b[0]", "a.c"], {"a.c": "a.b[1]"}, id="out of count"),
        pytest.param(["a.b -> a.c", "a.c -> a.d"], ["a.b"], ["a.d"], {"a.d": "a.b"}, id="chain"),
        pytest.param(["a.c -> a.d", "a.b -> a.c"], ["a.b"], ["a.d"], {"a.d": "a.b"}, id="chain, any order"),
        pytest.param(["a.b -> a.c", "a.c -> a.d"], ["a.c"], ["a.d"], {"a.d": "a.c"}, id="chain, from its middle"),
        pytest.param(
            ["module.m -> module.n"],
            ["module.m.a.b", "module.m.module.x[0].a.c", "module.mm.a.b"],
            ["module.mm.a.b", "module.n.a.b", "module.n.module.x[0].a.c"],
            {"module.n.a.b": "module.m.a.b", "module.n.module.x[0].a.c": "module.m.module.x[0].a.c"},
            id="module with what is in it",
        ),
        pytest.param(
            ["module.m -> module.n"],
            ["module.m[0].a.b", 'module.m["k"].a.b'],
            ["module.n[0].a.b", 'module.n["k"].a.b'],
            {"module.n[0].a.b": "module.m[0].a.b", 'module.n["k"].a.b': 'module.m["k"].a.b'},
            id="all instances of a module",
        ),
        pytest.param(
            ['module.m -> module.m["k"]'],
            ["module.m.a.b", "module.m[0].a.b"],
            ["module.m[0].a.b", 'module.m["k"].a.b'],
            {'module.m["k"].a.b': "module.m.a.b"},
            id="one instance of a module",
        ),
        pytest.param(
            ["m: a.b -> a.c"],
            ["module.m[0].a.b", "module.m[1].a.b", "a.b", "module.x.module.m.a.b"],
            ["a.b", "module.m[0].a.c", "module.m[1].a.c", "module.x.module.m.a.b"],
            {"module.m[0].a.c": "module.m[0].a.b", "module.m[1].a.c": "module.m[1].a.b"},
            id="in every instance of the declaring module",
        ),
        pytest.param(
            ["module.old -> module.new", "new: a.b -> a.c"],
            ["module.old.a.b"],
            ["module.new.a.c"],
            {"module.new.a.c": "module.old.a.b"},
            id="module first, then inside it",
        ),
        pytest.param(
            ["a.b -> module.alb.a.b", "module.alb -> module.alb[0]"],
            ["a.b"],
            ["module.alb[0].a.b"],
            {"module.alb[0].a.b": "a.b"},
            id="into a module that gets a key",
        ),
        pytest.param(
            ["module.m[0] -> module.m[1]", "m: a.b -> a.c"],
            ["module.m[0].a.b"],
            ["module.m[1].a.c"],
            {"module.m[1].a.c": "module.m[0].a.b"},
            id="new key above, new name inside",
        ),
        pytest.param(["a.b -> a.c", "a.c -> a.b"], ["a.b", "a.c"], ["a.b", "a.c"], {}, id="a cycle moves nothing"),
        pytest.param(["a.b -> a.c"], ["x.y"], ["x.y"], {}, id="nothing to move"),
    ],
)
def test_objects_end_up_where_the_statements_say(
    statements: list[str], before: list[str], after: list[str], changes: dict[str, str]
) -> None:
    assert _moved(statements, before) == (after, changes)


@pytest.mark.parametrize(
    ("statement", "before", "actual", "wanted"),
    [
        ("a.b -> a.c", ["a.b", "a.c"], "a.b", "a.c"),
        ("a.b -> a.b[0]", ["a.b", "a.b[0]"], "a.b", "a.b[0]"),
        ("module.m -> module.n", ["module.m.a.b", "module.n.x.y"], "module.m", "module.n"),
    ],
)
def test_an_object_in_the_way_blocks_the_move(statement: str, before: list[str], actual: str, wanted: str) -> None:
    state = _state(before)
    results = apply_moves([_statement(statement)], state)
    assert not results.changes
    assert [str(address) for address, _ in state.instances()] == before
    [problem] = blocked_moves_warning(results, TERRAFORM_1_11)
    assert f"\n  - {actual} could not move to {wanted}\n\nTerraform has planned" in problem.detail


def test_nothing_blocked_is_no_warning() -> None:
    assert not blocked_moves_warning(apply_moves([], State()), TERRAFORM_1_11)


def test_deposed_objects_move_along() -> None:
    state = _state(["a.b"])
    state.put_deposed(_instance("a.b"), "12345678", _PROVIDER, InstanceObject(ObjectStatus.READY))
    apply_moves([_statement("a.b -> a.b[0]")], state)
    instance = state.instance(_instance("a.b[0]"))
    assert instance is not None
    assert list(instance.deposed) == ["12345678"]


def test_a_module_and_a_resource_do_not_unify() -> None:
    assert unified_endpoints(ModulePath(), _target("module.m"), _target("a.b")) is None


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("a.b -> a.c", "a.b[*] → a.c[*]"),
        ('a.b["x"] -> a.c', 'a.b["x"] → a.c'),
        ("m: a.b -> a.c", "module.m[*].a.b[*] → module.m[*].a.c[*]"),
        ("module.q.module.r -> module.p", "module.q.module.r[*] → module.p[*]"),
        ("a: module.k[0] -> module.l[0]", "module.a[*].module.k[0] → module.a[*].module.l[0]"),
    ],
)
def test_statements_are_printed_as_patterns(statement: str, text: str) -> None:
    assert str(_statement(statement)) == f"main.tf:1,1: {text}"


def test_each_cycle_is_found_once() -> None:
    ring = [_statement(text) for text in ("a.x -> a.y", "a.y -> a.z", "a.z -> a.x")]
    pair = [_statement(text) for text in ("module.p -> module.q", "module.q.module.r -> module.p")]
    innocent = _statement("b.b -> b.c")
    assert statement_cycles([*ring, innocent, *pair]) == [ring, pair]
    assert statement_cycles([innocent]) == []


def test_a_new_key_for_a_module_and_a_move_inside_it_are_no_cycle() -> None:
    assert statement_cycles([_statement("module.m[0] -> module.m[1]"), _statement("m: a.b -> a.c")]) == []
