"""Diagnostics of an observation as text, in the form in which the product prints them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from harness.observe.json_trees import as_object, as_objects
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
        name, line = str(place.get("filename")), dumps(as_object(place.get("start")).get("line"))
        yield ""
        yield f"  on {name} line {line}:"
        lines = files.get(name, "").split("\n")
        if line.isdecimal() and 0 < int(line) <= len(lines) and name in files:
            yield f"  {line:>2}: {lines[int(line) - 1]}"
    elif found.get("address"):
        yield ""
        yield f"  with {found['address']}"
    if found.get("detail"):
        yield ""
        yield str(found["detail"])
