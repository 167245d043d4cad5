"""`terraform` blocks: versions, required providers, the backend."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from shared_nodes.config.blocks.encryption import EncryptionSettings, read_encryption
from shared_nodes.config.blocks.model import BackendBlock, ProviderMeta, ProviderRequirement
from shared_nodes.config.blocks.required_providers import read_required_providers
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.config.syntax.provider_names import check_local_name
from shared_nodes.config.syntax.version_constraint import read_constraint
from shared_nodes.flavour import Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.json_static import as_syntax, static_value
from shared_nodes.lang.source import Range
from shared_nodes.lang.type_constraint import keyword_of
from shared_nodes.record import record

__all__ = ["RequiredProviders", "TerraformBlock", "duplicate_cloud", "read_terraform"]

_EDITION: Final = "TF2021"

_SCHEMA: Final = ContentSchema(
    arguments=frozenset(("required_version", "experiments", "language")),
    blocks={"required_providers": (), "provider_meta": ("provider",), "backend": ("type",), "cloud": ()},
)
_ENCRYPTING: Final = ContentSchema(_SCHEMA.arguments, blocks={**_SCHEMA.blocks, "encryption": ()})


@record
class RequiredProviders:
    entries: dict[str, ProviderRequirement]
    range: Range


@record(frozen=False)
class TerraformBlock:
    """The content of one `terraform` block; a module may have several."""

    required_version: tree.Attribute | None = None
    required_providers: list[RequiredProviders] = field(default_factory=list)
    provider_metas: list[ProviderMeta] = field(default_factory=list)
    backends: list[BackendBlock] = field(default_factory=list)
    clouds: list[BackendBlock] = field(default_factory=list)
    encryptions: list[EncryptionSettings] = field(default_factory=list)


def read_terraform(block: tree.Block, flavour: Flavour) -> tuple[TerraformBlock, list[Diagnostic]]:
    content, problems = read_content(block.body, _ENCRYPTING if flavour.files_can_be_encrypted else _SCHEMA)
    settings = TerraformBlock()
    attributes = content.attributes
    if not flavour.language_blocks_exist:
        if "required_version" in attributes and read_constraint(attributes["required_version"], problems):
            settings.required_version = attributes["required_version"]
        problems.extend(_check_edition(attributes.get("language"), flavour))
        problems.extend(_refuse_experiments(attributes.get("experiments"), flavour))
    for inner in content.blocks:
        match inner.type:
            case "required_providers":
                entries, found = read_required_providers(inner, flavour)
                problems.extend(found)
                settings.required_providers.append(RequiredProviders(entries, inner.header_range))
            case "provider_meta":
                meta, found = _read_provider_meta(inner)
                problems.extend(found)
                settings.provider_metas.extend([] if meta is None else [meta])
            case "backend":
                backend = BackendBlock(inner.labels[0], inner.body, inner.header_range, inner.label_ranges[0])
                settings.backends.append(backend)
            case "encryption":
                encryption, found = read_encryption(inner.body, inner.header_range)
                problems.extend(found)
                settings.encryptions.extend([] if encryption is None else [encryption])
            case "cloud":
                settings.clouds.append(BackendBlock("cloud", inner.body, inner.header_range, inner.type_range))
    return settings, problems


def _read_provider_meta(block: tree.Block) -> tuple[ProviderMeta | None, list[Diagnostic]]:
    """Read a block that has only constant arguments. It does not count if its provider has no possible name."""
    for inner in block.body.blocks[:1]:
        return None, [error(f'Unexpected "{inner.type}" block', "Blocks are not allowed here.", inner.type_range)]
    problems = check_local_name(block.labels[0], block.header_range)
    is_named = not problems
    for attribute in block.body.attributes.values():
        problems.extend(static_value(attribute.expression)[1])
    meta = ProviderMeta(block.labels[0], block.body, block.header_range, block.label_ranges[0])
    return meta if is_named else None, problems


def duplicate_cloud(first: BackendBlock, again: BackendBlock, flavour: Flavour) -> Diagnostic:
    if flavour.cloud_is_a_kind_of_backend:
        detail = (
            "A module may have only one 'cloud' block configuring a cloud backend. A cloud backend was previously "
            f"configured at {first.range}."
        )
        return error("Duplicate cloud configurations", detail, again.range)
    detail = (
        "A module may have only one 'cloud' block configuring HCP Terraform or Terraform Enterprise. The 'cloud' block "
        f"was previously configured at {first.range}."
    )
    return error("Duplicate HCP Terraform configurations", detail, again.range)


def _refuse_experiments(attribute: tree.Attribute | None, flavour: Flavour) -> list[Diagnostic]:
    if attribute is None:
        return []
    detail = (
        "Experimental features are intended only for gathering early feedback on new language designs, and so are "
        f"available only in alpha releases of {flavour.product}."
    )
    return [error("Module uses experimental features", detail, attribute.name_range)]


def _check_edition(attribute: tree.Attribute | None, flavour: Flavour) -> list[Diagnostic]:
    """Check the language edition, of which there is only one so far."""
    if attribute is None:
        return []
    edition = keyword_of(as_syntax(attribute.expression))
    if edition == _EDITION:
        return []
    subject = attribute.expression.range
    if edition is not None and edition.startswith("TF") and edition > _EDITION:
        detail = (
            f"{flavour.product} v{flavour.version} only supports language edition {_EDITION}. This module requires a "
            f"newer version of {flavour.product} CLI."
        )
        return [error("Unsupported language edition", detail, subject)]
    detail = (
        f"The language argument expects a bare language edition keyword. {flavour.product} "
        f"{flavour.version} supports only language edition {_EDITION}, which is the default."
    )
    return [error("Invalid language edition", detail, subject)]
