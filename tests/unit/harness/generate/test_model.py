"""Blocks, modules and their instances."""

from __future__ import annotations

from harness.generate.instances import find_instances, module_call_addresses
from harness.generate.model import BlockKind, ModelBlock, ModelModule, Repeat, RepetitionKind


def resource(name: str, repeat: Repeat | None = None) -> ModelBlock:
    return ModelBlock(BlockKind.MANAGED, name, "terraform_data", cloud_name=name, repeat=repeat)


def call(name: str, module: ModelModule, repeat: Repeat | None = None) -> ModelBlock:
    return ModelBlock(BlockKind.CALL, name, cloud_name=name, module=module, repeat=repeat)


def test_a_chain_has_the_keys_of_its_source_until_that_is_removed() -> None:
    source = resource("a", Repeat(RepetitionKind.SET, ["x"]))
    chained = Repeat(RepetitionKind.CHAIN, ["own"], source)
    assert chained.current_keys == ["x"]
    source.is_alive = False
    assert chained.current_keys == ["own"]


def test_keys_held_by_a_local_value_are_used() -> None:
    local = ModelBlock(BlockKind.LOCAL, "l", keys=["p", "q"])
    assert Repeat(RepetitionKind.COUNT, [], local).current_keys == ["p", "q"]


def test_all_modules_are_listed_once_callers_first() -> None:
    inner, outer = ModelModule("inner"), ModelModule("outer")
    outer.blocks.append(call("i", inner))
    root = ModelModule("", [call("o", outer), call("again", outer), call("i", inner)])
    assert [module.name for module in root.all_modules] == ["", "outer", "inner"]


def test_a_module_configures_providers_if_one_below_it_does() -> None:
    inner = ModelModule("inner", [ModelBlock(BlockKind.PROVIDER, "", "simcloud")])
    assert ModelModule("outer", [call("i", inner)]).configures_providers
    assert not ModelModule("outer").configures_providers


def test_removed_blocks_are_not_live() -> None:
    removed, kept = resource("a"), resource("b")
    removed.is_alive = False
    assert ModelModule("", [removed, kept]).live_blocks(BlockKind.MANAGED) == [kept]


def test_instances_have_absolute_addresses_and_names_in_the_cloud() -> None:
    inner = ModelModule("inner", [resource("a", Repeat(RepetitionKind.SET, ["x", "y"]))])
    root = ModelModule("", [resource("b"), call("m", inner, Repeat(RepetitionKind.COUNT, ["1", "2"]))])
    found = {one.address: one.cloud_name for one in find_instances(root, BlockKind.MANAGED)}
    assert found == {
        "terraform_data.b": "b",
        'module.m[0].terraform_data.a["x"]': "m-0-a-x",
        'module.m[0].terraform_data.a["y"]': "m-0-a-y",
        'module.m[1].terraform_data.a["x"]': "m-1-a-x",
        'module.m[1].terraform_data.a["y"]': "m-1-a-y",
    }
    assert module_call_addresses(root) == ["module.m", "module.m[0]", "module.m[1]"]


def test_objects_of_a_module_that_keeps_names_are_called_as_before() -> None:
    inner = ModelModule("inner", [resource("a")], keeps_names=True)
    (one,) = find_instances(ModelModule("", [call("m", inner)]), BlockKind.MANAGED)
    assert (one.address, one.cloud_name) == ("module.m.terraform_data.a", "a")
