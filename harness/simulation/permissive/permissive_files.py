"""The files from which the permissive provider learns more than the configuration says. Only their paths pass between
processes; each process reads a file once."""

from __future__ import annotations

from typing import Final

from harness.simulation.permissive.known_schemas import read_known_schemas
from harness.simulation.permissive.known_values import NO_KNOWN_VALUES, KnownValues, read_known_values
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.record import record

__all__ = ["NO_FILES", "PermissiveFiles"]


@record
class PermissiveFiles:
    """Absolute paths; empty for none."""

    values: str = ""
    schemas: str = ""

    @property
    def known_values(self) -> KnownValues:
        return read_known_values(self.values) if self.values else NO_KNOWN_VALUES

    def schema_of(self, source: ProviderSource) -> ProviderSchema | None:
        """Return the schema of a provider. That of the same provider in the registry of another product will do."""
        if not self.schemas:
            return None
        known = read_known_schemas(self.schemas)
        exact = known.get(str(source))
        same = (schema for name, schema in known.items() if name.partition("/")[2] == str(source).partition("/")[2])
        return next(same, None) if exact is None else exact

    def check(self) -> None:
        """Read the files, so that a mistake in one is reported before anything runs. KnownValuesError or
        KnownSchemasError says what is wrong."""
        _ = self.known_values
        if self.schemas:
            read_known_schemas(self.schemas)


NO_FILES: Final = PermissiveFiles()
