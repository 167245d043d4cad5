"""What only OpenTofu has: in its stories alone, each as a feature, and printed so that it can be evaluated."""

from __future__ import annotations

from typing import Final

import pytest

from harness.generate.campaign import CampaignOptions, StoryTask, story_of_task
from harness.generate.choices import DrawingChooser, GenerationContext, SeededChooser
from harness.generate.enabled_generator import make_enabled, make_protection
from harness.generate.file_layout import arrange_files
from harness.generate.model import (
    BlockKind,
    ModelBlock,
    ModelExpression,
    ModelModule,
    ModelReference,
    Repeat,
    RepetitionKind,
)
from harness.generate.module_builder import ModuleBuilder
from harness.generate.opentofu_edits import OPENTOFU_EDITS
from harness.generate.opentofu_mistakes import OPENTOFU_MISTAKES
from harness.generate.opentofu_values import choose_source
from harness.generate.printing import print_configuration
from harness.generate.resource_generator import add_resource
from harness.generate.story import GeneratedStory
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, Type

_SAMPLE: Final = 400


def context(seed: object = 0, *, always: bool = False) -> GenerationContext:
    chooser = DrawingChooser(lambda _low, high: high) if always else SeededChooser(str(seed))
    return GenerationContext(chooser, has_opentofu=True)


def resource(name: str, **more: ModelExpression) -> ModelBlock:
    return ModelBlock(BlockKind.MANAGED, name, "terraform_data", settings=more)


def stories(profile: str) -> list[GeneratedStory]:
    return [story_of_task(StoryTask(CampaignOptions(2, profile), index)) for index in range(_SAMPLE)]


def test_decisions_are_the_same_whichever_features_the_product_does_not_have() -> None:
    drawn: list[tuple[int, int]] = []

    def draw(low: int, high: int) -> int:
        drawn.append((low, high))
        return high

    decisions = GenerationContext(DrawingChooser(draw))
    assert not decisions.chance("opentofu: anything", 50)
    assert not drawn
    assert decisions.pick_feature([("usual", 1), ("other", 1), ("opentofu: anything", 5)]) == "other"
    decisions.pick_feature([("usual", 1), ("other", 1)])
    assert drawn[0] == drawn[1]


def test_a_story_of_terraform_uses_no_feature_of_opentofu() -> None:
    for story in stories("default"):
        if story.flavour == "terraform-1.11":
            assert not [name for name in story.features if name.startswith(("opentofu", "edit: opentofu"))]
            assert "enabled =" not in story.text
            assert all(path.endswith(".tf") for files in story.versions.values() for path in files)


@pytest.mark.parametrize("profile", ["opentofu", "tofu"])
def test_every_feature_of_opentofu_is_reached_soon(profile: str) -> None:
    used = {name for story in stories(profile) for name in story.features}
    assert set(OPENTOFU_EDITS) <= used
    assert len([name for name in OPENTOFU_MISTAKES if f"mistake: {name}" in used]) > len(OPENTOFU_MISTAKES) / 3
    wanted = {
        *("enabled resource", "enabled module", "enabled by a variable", "enabled by a resource"),
        *("reference without a guard", "destroy = false", "suppress forget errors", "becomes counted"),
        *("prevent_destroy by an expression", "prevent_destroy by a variable", "prevent_destroy by a resource"),
        *("removed block without lifecycle", "implied move of a module"),
        *("exclude", "exclude what is moved", "addresses in a file", "target and exclude"),
        *("import by a map", "import by a list", "import by an expression", "import by a key from a value"),
        *("trigger that may be disabled", "provider with for_each", "instance of a provider for a resource"),
        *("instance of a provider for a module", "source from a value", "const variable", "const = false"),
        *("deprecated variable", "deprecated output", ".tofu files", "hidden .tf file", "language declaration"),
        *("and that stops", "or that stops", "tofu.workspace", "function cidrcontains"),
        *("name of a part of a document", "keys named like parts of a plan", "keys named like parts of a state"),
    }
    assert {name for name in wanted if f"opentofu: {name}" not in used} == set()


@pytest.mark.parametrize(
    ("style", "wanted", "expected"),
    [
        (0, STRING, 'try(terraform_data.a.id, "gone")'),
        (1, NUMBER, "(terraform_data.a == null ? 0 : terraform_data.a.id)"),
        (2, ListType(STRING), "(terraform_data.a != null ? terraform_data.a.id : [])"),
        (3, BOOL, "(terraform_data.a != null && terraform_data.a.id)"),
        (4, STRING, 'coalesce(one(terraform_data.a[*].id), "gone")'),
        (5, STRING, 'join("-", terraform_data.a[*].id)'),
    ],
)
def test_a_reference_to_what_may_be_disabled_is_guarded(style: int, wanted: Type, expected: str) -> None:
    target = resource("a", enabled=ModelExpression(("false",)))
    output = ModelBlock(BlockKind.OUTPUT, "o")
    reference = ModelReference(target, ".id", wanted, style)
    output.arguments["value"] = ModelExpression((reference,))
    root = ModelModule("", [target, output])
    assert f"value = {expected}\n" in print_configuration(root)["outputs.tf"]
    reference.is_bare = True
    assert "value = terraform_data.a.id\n" in print_configuration(root)["outputs.tf"]


def test_enabled_is_left_out_while_a_block_is_repeated() -> None:
    block = resource("a", enabled=ModelExpression(("false",)))
    root = ModelModule("", [block])
    assert "enabled = false" in print_configuration(root)["main.tf"]
    block.repeat = Repeat(RepetitionKind.COUNT, ["a"])
    assert "enabled" not in print_configuration(root)["main.tf"]


def test_a_module_has_the_lifecycle_argument_enabled_and_no_other() -> None:
    call = ModelBlock(BlockKind.CALL, "m", module=ModelModule("mod"), settings={"enabled": ModelExpression(("true",))})
    text = print_configuration(ModelModule("", [call]))["main.tf"]
    assert "  lifecycle {\n    enabled = true\n  }\n" in text


@pytest.mark.parametrize("seed", range(20))
def test_enabled_is_known_when_a_plan_is_made(seed: int) -> None:
    """It refers to variables that are known, and to arguments that are literals."""
    builder = ModuleBuilder(context(seed), ModelModule(""))
    for _ in range(3):
        add_resource(builder, BlockKind.MANAGED, "terraform_data")
    value = make_enabled(builder, resource("new"))
    assert all(one.target.is_static or one.path == ".input" for one in value.references)
    assert not value.is_sensitive
    assert make_protection(builder).parts


@pytest.mark.parametrize(
    ("style", "repeat", "expected"),
    [
        (0, None, 'terraform.by[lower("x")]'),
        (1, None, 'terraform.by["y"]'),
        (2, Repeat(RepetitionKind.SET, ["y"]), "terraform.by[each.key]"),
        (2, Repeat(RepetitionKind.SET, ["z"]), 'terraform.by["x"]'),
        (2, Repeat(RepetitionKind.COUNT, ["a"]), 'terraform.by[element(["x", "y"], count.index)]'),
    ],
)
def test_an_instance_of_a_provider_is_named_by_a_key(style: int, repeat: Repeat | None, expected: str) -> None:
    provider = ModelBlock(BlockKind.PROVIDER, "by", "terraform", repeat=Repeat(RepetitionKind.SET, ["x", "y"]))
    block = resource("a")
    block.provider, block.provider_style, block.repeat = provider, style, repeat
    files = print_configuration(ModelModule("", [provider, block], needs_builtin=True))
    assert f"provider = {expected}\n" in files["main.tf"]
    assert 'for_each = toset(["x", "y"])' in files["providers.tf"]
    assert 'terraform = { source = "terraform.io/builtin/terraform" }' in files["providers.tf"]


def test_the_path_of_a_module_may_be_a_value_that_edits_leave_alone() -> None:
    builder = ModuleBuilder(context(always=True), ModelModule(""))
    call = builder.add(ModelBlock(BlockKind.CALL, "m", module=ModelModule("mod")))
    choose_source(builder, call)
    assert call.source is not None
    assert call.source.is_fixed
    assert builder.choose_block(call.source.kind) is None
    files = print_configuration(builder.module)
    assert f"source = var.{call.source.name}\n" in files["main.tf"]
    assert 'default = "./mod"' in files["variables.tf"]
    call.source.is_alive = False
    assert 'source = "./mod"\n' in print_configuration(builder.module)["main.tf"]


def test_a_tofu_file_keeps_the_text_of_the_file_that_it_replaces_or_hides() -> None:
    given = {"main.tf": "locals {}\n", "mod/main.tf": "", "outputs.tf": "x"}
    for seed in range(60):
        found = arrange_files(context(seed), given)
        for path, text in given.items():
            other = path.removesuffix(".tf") + ".tofu"
            assert found.get(other, found.get(path)) == text
    assert arrange_files(GenerationContext(SeededChooser("x")), given) == given
