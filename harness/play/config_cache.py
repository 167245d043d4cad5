"""Caches of modules within a run, and of syntax trees between the runs of a case.

Each step gets the same files, and reading them is a tenth of the work of a small case. The configuration in a plan file
is read from the plan file, so that what that has lost is lost; two plan files with the same configuration share it.
Engines never share a loaded configuration: what the first does to it must not help the second. They do share syntax
trees, which are immutable: everything derived from one is stored with the loaded configuration.
"""

from __future__ import annotations

from pathlib import Path

from shared_nodes.config.files import ParseFile, parse_file
from shared_nodes.config.loading import ReadDirectory, read_directory
from shared_nodes.config.module import Module
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.source import Source
from shared_nodes.lang.tree import Body
from shared_nodes.plan.file import SnapshotFiles
from shared_nodes.world import Files

__all__ = ["caching_parser", "caching_reader"]


def caching_parser() -> ParseFile:
    """Return a parser that remembers the syntax trees of all texts it has parsed: those of one case."""
    known: dict[tuple[object, ...], tuple[Body, list[Diagnostic]]] = {}

    def parse(source: Source, flavour: Flavour) -> tuple[Body, list[Diagnostic]]:
        key = (*source.identity, flavour.name)
        if key not in known:
            known[key] = parse_file(source, flavour)
        body, problems = known[key]
        return body, list(problems)

    return parse


def caching_reader(parse: ParseFile) -> ReadDirectory:
    known: dict[tuple[Path, str, frozenset[tuple[str, bytes]] | None], tuple[Module, list[Diagnostic]]] = {}

    def read(files: Files, directory: str, flavour: Flavour) -> tuple[Module, list[Diagnostic]]:
        saved = frozenset(files.contents.items()) if isinstance(files, SnapshotFiles) else None
        key = files.working_directory, directory, saved
        if key not in known:
            known[key] = read_directory(files, directory, flavour, parse)
        module, problems = known[key]
        return module, list(problems)

    return read
