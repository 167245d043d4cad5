"""Which action is chosen, and why: the decision table, and which of a provider's paths count."""

from __future__ import annotations

import pytest

from shared_nodes.nodes.resource.replacement import Decision, changed_paths, decide_action, settle_action
from shared_nodes.plan.change import Action, ActionReason
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.paths import AttributeStep, IndexStep, Path
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, integer, list_of, map_of, null, object_of, string, unknown


def thing(name: str | None = "n", items: tuple[str, ...] = ("i",), **labels: str) -> Value:
    return object_of(
        {
            "name": null(STRING) if name is None else string(name),
            "items": list_of(STRING, map(string, items)),
            "labels": map_of(STRING, {key: string(text) for key, text in labels.items()}),
        }
    )


NAME: Path = (AttributeStep("name"),)
NOTHING = null(thing().type)


def item(position: int) -> Path:
    return (AttributeStep("items"), IndexStep(integer(position)))


def label(key: str) -> Path:
    return (AttributeStep("labels"), IndexStep(string(key)))


@pytest.mark.parametrize(
    ("prior", "planned", "path", "counts"),
    [
        (thing("a"), thing("b"), NAME, True),
        (thing("a"), thing("a"), NAME, False),
        (thing("a"), thing(None), NAME, True),
        (thing(items=("a",)), thing(items=("b",)), item(0), True),
        (thing(items=("a",)), thing(items=("a", "b")), item(1), True),
        (thing(items=("a", "b")), thing(items=("a",)), item(1), True),
        (thing(x="1"), thing(x="1", y="2"), label("x"), False),
        (thing(x="1"), thing(y="1"), label("x"), True),
        (NOTHING, thing("b"), NAME, False),
        (thing("a").mark(SENSITIVE), thing("a"), NAME, False),
    ],
)
def test_a_path_counts_where_its_value_changes(prior: Value, planned: Value, path: Path, counts: bool) -> None:
    assert changed_paths(prior, planned, [path]) == ((path,) if counts else (), [])


def test_paths_stand_in_the_order_of_their_checksums() -> None:
    """The real Terraform lists them in this order, in whatever order a provider returns them."""
    names = ["l", "m", "s", "o", "lo", "so", "mo"]
    before, after = (object_of({name: string(text) for name in names}) for text in ("old", "new"))
    found, _ = changed_paths(before, after, [(AttributeStep(name),) for name in names])
    assert [step.name for (step,) in found if isinstance(step, AttributeStep)] == ["s", "o", "so", "lo", "mo", "l", "m"]


def test_an_unknown_counts_as_a_change() -> None:
    planned = object_of({**thing().payload, "name": unknown(STRING)})
    assert changed_paths(thing(), planned, [NAME, NAME]) == ((NAME,), [])


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        ((AttributeStep("nope"),), 'cty.Path{cty.GetAttrStep{Name:"nope"}}'),
        (item(5), 'cty.Path{cty.GetAttrStep{Name:"items"}, cty.IndexStep{Key:cty.NumberIntVal(5)}}'),
        (label("zz"), 'cty.Path{cty.GetAttrStep{Name:"labels"}, cty.IndexStep{Key:cty.StringVal("zz")}}'),
        ((*NAME, AttributeStep("b")), 'cty.Path{cty.GetAttrStep{Name:"name"}, cty.GetAttrStep{Name:"b"}}'),
    ],
)
def test_a_path_that_leads_nowhere_is_shown_as_the_original_shows_it(path: Path, printed: str) -> None:
    assert changed_paths(thing(x="1"), thing(x="2"), [path]) == ((), [printed])


CHANGED = thing("other")
REPLACE = ActionReason.REPLACE_CANNOT_UPDATE
REQUEST = ActionReason.REPLACE_BY_REQUEST
TAINTED = ActionReason.REPLACE_TAINTED


@pytest.mark.parametrize(
    ("change", "forced", "first", "decision"),
    [
        ((NOTHING, thing(), ()), False, False, Decision(Action.CREATE)),
        ((NOTHING, thing(), ()), True, False, Decision(Action.CREATE)),
        ((thing(), thing(), ()), False, False, Decision(Action.NO_OP)),
        ((thing().mark(SENSITIVE), thing(), ()), False, False, Decision(Action.NO_OP)),
        ((thing(), thing(), ()), True, False, Decision(Action.DELETE_THEN_CREATE, REQUEST)),
        ((thing(), CHANGED, ()), False, False, Decision(Action.UPDATE)),
        ((thing(), CHANGED, (NAME,)), False, False, Decision(Action.DELETE_THEN_CREATE, REPLACE, (NAME,))),
        ((thing(), CHANGED, (NAME,)), False, True, Decision(Action.CREATE_THEN_DELETE, REPLACE, (NAME,))),
        ((thing(), CHANGED, (NAME,)), True, True, Decision(Action.CREATE_THEN_DELETE, REQUEST, (NAME,))),
    ],
)
def test_the_action_follows_from_values_and_paths(
    change: tuple[Value, Value, tuple[Path, ...]], forced: bool, first: bool, decision: Decision
) -> None:
    assert decide_action(*change, forced=forced, create_before_destroy=first) == decision


def test_an_unknown_part_makes_an_update() -> None:
    planned = object_of({**thing().payload, "name": unknown(STRING)})
    decision = decide_action(thing(), planned, (), forced=False, create_before_destroy=False)
    assert decision.action is Action.UPDATE


@pytest.mark.parametrize(
    ("action", "change", "tainted", "settled"),
    [
        (Action.CREATE, (NOTHING, thing()), False, Decision(Action.CREATE)),
        (Action.CREATE, (NOTHING, thing()), True, Decision(Action.DELETE_THEN_CREATE, TAINTED)),
        (Action.NO_OP, (thing(), thing()), False, Decision(Action.NO_OP)),
        (Action.NO_OP, (thing(), thing().mark(SENSITIVE)), False, Decision(Action.UPDATE)),
        (Action.NO_OP, (thing().mark(SENSITIVE), thing()), False, Decision(Action.UPDATE)),
        (Action.UPDATE, (thing(), CHANGED), False, Decision(Action.UPDATE)),
    ],
)
def test_taint_and_sensitivity_have_the_last_word(
    action: Action, change: tuple[Value, Value], tainted: bool, settled: Decision
) -> None:
    assert settle_action(Decision(action), *change, tainted=tainted, create_before_destroy=False) == settled
