"""Where the state of a configuration is."""

from __future__ import annotations

from typing import Final

from shared_nodes.config.backend import local_state_file
from shared_nodes.config.loading import ReadDirectory, read_directory, read_root
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import has_errors
from shared_nodes.world import Files

__all__ = ["STATE_FILE", "state_place"]

STATE_FILE: Final = "terraform.tfstate"


def state_place(files: Files, flavour: Flavour, inputs: StaticInputs, read: ReadDirectory = read_directory) -> str:
    """Return the path of the state file: the one that the local backend of the root module names, or else the usual
    one. Other backends, and mistakes, are reported by what is done with the configuration."""
    if read(files, ".", flavour)[0].backend is None:
        return STATE_FILE
    evaluator, problems = read_root(files, flavour, inputs, read)
    return STATE_FILE if has_errors(problems) else local_state_file(evaluator) or STATE_FILE
