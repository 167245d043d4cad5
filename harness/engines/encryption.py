"""The encryption that the configuration in a directory asks for."""

from __future__ import annotations

from shared_nodes.config.loading import ReadDirectory, read_directory
from shared_nodes.config.static_evaluation import StaticEvaluator, StaticInputs
from shared_nodes.encryption.encryption import NO_ENCRYPTION, Encryption, build_encryption
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.world import Files

__all__ = ["encryption_in"]


def encryption_in(
    files: Files, flavour: Flavour, inputs: StaticInputs, read: ReadDirectory = read_directory
) -> tuple[Encryption, list[Diagnostic]]:
    """Return how files are encrypted. Whatever else is wrong with the configuration is reported elsewhere."""
    if not flavour.files_can_be_encrypted:
        return NO_ENCRYPTION, []
    module, _ = read(files, ".", flavour)
    return build_encryption(module.encryption, StaticEvaluator.of_root(module, inputs))
