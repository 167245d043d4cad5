"""Blocks: one reader per block type, from syntax to the data that engines use.

`model.py` defines the data (re-exported here), for example `ResourceBlock`, `ModuleCallBlock` and `Lifecycle`;
`variable.py` adds `Variable`. A reader such as `read_resource` takes one block and returns its data and diagnostics. It
knows no other block: duplicates, overrides and everything else that concerns a whole module is handled by
`config/reader.py`. Start with `model.py` and `resource.py`.
"""

from __future__ import annotations

from shared_nodes.config.blocks.model import (
    BackendBlock,
    CheckBlock,
    Condition,
    ImportBlock,
    Lifecycle,
    ModuleCallBlock,
    MovedBlock,
    OutputBlock,
    PassedProvider,
    ProviderBlock,
    ProviderMeta,
    ProviderReference,
    ProviderRequirement,
    ProvisionerBlock,
    ProvisionerWhen,
    RemovedBlock,
    ResourceBlock,
)

__all__ = [
    "BackendBlock",
    "CheckBlock",
    "Condition",
    "ImportBlock",
    "Lifecycle",
    "ModuleCallBlock",
    "MovedBlock",
    "OutputBlock",
    "PassedProvider",
    "ProviderBlock",
    "ProviderMeta",
    "ProviderReference",
    "ProviderRequirement",
    "ProvisionerBlock",
    "ProvisionerWhen",
    "RemovedBlock",
    "ResourceBlock",
]
