"""Which versions a module is written for: `language` blocks, and `required_version` in files for OpenTofu alone.

Versions are checked before anything else in a file, and a module that excludes the running version is reported for
nothing else: what looks like a mistake may be part of another version's language.
"""

from __future__ import annotations

from typing import Final

from shared_nodes.config.syntax.content import ContentSchema, read_content, split_content
from shared_nodes.config.syntax.static_reference import static_list
from shared_nodes.config.syntax.version_constraint import Version, parse_constraints, parse_version, read_constraint
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.lang.json_static import as_syntax
from shared_nodes.lang.tree import Attribute, Block, Body, Expression
from shared_nodes.lang.type_constraint import keyword_of

__all__ = ["INCOMPATIBLE", "check_versions", "read_language"]

INCOMPATIBLE: Final = "Incompatible module"

_EDITION: Final = "tofu2024"
_LAST_WITHOUT_BLOCK: Final = Version((1, 11, 0))
_FILE: Final = ContentSchema(blocks={"terraform": (), "language": ()})
_SETTINGS: Final = ContentSchema(blocks={"compatible_with": ()})
_BLOCK: Final = ContentSchema(frozenset(("edition", "experiments")), blocks={"compatible_with": ()})


def check_versions(file: Body, flavour: Flavour) -> list[Diagnostic]:
    """Check the version constraints of one file. Nothing else about their blocks is checked here."""
    content, _, problems = split_content(file, _FILE)
    filename = file.range.source.filename
    is_ours = filename.endswith((".tofu", ".tofu.json"))
    for block in content.blocks:
        if block.type == "language":
            inner, _, found = split_content(block.body, _SETTINGS)
            problems += found
            for nested in inner.blocks:
                problems += _check_constraint(nested.body.attributes.get("opentofu"), flavour)
        elif is_ours:
            problems += _check_constraint(block.body.attributes.get("required_version"), flavour)
    return problems


def _check_constraint(attribute: Attribute | None, flavour: Flavour) -> list[Diagnostic]:
    problems: list[Diagnostic] = []
    given = read_constraint(attribute, problems)
    if attribute is None or not given:
        return problems
    constraints = parse_constraints(given) or ()
    for text, constraint in zip(given.split(","), constraints, strict=True):
        if constraint.version.prerelease:
            detail = (
                f"Prerelease version constraints are not supported: {text.strip()}. Remove the prerelease information "
                f"from the constraint. Prerelease versions of {flavour.product} will match constraints using their "
                "version core only."
            )
            problems.append(error("Invalid required_version constraint", detail, attribute.range))
    core = parse_version(flavour.version)
    assert core is not None
    if not problems and not all(constraint.allows(core) for constraint in constraints):
        product = flavour.product
        detail = (
            f"This module is not compatible with {product} v{flavour.version}.\n\nTo proceed, either choose another "
            f"supported {product} version or update this version constraint. Version constraints are normally set for "
            "good reason, so updating the constraint may lead to other errors or unexpected behavior."
        )
        problems.append(error(INCOMPATIBLE, detail, attribute.range))
    return problems


def read_language(block: Block, flavour: Flavour) -> list[Diagnostic]:
    """Check a `language` block. Nothing of it is kept: there is one edition, and there are no experiments."""
    content, problems = read_content(block.body, _BLOCK)
    if "edition" in content.attributes:
        problems += _check_edition(content.attributes["edition"].expression, flavour)
    if "experiments" in content.attributes:
        problems += _check_experiments(content.attributes["experiments"].expression)
    first: Attribute | None = None
    for nested in content.blocks:
        if first is not None:
            detail = (
                "Each language block may have at most one compatible_with block referring to OpenTofu. The OpenTofu "
                f"version constraint was already declared at {first.range}."
            )
            problems.append(error("Duplicate compatible_with block", detail, block.header_range))
            continue
        attribute = nested.body.attributes.get("opentofu")
        if attribute is None:
            problems.append(_unreadable_problem(nested, flavour))
            continue
        found: list[Diagnostic] = []
        given = read_constraint(attribute, found)
        problems += found
        if found:
            continue
        first = attribute
        if all(constraint.allows(_LAST_WITHOUT_BLOCK) for constraint in parse_constraints(given) or ()):
            problems.append(_ineffective_problem(attribute))
    return problems


def _unreadable_problem(block: Block, flavour: Flavour) -> Diagnostic:
    """Report a block that says nothing about this product. The original crashes there."""
    detail = f'{flavour.product} v{flavour.version} cannot read a compatible_with block without an "opentofu" argument.'
    return error("Unreadable compatible_with block", detail, block.header_range)


def _ineffective_problem(attribute: Attribute) -> Diagnostic:
    detail = (
        "The compatible_with block was added in OpenTofu v1.12.0, so any constraint specified this way should exclude "
        'earlier versions of OpenTofu, such as by including ">= 0.12.0".\n\nIf your module must be compatible with '
        'earlier versions of OpenTofu, use the required_version argument in a "terraform" block in a file named with '
        "the .tofu suffix, which is an older way to specify OpenTofu version constraints."
    )
    return warning("Ineffective version constraint", detail, attribute.range)


def _check_edition(expression: Expression, flavour: Flavour) -> list[Diagnostic]:
    """Check the edition. Quirk `edition-names-itself`: an edition of Terraform is called by the name of the supported
    one."""
    keyword = keyword_of(as_syntax(expression))
    if keyword == _EDITION:
        return []
    program = f"{flavour.product} v{flavour.version}"
    if keyword is None:
        detail = (
            f'The "edition" argument expects a bare language edition keyword. {flavour.product} {flavour.version} '
            f"supports only language edition {_EDITION}, which is the default."
        )
        return [error("Invalid language edition", detail, expression.range)]
    if keyword.startswith("TF"):
        detail = (
            f'{program} does not support language edition "{_EDITION}". This module may be intended for use with other '
            "software."
        )
    else:
        relation = "newer" if keyword > _EDITION else "different"
        detail = (
            f"{program} only supports language edition {_EDITION}. This module requires a {relation} version of "
            f"{flavour.product} CLI."
        )
    return [error("Unsupported language edition", detail, expression.range)]


def _check_experiments(expression: Expression) -> list[Diagnostic]:
    items, problems = static_list(expression)
    for item in items:
        keyword = keyword_of(as_syntax(item))
        if keyword is None:
            detail = 'Elements of "experiments" must all be keywords representing active experiments.'
            problems.append(error("Invalid experiment keyword", detail, item.range))
        else:
            detail = f'There is no current experiment with the keyword "{keyword}".'
            problems.append(error("Unknown experiment keyword", detail, item.range))
    return problems
