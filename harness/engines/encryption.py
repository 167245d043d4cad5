"""The encryption that the configuration in a directory asks for."""

from __future__ import annotations

from shared_nodes.config.blocks.encryption import override_encryption
from shared_nodes.config.environment import encryption_in_environment
from shared_nodes.config.loading import ReadDirectory, read_directory, read_root
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.encryption.encryption import NO_ENCRYPTION, Encryption, build_encryption
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.world import Files

__all__ = ["encryption_in"]


def encryption_in(
    files: Files, flavour: Flavour, inputs: StaticInputs, read: ReadDirectory = read_directory
) -> tuple[Encryption, list[Diagnostic]]:
    """Return how files are encrypted, according to the root module and the environment. Errors of the root module that
    are found before are returned instead."""
    if not flavour.files_can_be_encrypted:
        return NO_ENCRYPTION, []
    evaluator, problems = read_root(files, flavour, inputs, read)
    if has_errors(problems):
        return NO_ENCRYPTION, problems
    settings, problems = encryption_in_environment(inputs.world.environment)
    if has_errors(problems):
        return NO_ENCRYPTION, problems
    declared = evaluator.module.encryption
    return build_encryption(declared if settings is None else override_encryption(declared, settings), evaluator)
