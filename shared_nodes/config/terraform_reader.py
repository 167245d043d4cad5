"""Combines all `terraform` blocks of a module."""

from __future__ import annotations

from shared_nodes.config.module import Module
from shared_nodes.config.terraform_block import read_terraform
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.tree import Block

__all__ = ["add_terraform", "backend_conflict"]


def add_terraform(module: Module, block: Block) -> list[Diagnostic]:
    settings, problems = read_terraform(block)
    module.required_versions.extend([] if settings.required_version is None else [settings.required_version])
    for required in settings.required_providers:
        if module.required_providers_range is not None:
            detail = (
                "A module may have only one required providers configuration. The required providers were previously "
                f"configured at {module.required_providers_range}."
            )
            problems.append(error("Duplicate required providers configuration", detail, required.range))
            continue
        module.required_providers_range = required.range
        module.required_providers.update(required.entries)
    for meta in settings.provider_metas:
        existing = module.provider_metas.setdefault(meta.provider, meta)
        if existing is not meta:
            detail = (
                f'A provider_meta block for provider "{meta.provider}" was already declared at {existing.range}. '
                "Providers may only have one provider_meta block per module."
            )
            problems.append(error("Duplicate provider_meta block", detail, meta.range))
    for backend in settings.backends:
        if module.backend is not None:
            detail = (
                "A module may have only one backend configuration. The backend was previously configured at "
                f"{module.backend.range}."
            )
            problems.append(error("Duplicate backend configuration", detail, backend.range))
            continue
        module.backend = backend
    for cloud in settings.clouds:
        if module.cloud is not None:
            detail = (
                "A module may have only one 'cloud' block configuring HCP Terraform or Terraform Enterprise. The "
                f"'cloud' block was previously configured at {module.cloud.range}."
            )
            problems.append(error("Duplicate HCP Terraform configurations", detail, cloud.range))
            continue
        module.cloud = cloud
    return problems


def backend_conflict(module: Module) -> list[Diagnostic]:
    if module.backend is None or module.cloud is None:
        return []
    detail = (
        "A module may declare either one 'cloud' block OR one 'backend' block configuring a state backend. The 'cloud' "
        f"block is configured at {module.cloud.range}; a backend is configured at {module.backend.range}. Remove the "
        "backend block to configure HCP Terraform or Terraform Enteprise."
    )
    return [error("Both a backend and cloud configuration are present", detail, module.backend.range)]
