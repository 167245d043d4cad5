"""Values of names are cached between references. A cached value must never be older than the state and changes it was
computed from, and the cache must save work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ROOT_INSTANCE, ModuleInstance
from shared_nodes.context.expander import Repetition
from shared_nodes.context.named_values import NamedValues
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.plan.change import Action, ResourceChange
from shared_nodes.providers.schema import SchemaBlock
from shared_nodes.state.model import InstanceObject, ObjectStatus, OutputState, ResourceState
from shared_nodes.state.object_values import object_value
from shared_nodes.values.value import Value, integer, null, string
from tests.unit.shared_nodes.nodes.block_runner import ADDRESS, PROVIDER, RESOURCE, BlockRunner

COUNTED = 'resource "terraform_data" "a" {\n  count = 3\n}\n'
REPETITIONS = {
    "count": COUNTED,
    "for_each": 'resource "terraform_data" "a" {\n  for_each = toset(["x"])\n}\n',
    "none": 'resource "terraform_data" "a" {\n}\n',
}
KEYS: dict[str, list[InstanceKey]] = {"count": [0, 1, 2], "for_each": ["x", "y"], "none": [None, 0]}


def make_object(identifier: str, status: ObjectStatus = ObjectStatus.READY) -> InstanceObject:
    return InstanceObject(status, stored={"id": identifier, "input": None, "output": None, "triggers_replace": None})


def change(context: NodeContext, key: InstanceKey, action: Action, identifier: str) -> ResourceChange:
    address = ADDRESS.instance(key)
    after = object_value(make_object(identifier), context.schemas[PROVIDER.source].managed["terraform_data"].block)
    return ResourceChange(address, address, PROVIDER, action, null(after.type), after)


Step = Callable[[NodeContext, InstanceKey, str], None]
STEPS: dict[str, Step] = {
    "put": lambda c, key, new: c.working.put(ADDRESS.instance(key), PROVIDER, make_object(new)),
    "put planned": lambda c, key, _: c.working.put(
        ADDRESS.instance(key), PROVIDER, make_object("", ObjectStatus.PLANNED)
    ),
    "remove": lambda c, key, _: c.working.put(ADDRESS.instance(key), PROVIDER, None),
    "forget": lambda c, key, _: c.working.forget(ADDRESS.instance(key)),
    "depose": lambda c, key, new: c.working.put_deposed(ADDRESS.instance(key), "00000001", PROVIDER, make_object(new)),
    "expand": lambda c, _key, _: c.working.resources.update({ADDRESS: ResourceState(PROVIDER.config)}),
    "tidy": lambda c, _key, _: c.working.remove_empty_resources(),
    "plan": lambda c, key, new: c.changes.record(change(c, key, Action.CREATE, new)),
    "plan to delete": lambda c, key, new: c.changes.record(change(c, key, Action.DELETE, new)),
    "plan deposed": lambda c, key, new: c.changes.record(replace(change(c, key, Action.DELETE, new), deposed="1")),
    "done": lambda c, key, _: c.changes.discard(ADDRESS.instance(key)),
}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data(), repetition=st.sampled_from(sorted(REPETITIONS)))
def test_a_remembered_resource_is_what_a_first_look_would_give(
    tmp_path: Path, data: st.DataObject, repetition: str
) -> None:
    context = BlockRunner(tmp_path).context(REPETITIONS[repetition], Operation.PLAN)
    remembering = NamedValues(context, ROOT_INSTANCE, context.config)
    step = st.tuples(st.sampled_from(sorted(STEPS)), st.sampled_from(KEYS[repetition]))
    for number, (name, key) in enumerate(data.draw(st.lists(step, max_size=20))):
        STEPS[name](context, key, f"object-{number}")
        assert remembering.resource(RESOURCE) == NamedValues(context, ROOT_INSTANCE, context.config).resource(RESOURCE)


def test_every_object_is_decoded_once_however_often_its_resource_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = BlockRunner(tmp_path).context(COUNTED, Operation.PLAN)
    decoded: list[InstanceObject] = []

    def counted(current: InstanceObject, block: SchemaBlock) -> Value:
        decoded.append(current)
        return object_value(current, block)

    monkeypatch.setattr("shared_nodes.context.named_values.object_value", counted)
    seen = NamedValues(context, ROOT_INSTANCE, context.config)
    for key in range(3):
        context.working.put(ADDRESS.instance(key), PROVIDER, make_object(f"object-{key}"))
        first = seen.resource(RESOURCE)
        assert seen.resource(RESOURCE) is first
    assert len(decoded) == 3


def test_a_remembered_module_is_what_a_first_look_would_give(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "main.tf").write_text('output "a" {\n  value = 1\n}\noutput "b" {\n  value = 2\n}\n')
    context = BlockRunner(tmp_path).context('module "m" {\n  source = "./m"\n  count  = 2\n}\n', Operation.PLAN)
    remembering = NamedValues(context, ROOT_INSTANCE, context.config)

    def is_up_to_date() -> bool:
        return remembering.module("m") == NamedValues(context, ROOT_INSTANCE, context.config).module("m")

    def record(instance: ModuleInstance, name: str, value: Value) -> None:
        context.working.module_outputs.setdefault(instance, {})[name] = OutputState(value)

    context.expander.register_call(ROOT_INSTANCE, "m", Repetition.count(2))
    assert is_up_to_date()
    for number, value in enumerate((string("x"), integer(1), string("y"))):
        record(ROOT_INSTANCE.child("m", number % 2), "a", value)
        assert is_up_to_date()
    first = remembering.module("m")
    assert remembering.module("m") is first
    context.expander.register_call(ROOT_INSTANCE, "m", Repetition.count(0))
    assert is_up_to_date()
    context.expander.register_call(ROOT_INSTANCE, "m", Repetition.for_each({"k": integer(1)}))
    assert is_up_to_date()
