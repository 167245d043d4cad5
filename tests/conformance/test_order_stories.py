"""Both engines guarantee the same order of side effects in larger stories: modules, data sources between resources,
targets, and configurations in which they once differed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import pytest
import trio

from shared_nodes.plan.options import Mode, Options
from shared_nodes.processes import RecordedProcesses
from shared_nodes.state.model import State
from tests.conformance.orders import legacy_order, new_order
from tests.unit.new_engine.operating import ENGINES, Place

Files = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Story:
    """Two versions of a configuration.

    `before` are pairs of legs that the order must contain, so that the engines cannot agree on an empty order.
    """

    first: Files
    second: Files
    before: tuple[tuple[str, str], ...]
    options: Options = field(default_factory=Options)


def _data(name: str, *lines: str) -> str:
    return "\n".join([f'resource "terraform_data" "{name}" {{', *lines, "}", ""])


_FIRST: Final = "lifecycle {\n  create_before_destroy = true\n}"
_CALL: Final = 'module "m" {\n  source = "./m"\n}\n'
_REMOTE: Final = (
    'data "terraform_remote_state" "d" {\n  backend = "local"\n  config = { path = "./remote.tfstate" }\n'
    "  depends_on = [terraform_data.a]\n}\n"
)
_REMOTE_STATE: Final = (
    '{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": {}, "resources": []}'
)


def _chain(trigger: int, *, first: str = "", last: str = "") -> Files:
    """Return a configuration in which c refers to b, which refers to a."""
    a = _data("a", f"triggers_replace = {trigger}", first)
    b = _data("b", f"triggers_replace = [{trigger}, terraform_data.a.id]")
    return {"main.tf": a + b + _data("c", f"triggers_replace = [{trigger}, terraform_data.b.id]", last)}


def _through_module(trigger: int, call: str = _CALL) -> Files:
    inner = _data("a", f"triggers_replace = {trigger}")
    return {"main.tf": call + _data("b", f"input = {trigger}", "depends_on = [module.m]"), "m/main.tf": inner}


def _with_data(trigger: int) -> Files:
    a = _data("a", f"triggers_replace = {trigger}")
    b = _data("b", f"triggers_replace = {trigger}", "input = data.terraform_remote_state.d.outputs")
    return {"main.tf": a + _REMOTE + b, "remote.tfstate": _REMOTE_STATE}


def _in_instances(keys: str, trigger: int) -> Files:
    call = f'module "m" {{\n  source = "./m"\n  for_each = toset({keys})\n}}\n'
    a, b = _data("a", f"triggers_replace = {trigger}"), _data("b", "triggers_replace = terraform_data.a.id")
    return {"main.tf": call, "m/main.tf": a + b}


A, B, C = (f"terraform_data.{name}" for name in "abc")

STORIES: Final[Mapping[str, Story]] = {
    "chain replaced": Story(
        _chain(1), _chain(2), ((f"{C} (destroy)", f"{B} (destroy)"), (f"{A} (destroy)", A), (A, B), (B, C))
    ),
    "chain replaced, the last creates first": Story(
        _chain(1, last=_FIRST),
        _chain(2, last=_FIRST),
        ((C, f"{A} (destroy deposed NEW)"), (f"{C} (destroy deposed NEW)", f"{A} (destroy deposed NEW)")),
    ),
    "chain replaced, the first creates first": Story(
        _chain(1, first=_FIRST), _chain(2, first=_FIRST), ((f"{C} (destroy)", f"{B} (destroy)"), (A, B))
    ),
    "only a part of a chain is targeted": Story(_chain(1), _chain(2), ((A, B),), Options(targets=(B,))),
    "replacing is asked for": Story(
        _chain(1), _chain(1), ((f"{B} (destroy)", B), (B, C), (f"{C} (destroy)", C)), Options(replace=(B,))
    ),
    "everything is destroyed": Story(
        _chain(1), _chain(1), ((f"{C} (destroy)", f"{B} (destroy)"),), Options(mode=Mode.DESTROY)
    ),
    "everything is destroyed that was created first": Story(
        _chain(1, last=_FIRST),
        _chain(1, last=_FIRST),
        ((f"{C} (destroy)", f"{B} (destroy)"), (f"{B} (destroy)", f"{A} (destroy)")),
        Options(mode=Mode.DESTROY),
    ),
    "one of a chain is destroyed": Story(
        _chain(1),
        _chain(1),
        ((f"{C} (destroy)", f"{B} (destroy)"),),
        Options(mode=Mode.DESTROY, targets=(B,)),
    ),
    "module replaced and its user updated": Story(
        _through_module(1), _through_module(2), ((f"module.m.{A} (destroy)", B), (f"module.m.{A}", B))
    ),
    "module emptied and its user updated": Story(
        _through_module(1), {**_through_module(2), "m/main.tf": ""}, ((f"module.m.{A} (destroy)", B),)
    ),
    "module gone and its user destroyed": Story(
        _through_module(1), {"main.tf": ""}, ((f"{B} (destroy)", f"module.m.{A} (destroy)"),)
    ),
    "module destroyed": Story(
        _through_module(1),
        _through_module(1),
        ((f"{B} (destroy)", f"module.m.{A} (destroy)"),),
        Options(mode=Mode.DESTROY),
    ),
    "data in between is read late": Story(
        _with_data(1),
        _with_data(2),
        (
            (A, "data.terraform_remote_state.d"),
            ("data.terraform_remote_state.d", B),
            (f"{B} (destroy)", f"{A} (destroy)"),
        ),
    ),
    "instances of a module do not wait for each other": Story(
        _in_instances('["x", "y"]', 1),
        _in_instances('["y", "z"]', 2),
        (
            (f'module.m["x"].{B} (destroy)', f'module.m["x"].{A} (destroy)'),
            (f'module.m["y"].{B} (destroy)', f'module.m["y"].{A} (destroy)'),
        ),
    ),
}


def prepare_story(directory: Path, story: Story) -> Place:
    """Apply the first version and write the second."""
    place = Place(directory)
    place.world = replace(place.world, processes=RecordedProcesses())
    place.write(story.first)
    assert place.apply(ENGINES["legacy"]).ok
    place.write({**dict.fromkeys(story.first, ""), **story.second})
    return place


@pytest.mark.parametrize("name", STORIES)
def test_stories_are_ordered_alike(name: str, tmp_path: Path) -> None:
    story = STORIES[name]
    request, problems = prepare_story(tmp_path, story).request(story.options)
    assert request is not None, problems
    legacy, new = trio.run(legacy_order, request), trio.run(new_order, request)
    assert legacy.problems == ()
    assert legacy == new
    assert set(story.before) <= legacy.before


def recorded_dependencies(state: State) -> dict[str, list[str]]:
    return {
        str(address): [str(each) for each in instance.current.dependencies]
        for address, instance in state.instances()
        if instance.current is not None
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_about_to_leave_a_module_still_counts_as_a_dependency(engine: str, tmp_path: Path) -> None:
    """During plan a dependent of a module depends on everything in it, including removed resources. For an unchanged
    object the dependencies of the plan are recorded. This is how Terraform behaves."""
    wait = "depends_on = [module.m]"
    users = [_data("noop", wait) + _data("changed", f"input = {number}", wait) for number in (1, 2)]
    first = {"main.tf": _CALL + users[0], "m/main.tf": _data("stays") + _data("goes")}
    second = {"main.tf": _CALL + users[1], "m/main.tf": _data("stays")}
    place = prepare_story(tmp_path, Story(first, second, ()))
    assert place.apply(ENGINES[engine]).ok
    assert recorded_dependencies(place.state) == {
        "terraform_data.noop": ["module.m.terraform_data.goes", "module.m.terraform_data.stays"],
        "terraform_data.changed": ["module.m.terraform_data.stays"],
        "module.m.terraform_data.stays": [],
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_conditions_of_what_does_not_change_are_looked_at_when_nothing_else_happens(
    engine: str, tmp_path: Path
) -> None:
    """A plan without changes can be applied, and its check results are saved."""
    condition = 'lifecycle {\n  postcondition {\n    condition = self.id != ""\n    error_message = "Never."\n  }\n}'
    text = {"main.tf": _data("a", condition)}
    place = prepare_story(tmp_path, Story(text, text, ()))
    assert place.apply(ENGINES[engine]).ok
    assert place.state.check_results is not None
    assert [result.status for result in place.state.check_results] == ["pass"]
