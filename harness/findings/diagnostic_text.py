"""Diagnostics of an observation as text, in the form in which the product prints them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from harness.observe.json_trees import as_object, as_objects
from shared_nodes.lang.diagnostics_view import context_at
from shared_nodes.lang.source import Source
from shared_nodes.values.json import Tree, dumps

__all__ = ["diagnostic_texts", "error_texts", "files_of_step"]


def diagnostic_texts(observation: Mapping[str, Tree], files: Mapping[str, str]) -> list[str]:
    """Return the text of each diagnostic. `files` are those of the configuration: the line that is blamed is quoted
    from them."""
    return ["\n".join(_diagnostic(each, files)) for each in as_objects(observation.get("diagnostics"))]


def files_of_step(observation: Mapping[str, Tree], files: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a case by their names within the configuration of a step, as diagnostics name them."""
    config = observation.get("config")
    start = f"{posixpath.normpath(config)}/" if isinstance(config, str) and config else ""
    return {name.removeprefix(start): text for name, text in files.items()}


def error_texts(observation: Mapping[str, Tree], files: Mapping[str, str]) -> list[str]:
    """Return the texts of errors alone."""
    found = as_objects(observation.get("diagnostics"))
    errors: list[Tree] = [dict(each) for each in found if each.get("severity") == "error"]
    return diagnostic_texts({"diagnostics": errors}, files)


def _diagnostic(found: Mapping[str, Tree], files: Mapping[str, str]) -> Iterator[str]:
    yield f"{str(found.get('severity', 'error')).capitalize()}: {found.get('summary')}"
    place = as_object(found.get("range"))
    if place:
        yield ""
        yield from _excerpt(place, files)
    elif found.get("address"):
        yield ""
        yield f"  with {found['address']}"
    if found.get("detail"):
        yield ""
        yield str(found["detail"])


def _excerpt(place: Mapping[str, Tree], files: Mapping[str, str]) -> Iterator[str]:
    name, start = str(place.get("filename")), as_object(place.get("start"))
    line, column = dumps(start.get("line")), dumps(start.get("column"))
    lines = files.get(name, "").split("\n")
    if name not in files or not line.isdecimal() or not 0 < int(line) <= len(lines):
        yield f"  on {name} line {line}:"
        return
    context = context_at(Source(name, files[name]), int(line), int(column)) if column.isdecimal() else None
    yield f"  on {name} line {line}{f', in {context}' if context else ''}:"
    yield f"{line:>4}: {lines[int(line) - 1]}"
