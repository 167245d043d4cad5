"""What a target contains, and what is reported about replacements and moves that are only partly targeted."""

from __future__ import annotations

import pytest

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.parse import Target, parse_replace_option, parse_target_option
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance
from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.targets import contains, excluded_moves, generalised, incomplete_replacement, moves_of_excluded


def _target(text: str) -> Target:
    target = parse_target_option(text)
    assert not isinstance(target, Diagnostic)
    return target


def _instance(text: str) -> AbsResourceInstance:
    instance = parse_replace_option(text)
    assert isinstance(instance, AbsResourceInstance)
    return instance


@pytest.mark.parametrize(
    ("target", "instance", "expected"),
    [
        ("terraform_data.a", "terraform_data.a", True),
        ("terraform_data.a", "terraform_data.a[3]", True),
        ("terraform_data.a[0]", "terraform_data.a[0]", True),
        ("terraform_data.a[0]", "terraform_data.a[1]", False),
        ("terraform_data.a[0]", 'terraform_data.a["0"]', False),
        ("module.m", "module.m.terraform_data.a", True),
        ("module.m", "module.m[4].terraform_data.a[0]", True),
        ("module.m", 'module.m["k"].module.n.terraform_data.a', True),
        ("module.m", "module.mm.terraform_data.a", False),
        ("module.m", "terraform_data.a", False),
        ("module.m[0]", "module.m[0].module.n[1].terraform_data.a", True),
        ("module.m[0]", "module.m.terraform_data.a", False),
        ("module.m.terraform_data.a", "module.m[0].terraform_data.a", False),
        ("module.m.module.n", "module.m[0].module.n.terraform_data.a", False),
        ("module.m[0].module.n", "module.m[0].module.n[5].terraform_data.a", True),
    ],
)
def test_a_target_contains_what_the_original_says(target: str, instance: str, expected: bool) -> None:
    assert contains(_target(target), _instance(instance)) is expected


def test_a_block_is_contained_only_in_targets_without_keys() -> None:
    block = _instance("module.m[0].terraform_data.a[1]").config
    assert contains(_target("module.m"), block)
    assert contains(_target("module.m.terraform_data.a"), block)
    assert not contains(_target("module.m[0]"), block)
    assert contains(generalised(_target("module.m[0].terraform_data.a[1]")), block)
    assert contains(generalised(_target("module.m[0]")), block)


def test_both_sides_of_a_move_must_be_targeted() -> None:
    moves = [
        (_instance("terraform_data.old[0]"), _instance("terraform_data.new")),
        (_instance("a.b"), _instance("c.d")),
    ]
    assert not excluded_moves([], moves, OPENTOFU_1_12)
    targets = [_target(text) for text in ("terraform_data.new", "a.b", "c.d")]
    [problem] = excluded_moves(targets, moves, OPENTOFU_1_12)
    assert problem.summary == "Moved resource instances excluded by targeting"
    assert '\n  -target="terraform_data.old"\n\nNote' in problem.detail
    assert not excluded_moves([*targets, _target("terraform_data.old")], moves, OPENTOFU_1_12)


def test_neither_side_of_a_move_may_be_excluded() -> None:
    moves = [
        (_instance("terraform_data.old[0]"), _instance("terraform_data.new")),
        (_instance("a.b"), _instance("c.d")),
    ]
    assert not moves_of_excluded([], moves, OPENTOFU_1_12)
    assert not moves_of_excluded([_target("terraform_data.old[1]")], moves, OPENTOFU_1_12)
    [problem] = moves_of_excluded([_target("c.d"), _target("terraform_data.old[0]")], moves, OPENTOFU_1_12)
    assert problem.summary == "Moved resource instances excluded by targeting"
    assert '\n  -exclude="c.d"\n  -exclude="terraform_data.old"\n\nNote' in problem.detail


def test_a_replacement_without_key_is_told_the_keys() -> None:
    resource = _target("terraform_data.c")
    assert isinstance(resource, AbsResource)
    asked = {_instance("terraform_data.c")}
    [one] = incomplete_replacement(asked, resource, [resource.instance(0)])
    assert one.detail.endswith('use the following option instead:\n  -replace="terraform_data.c[0]"')
    [many] = incomplete_replacement(asked, resource, [resource.instance("a"), resource.instance("b")])
    assert many.detail.endswith(
        'following options instead:\n  -replace="terraform_data.c[\\"a\\"]"\n  -replace="terraform_data.c[\\"b\\"]"'
    )
    [none] = incomplete_replacement(asked, resource, [])
    assert none.detail.endswith("because this resource doesn't have any instances.")
    assert not incomplete_replacement(asked, resource, [resource.instance(None)])
    assert not incomplete_replacement(set(), resource, [])


def test_the_root_module_contains_everything() -> None:
    assert contains(ModuleInstance(), _instance("module.m[0].terraform_data.a"))
