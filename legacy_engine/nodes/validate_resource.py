"""A resource block while validating, and imports of something that has no block."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.capabilities import Executable
from legacy_engine.nodes.resource import ResourceVertex
from shared_nodes.addresses.module import ModuleInstance, ModuleStep
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.validate import ResourceValidation, validate_resource
from shared_nodes.nodes.statements.imports import validate_imports

__all__ = ["ValidateResource"]


class ValidateResource(ResourceVertex, Executable):
    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        if self.block is None:
            return validate_imports(context, self.imports, None)
        assert self.provider is not None
        module = ModuleInstance(tuple(ModuleStep(name) for name in self.module.names))
        problems = await validate_resource(context, ResourceValidation(module, self.block, self.provider))
        return [*problems, *validate_imports(context, self.imports, self.block)]
