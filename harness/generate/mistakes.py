"""Deliberate mistakes. Engines must report an error identically, just as they must behave identically without one.

Most mistakes are an additional block that misuses an existing one. They change nothing else, so that the rest of the
story proceeds as it would without them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from harness.generate.choices import GenerationContext
from harness.generate.model import BlockKind, ModelModule
from harness.generate.opentofu_mistakes import OPENTOFU_MISTAKES
from harness.generate.printing import address

__all__ = ["MISTAKES", "make_mistake"]


def make_mistake(context: GenerationContext, root: ModelModule) -> str:
    """Make a mistake in a random module and return its name. It is undone by clearing `extra` of the module."""
    name = context.pick_feature([(f"mistake: {name}", weight) for name, (_, weight) in MISTAKES.items()]).removeprefix(
        "mistake: "
    )
    module = context.chooser.choice(root.all_modules)
    found = module.live_blocks(BlockKind.MANAGED)
    subject = address(context.chooser.choice(found)) if found else "terraform_data.nothing"
    module.extra.append(MISTAKES[name][0](context.new_name("x"), subject))
    return name


def _output_mistake(value: str) -> Callable[[str, str], str]:
    return lambda name, subject: f'output "{name}" {{\n  value = {value.replace("SUBJECT", subject)}\n}}\n'


def _resource_mistake(*lines: str) -> Callable[[str, str], str]:
    body = "".join(f"  {line}\n" for line in lines)

    def build(name: str, subject: str) -> str:
        return f'resource "terraform_data" "{name}" {{\n{body}}}\n'.replace("SUBJECT", subject).replace("NAME", name)

    return build


def _text_mistake(text: str) -> Callable[[str, str], str]:
    return lambda name, subject: text.replace("SUBJECT", subject).replace("NAME", name) + "\n"


MISTAKES: Final[Mapping[str, tuple[Callable[[str, str], str], int]]] = {
    "undeclared resource": (_output_mistake("terraform_data.absent.id"), 3),
    "undeclared variable": (_output_mistake("var.absent"), 2),
    "undeclared local": (_output_mistake("local.absent"), 2),
    "undeclared module": (_output_mistake("module.absent.value"), 2),
    "unknown attribute": (_output_mistake("SUBJECT.absent"), 3),
    "unknown argument": (_resource_mistake('absent = "x"'), 2),
    "unknown block": (_resource_mistake("absent {}"), 1),
    "unknown function": (_output_mistake('absent("x")'), 2),
    "wrong number of arguments": (_output_mistake('upper("a", "b")'), 1),
    "index out of range": (_output_mistake("[1, 2][5]"), 2),
    "key that is missing": (_output_mistake('{ a = 1 }["b"]'), 2),
    "division by zero": (_resource_mistake("count = 1 / 0"), 1),
    "text as a number": (_output_mistake('"x" + 1'), 2),
    "count of an unknown number": (_resource_mistake("count = length(SUBJECT.id)"), 3),
    "negative count": (_resource_mistake("count = -1"), 1),
    "count that is no number": (_resource_mistake('count = "many"'), 1),
    "for_each over a list": (_resource_mistake('for_each = ["a", "b"]'), 2),
    "for_each over something sensitive": (_resource_mistake('for_each = sensitive(toset(["a"]))'), 2),
    "for_each over something unknown": (_resource_mistake("for_each = toset([SUBJECT.id])"), 3),
    "count and for_each": (_resource_mistake("count = 1", "for_each = {}"), 1),
    "each without for_each": (_resource_mistake("input = each.key"), 2),
    "count without count": (_resource_mistake("input = count.index"), 1),
    "reference to itself": (_resource_mistake("input = terraform_data.NAME.id"), 3),
    "cycle": (
        _text_mistake(
            'resource "terraform_data" "NAMEp" {\n  input = terraform_data.NAMEq.id\n}\n'
            'resource "terraform_data" "NAMEq" {\n  input = terraform_data.NAMEp.id\n}'
        ),
        3,
    ),
    "cycle of locals": (_text_mistake("locals {\n  NAMEp = local.NAMEq\n  NAMEq = local.NAMEp\n}"), 2),
    "depends_on of an expression": (_resource_mistake('depends_on = [upper("SUBJECT")]'), 1),
    "depends_on of nothing": (_resource_mistake("depends_on = [terraform_data.absent]"), 1),
    "lifecycle by an expression": (_resource_mistake("lifecycle {", "  prevent_destroy = 1 < 2", "}"), 1),
    "replace_triggered_by of nothing": (
        _resource_mistake("lifecycle {", "  replace_triggered_by = [terraform_data.absent]", "}"),
        1,
    ),
    "ignore_changes of nothing": (_resource_mistake("lifecycle {", "  ignore_changes = [absent]", "}"), 1),
    "failing precondition": (
        _resource_mistake(
            "lifecycle {",
            "  precondition {",
            "    condition = SUBJECT.id == null",
            '    error_message = "as it must"',
            "  }",
            "}",
        ),
        3,
    ),
    "condition that is no bool": (
        _resource_mistake(
            "lifecycle {",
            "  postcondition {",
            '    condition = "maybe"',
            '    error_message = "never shown"',
            "  }",
            "}",
        ),
        1,
    ),
    "sensitive output": (_output_mistake('sensitive("x")'), 2),
    "sensitive message": (
        _resource_mistake(
            "lifecycle {",
            "  precondition {",
            '    condition = "a" == "b"',
            '    error_message = sensitive("must not be shown")',
            "  }",
            "}",
        ),
        1,
    ),
    "validation with a sensitive message": (
        _text_mistake(
            'variable "NAME" {\n  default   = "bad"\n  sensitive = true\n  validation {\n'
            '    condition     = var.NAME == "good"\n    error_message = "Not ${var.NAME}."\n  }\n}'
        ),
        1,
    ),
    "condition that is null": (
        _text_mistake(
            'check "NAME" {\n  assert {\n    condition     = tobool(null)\n    error_message = "never shown"\n  }\n}'
        ),
        1,
    ),
    "unknown attribute of terraform": (_output_mistake("terraform.absent"), 1),
    "unknown path": (_output_mistake("path.absent"), 1),
    "self elsewhere": (_resource_mistake("input = self.id"), 1),
    "unknown type": (_text_mistake('resource "terraform_dat" "NAME" {}'), 1),
    "ignore_changes of what is computed": (_resource_mistake("lifecycle {", "  ignore_changes = [id]", "}"), 1),
    "key of what has none": (_output_mistake("SUBJECT[0].id"), 2),
    "invalid variable": (
        _text_mistake(
            'variable "NAME" {\n  default = "bad"\n  validation {\n    condition     = var.NAME == "good"\n'
            '    error_message = "Must be good."\n  }\n}'
        ),
        2,
    ),
    "validations that need each other": (
        _text_mistake(
            'variable "NAMEp" {\n  default = "p"\n  validation {\n    condition     = var.NAMEq != var.NAMEp\n'
            '    error_message = "As it must."\n  }\n}\n'
            'variable "NAMEq" {\n  default = "q"\n  validation {\n    condition     = var.NAMEp != var.NAMEq\n'
            '    error_message = "As it must."\n  }\n}'
        ),
        2,
    ),
    "default of the wrong type": (_text_mistake('variable "NAME" {\n  type    = number\n  default = "x"\n}'), 1),
    "variable without a value": (_text_mistake('variable "NAME" {\n  type = string\n}'), 2),
    "the same twice": (_text_mistake("locals {\n  NAME = 1\n}\nlocals {\n  NAME = 2\n}"), 1),
    "moved to itself": (_text_mistake("moved {\n  from = SUBJECT\n  to   = SUBJECT\n}"), 1),
    "moved from what is there": (_text_mistake("moved {\n  from = SUBJECT\n  to   = terraform_data.NAME\n}"), 2),
    "removed what is there": (_text_mistake("removed {\n  from = SUBJECT\n}"), 2),
    "import to nothing": (_text_mistake('import {\n  to = terraform_data.absent\n  id = "x"\n}'), 2),
    "import to a missing instance": (
        _text_mistake(
            'resource "terraform_data" "NAME" {\n  count = 1\n}\nimport {\n  to = terraform_data.NAME[7]\n  id = "x"\n}'
        ),
        2,
    ),
    "import of something unknown": (
        _text_mistake(
            'resource "terraform_data" "NAME" {}\nimport {\n  to = terraform_data.NAME\n  id = SUBJECT.id\n}'
        ),
        1,
    ),
    "the same imported twice": (
        _text_mistake(
            'resource "terraform_data" "NAME" {}\n'
            'import {\n  to = terraform_data.NAME\n  id = "x"\n}\nimport {\n  to = terraform_data.NAME\n  id = "y"\n}'
        ),
        1,
    ),
    "moved round in a circle": (
        _text_mistake(
            "moved {\n  from = terraform_data.NAMEp\n  to   = terraform_data.NAMEq\n}\n"
            "moved {\n  from = terraform_data.NAMEq\n  to   = terraform_data.NAMEp\n}"
        ),
        1,
    ),
    "moved to two places": (
        _text_mistake(
            "moved {\n  from = terraform_data.NAMEp\n  to   = terraform_data.NAMEq\n}\n"
            "moved {\n  from = terraform_data.NAMEp\n  to   = terraform_data.NAMEr\n}"
        ),
        1,
    ),
    "unfinished block": (_text_mistake('resource "terraform_data" "NAME" {'), 2),
    "unfinished expression": (_text_mistake("locals {\n  NAME = [1, 2\n}"), 1),
    "ephemeral value kept": (
        _text_mistake(
            'variable "NAME" {\n  default   = "x"\n  ephemeral = true\n}\n'
            'resource "terraform_data" "NAME" {\n  input = var.NAME\n}'
        ),
        2,
    ),
    "provider that is not there": (_text_mistake('resource "absent_thing" "NAME" {}'), 1),
    "assertion that fails": (
        _text_mistake(
            'check "NAME" {\n  assert {\n    condition     = SUBJECT.id == null\n'
            '    error_message = "as it must"\n  }\n}'
        ),
        2,
    ),
    **{name: (_text_mistake(text), weight) for name, (text, weight) in OPENTOFU_MISTAKES.items()},
}
