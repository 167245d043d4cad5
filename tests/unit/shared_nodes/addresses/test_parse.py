"""Addresses as users write them. Every message was recorded from the original."""

from __future__ import annotations

import pytest

from shared_nodes.addresses.module import ModuleInstance, ModulePath
from shared_nodes.addresses.parse import (
    ImportAddress,
    parse_import_address,
    parse_removed,
    parse_replace_option,
    parse_target,
    parse_target_option,
)
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.parser import parse_expression, parse_traversal
from shared_nodes.lang.source import Source
from shared_nodes.lang.tree import Traversal
from shared_nodes.values.value import string

_WHOLE = "value must be a whole number, between -9223372036854775808 and 9223372036854775807."


def _traversal(text: str) -> Traversal:
    traversal, problems = parse_traversal(Source("main.tf", text))
    assert not problems
    assert traversal is not None
    return traversal


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("module.m", ModuleInstance),
        ('module.m["k"].module.n[0]', ModuleInstance),
        ("module.module.x.y", AbsResource),
        ("terraform_data.a", AbsResource),
        ("data.terraform_remote_state.a", AbsResource),
        ("data.var.x", AbsResource),
        ("ephemeral.x.y", AbsResource),
        ("output.x", AbsResource),
        ('module.m.terraform_data.a["k"]', AbsResourceInstance),
        ("terraform_data.a[12]", AbsResourceInstance),
    ],
)
def test_an_address_prints_as_it_was_written(text: str, kind: type) -> None:
    target = parse_target_option(text)
    assert type(target) is kind
    assert str(target) == text


def test_the_resource_prefix_makes_any_word_a_type() -> None:
    assert str(parse_target_option("resource.terraform_data.a")) == "terraform_data.a"
    assert str(parse_target_option("resource.var.x")) == "var.x"


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("module", 'Prefix "module." must be followed by a module name.'),
        ("module[0]", 'Prefix "module." must be followed by a module name.'),
        ("module.m.", "Dot must be followed by attribute name."),
        ("module.m[0].x", "Resource specification must include a resource type and name."),
        ('module.m["a"]["b"]', "Module address prefix must be followed by dot and then a name."),
        ("terraform_data", "Resource specification must include a resource type and name."),
        ("terraform_data.a.b.c", "Unexpected extra operators after address."),
        ("terraform_data.a[0].b", "Unexpected extra operators after address."),
        ("terraform_data.a.b", "Resource instance key must be given in square brackets."),
        ("terraform_data.a[1.5]", f"Invalid resource instance key: {_WHOLE}"),
        ("module.m[1.5]", f"Invalid module index: {_WHOLE}"),
        ("data.x", "Resource specification must include a resource type and name."),
        ("data", "Resource specification must include a resource type and name."),
        ("data[0].x", "A data source name is required."),
        ("terraform_data[0]", "A resource name is required."),
        ("data.a[0]", "A resource name is required."),
        ("resource.x", "Resource specification must include a resource type and name."),
        ("resource.data.x.y", "Resource instance key must be given in square brackets."),
        ("0", "Must begin with a variable name."),
        ("a b", "Expected an attribute access or an index operator."),
        ("", "Must begin with a variable name."),
        ("terraform_data.a[*]", "Splat expressions ([*]) may not be used here."),
    ],
)
def test_a_target_that_is_none(text: str, detail: str) -> None:
    problem = parse_target_option(text)
    assert isinstance(problem, Diagnostic)
    assert problem.detail == detail
    assert problem.summary.startswith("Invalid target ")


@pytest.mark.parametrize("word", ["var", "local", "path", "count", "each", "self", "terraform", "template", "lazy"])
def test_reserved_words_are_no_resource_types(word: str) -> None:
    problem = parse_target_option(f"module.m.{word}.x")
    assert isinstance(problem, Diagnostic)
    assert problem.detail == (
        f'The keyword "{word}" is reserved and cannot be used to target a resource address. If you are targeting a '
        'resource type that uses a reserved keyword, please prefix your address with "resource.".'
    )


@pytest.mark.parametrize("text", ["var.x", "module.m.local.x", "resource.a", "each.key", "terraform.workspace"])
def test_a_flavour_without_reserved_words_has_these_resource_types(text: str) -> None:
    assert str(parse_target_option(text, OPENTOFU_1_12)) == text


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("resource.terraform_data.a", "Resource instance key must be given in square brackets."),
        ("resource.a.b[0]", "Unexpected extra operators after address."),
        ("ephemeral[0].x", "An ephemeral resource name is required."),
        ("data", "Resource specification must include a resource type and name."),
    ],
)
def test_an_exclusion_that_is_none(text: str, detail: str) -> None:
    problem = parse_target_option(text, OPENTOFU_1_12, option="exclude")
    assert isinstance(problem, Diagnostic)
    assert (problem.summary, problem.detail) == (f'Invalid exclude "{text}"', detail)


def test_quotes_in_a_faulty_option_are_escaped_in_its_summary() -> None:
    problem = parse_target_option('module.m["a"]["b"]')
    assert isinstance(problem, Diagnostic)
    assert problem.summary == r'Invalid target "module.m[\"a\"][\"b\"]"'


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("data.terraform_remote_state.r", "Only managed resources can be used with the -replace=... option."),
        (
            "module.m",
            "A resource instance address is required here. The module path must be followed by a resource instance "
            "specification.",
        ),
        ("terraform_data.a.id", "Resource instance key must be given in square brackets."),
    ],
)
def test_a_replacement_that_is_none(text: str, detail: str) -> None:
    problem = parse_replace_option(text)
    assert isinstance(problem, Diagnostic)
    assert problem.summary == f'Invalid force-replace address "{text}"'
    assert problem.detail == detail


@pytest.mark.parametrize(
    ("text", "summary", "marked"),
    [
        ("terraform_data.a.b", "Invalid address", ".b"),
        ("terraform_data.a[0].c", "Invalid address", ".c"),
        ("module.m.x", "Invalid address", ".x"),
        ('module["a"]', "Invalid address operator", '["a"]'),
        ("terraform_data.a[1.5]", "Invalid address", "[1.5]"),
        ("module.m[1.5]", "Invalid address operator", "[1.5]"),
        ("var.x", "Invalid address", "var.x"),
    ],
)
def test_a_faulty_endpoint_is_marked_where_it_goes_wrong(text: str, summary: str, marked: str) -> None:
    problem = parse_target(_traversal(text))
    assert isinstance(problem, Diagnostic)
    assert problem.summary == summary
    assert problem.subject is not None
    assert problem.subject.text == marked


@pytest.mark.parametrize("text", ["module.m", "module.m.module.n", "terraform_data.a", "module.m.terraform_data.a"])
def test_what_was_removed(text: str) -> None:
    found = parse_removed(_traversal(text), TERRAFORM_1_11)
    assert isinstance(found, ModulePath | ConfigResource)
    assert str(found) == text


_MODULE_KEYS = 'Module address must be a module (e.g. "module.foo"), not a module instance (e.g. "module.foo[1]").'
_RESOURCE_KEYS = (
    'Resource address must be a resource (e.g. "test_instance.foo"), not a resource instance (e.g. '
    '"test_instance.foo[1]").'
)


@pytest.mark.parametrize(
    ("text", "detail", "marked"),
    [
        ("module.m[0]", _MODULE_KEYS, "[0]"),
        ("module.m[0].terraform_data.x", _MODULE_KEYS, "[0]"),
        ("terraform_data.a[0]", _RESOURCE_KEYS, "[0]"),
        ("ephemeral.terraform_remote_state.c", _RESOURCE_KEYS, ".c"),
        ("module.m.terraform_data.x.y", _RESOURCE_KEYS, ".y"),
        ("module.m.terraform_data", "Resource specification must include a resource type and name.", ".terraform_data"),
        ("module", 'Prefix "module." must be followed by a module name.', "module"),
        (
            "data.terraform_remote_state.c",
            "Data sources are never destroyed, so they are not valid targets of removed blocks. To remove the data "
            "source from state, remove the data source block from configuration.",
            "data.terraform_remote_state.c",
        ),
    ],
)
def test_what_cannot_have_been_removed(text: str, detail: str, marked: str) -> None:
    problem = parse_removed(_traversal(text), TERRAFORM_1_11)
    assert isinstance(problem, Diagnostic)
    assert problem.detail == detail
    assert problem.subject is not None
    assert problem.subject.text == marked


_RESOURCE_WITH_KEY = (
    'Resource address cannot be a resource instance (e.g. "null_resource.a[0]"), it must be a resource instead (e.g. '
    '"null_resource.a").'
)


@pytest.mark.parametrize(
    ("text", "detail", "marked"),
    [
        (
            "module.m[0].terraform_data.x",
            'Module address cannot be a module instance (e.g. "module.a[0]"), it must be a module instead (e.g. '
            '"module.a").',
            "[0]",
        ),
        ("terraform_data.a[0]", _RESOURCE_WITH_KEY, "[0]"),
        ("terraform_data.a.b", _RESOURCE_WITH_KEY, ".b"),
        ("data.x.y[0]", _RESOURCE_WITH_KEY, "[0]"),
        ("resource.terraform_data.a", _RESOURCE_WITH_KEY, ".a"),
        ("terraform_data.a.b.c", "Unexpected extra operators after address.", ".c"),
        (
            "ephemeral.x.y",
            "Ephemeral resources cannot be destroyed, and therefore, 'removed' blocks are not allowed to target them. "
            "To remove ephemeral resources from the state, you should remove the ephemeral resource block from the "
            "configuration.",
            "ephemeral.x.y",
        ),
    ],
)
def test_what_cannot_have_been_removed_in_the_words_of_opentofu(text: str, detail: str, marked: str) -> None:
    problem = parse_removed(_traversal(text), OPENTOFU_1_12)
    assert isinstance(problem, Diagnostic)
    assert problem.detail == detail
    assert problem.subject is not None
    assert problem.subject.text == marked


def test_words_reserved_elsewhere_may_be_types_of_removed_resources() -> None:
    assert str(parse_removed(_traversal("var.x"), TERRAFORM_1_11)) == "var.x"


def _import_address(text: str) -> ImportAddress | Diagnostic:
    expression, problems = parse_expression(Source("main.tf", text))
    assert not problems
    assert expression is not None
    return parse_import_address(expression)


def test_an_import_address_with_computed_keys_names_its_block_at_once() -> None:
    address = _import_address("module.m[each.key].module.n.terraform_data.a[each.value]")
    assert isinstance(address, ImportAddress)
    assert str(address.resource) == "module.m.module.n.terraform_data.a"
    assert address.instance is None


def test_computed_keys_of_an_import_address_are_filled_in() -> None:
    address = _import_address("module.m[each.key].terraform_data.a[each.value]")
    assert isinstance(address, ImportAddress)
    keys = {part.range: string(f"{part.range.text}!") for part in address.parts if hasattr(part, "key")}
    assert str(address.resolve(keys)) == 'module.m["each.key!"].terraform_data.a["each.value!"]'


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        (
            "module.m",
            "A resource instance address is required here. The module path must be followed by a resource instance "
            "specification.",
        ),
        ("module.m[each.key].foo", "Resource specification must include a resource type and name."),
        ("terraform_data.a[0][1]", "Unexpected extra operators after address."),
        (
            "terraform_data.q[*]",
            "A single static variable reference is required: only attribute access and indexing with constant keys. No "
            "calculations, function calls, template expressions, etc are allowed here.",
        ),
    ],
)
def test_an_import_address_that_is_none(text: str, detail: str) -> None:
    problem = _import_address(text)
    assert isinstance(problem, Diagnostic)
    assert problem.detail == detail
