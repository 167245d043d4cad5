"""The encryption that the configuration in a directory asks for."""

from __future__ import annotations

from shared_nodes.config.blocks.encryption import override_encryption
from shared_nodes.config.environment import encryption_in_environment
from shared_nodes.config.loading import ReadDirectory, read_directory, read_root
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.encryption.encryption import NO_ENCRYPTION, Encryption, build_encryption
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.world import Files, World

__all__ = ["encryption_in", "is_encryption_wanted"]


def is_encryption_wanted(world: World, flavour: Flavour, read: ReadDirectory = read_directory) -> bool:
    """Return whether the root module or the environment asks for encryption. This is cheap, and the answer is usually
    no: then the values of variables need not be gathered."""
    if not flavour.files_can_be_encrypted:
        return False
    settings, problems = encryption_in_environment(world.environment)
    return settings is not None or bool(problems) or read(world.files, ".", flavour)[0].encryption is not None


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
