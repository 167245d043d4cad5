"""`provisioner` blocks, and what may be referred to while an object is being destroyed."""

from __future__ import annotations

from typing import Final

from shared_nodes.config.blocks.model import ProvisionerBlock, ProvisionerWhen
from shared_nodes.config.syntax.content import ContentSchema, merged_body, split_content
from shared_nodes.config.syntax.literals import read_keyword
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.references import free_traversals
from shared_nodes.lang.tree import Attribute, Block, Body, Traversal, TraverseAttribute

__all__ = ["check_destroy_references", "read_provisioner"]

_SCHEMA: Final = ContentSchema(
    arguments=frozenset(("when", "on_failure")), blocks={"_": (), "connection": (), "lifecycle": ()}
)
_REMOVED_TYPES: Final = frozenset(("chef", "habitat", "puppet", "salt-masterless"))


def read_provisioner(block: Block, flavour: Flavour) -> tuple[ProvisionerBlock | None, list[Diagnostic]]:
    """Read a provisioner; None for types that no longer exist, whose blocks are not read further."""
    kind = block.labels[0]
    if kind in _REMOVED_TYPES:
        return None, [_removed_type(block, flavour)]
    content, rest, problems = split_content(block.body, _SCHEMA)
    attributes = content.attributes
    when = _read_word(attributes.get("when"), ("when", "create", "destroy"), flavour, problems)
    on_failure = _read_word(attributes.get("on_failure"), ("on_failure", "continue", "fail"), flavour, problems)
    if when == "destroy":
        problems.extend(check_destroy_references(rest, flavour))
    connection, escape = _read_inner(content.blocks, flavour, problems)
    if connection is not None and when == "destroy":
        problems.extend(check_destroy_references(connection, flavour))
    provisioner = ProvisionerBlock(
        type=kind,
        body=rest if escape is None else merged_body(rest, escape),
        when=ProvisionerWhen.DESTROY if when == "destroy" else ProvisionerWhen.CREATE,
        continue_on_failure=on_failure == "continue",
        connection=connection,
        range=block.header_range,
    )
    return provisioner, problems


def _removed_type(block: Block, flavour: Flavour) -> Diagnostic:
    kind = block.labels[0]
    detail = f'The "{kind}" provisioner is deprecated and has been removed from {flavour.product}.'
    if flavour.removed_provisioners_have_alternatives:
        detail = (
            f'The "{kind}" provisioner was deprecated in {flavour.product} 0.13.4 has been removed from '
            f"{flavour.product}. Visit https://learn.hashicorp.com/collections/terraform/provision for alternatives to "
            f"using provisioners that are a better fit for the {flavour.product} workflow."
        )
    return error(f'The "{kind}" provisioner has been removed', detail, block.label_ranges[0])


def _read_word(
    attribute: Attribute | None, words: tuple[str, str, str], flavour: Flavour, problems: list[Diagnostic]
) -> str | None:
    """Read an argument that must be one of two words. `words` has its name, and then these two."""
    if attribute is None:
        return None
    word, quoting = read_keyword(attribute.expression, flavour)
    problems.extend(quoting)
    name, *allowed = words
    if word in allowed:
        return word
    detail = f'The "{name}" argument requires one of the following keywords: {" or ".join(allowed)}.'
    problems.append(error(f'Invalid "{name}" keyword', detail, attribute.expression.range))
    return None


def _read_inner(
    blocks: tuple[Block, ...], flavour: Flavour, problems: list[Diagnostic]
) -> tuple[Body | None, Body | None]:
    """Return the bodies of the connection and of the escaping block."""
    seen: dict[str, Block] = {}
    for inner in blocks:
        first = seen.setdefault(inner.type, inner)
        if inner.type == "lifecycle":
            detail = f'The block type name "lifecycle" is reserved for use by {flavour.product} in a future version.'
            problems.append(error("Reserved block type name in provisioner block", detail, inner.type_range))
        elif first is not inner and inner.type == "connection":
            detail = f"This provisioner already has a connection block at {first.header_range}."
            problems.append(error("Duplicate connection block", detail, inner.header_range))
        elif first is not inner:
            kind = "provisioner-type" if flavour.misspellings_are_corrected else "provisioner-typpe"
            detail = (
                'The special block type "_" can be used to force particular arguments to be interpreted as '
                f"{kind}-specific rather than as meta-arguments, but each provisioner block can have only "
                f"one such block. The first escaping block was at {first.header_range}."
            )
            problems.append(error("Duplicate escaping block", detail, inner.header_range))
    connection, escape = seen.get("connection"), seen.get("_")
    return (None if connection is None else connection.body), (None if escape is None else escape.body)


def check_destroy_references(body: Body, flavour: Flavour) -> list[Diagnostic]:
    """Allow references only to the object itself: while it is destroyed, others may already be gone. Nested blocks are
    not checked."""
    return [
        error(
            "Invalid reference from destroy provisioner",
            "Destroy-time provisioners and their connection configurations may only reference attributes of the "
            "related resource, via 'self', 'count.index', or 'each.key'.\n\nReferences to other resources during the "
            "destroy phase can cause dependency cycles and interact poorly with create_before_destroy.",
            attribute.expression.range,
        )
        for attribute in body.attributes.values()
        for traversal in free_traversals(attribute.expression)
        if not _is_known_when_destroying(traversal, flavour)
    ]


def _is_known_when_destroying(traversal: Traversal, flavour: Flavour) -> bool:
    if traversal.root in ("self", "path", "terraform"):
        return True
    if traversal.root == "tofu" and flavour.tofu_names_the_program:
        return True
    allowed = {"count": "index", "each": "key"}.get(traversal.root)
    step = traversal.steps[0] if len(traversal.steps) == 1 else None
    return isinstance(step, TraverseAttribute) and step.name == allowed
