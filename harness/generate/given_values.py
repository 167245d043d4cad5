"""Values that the user gives to variables of generated stories: those of generated root modules that have such a name,
and those that a prelude declares, whose values no story could know."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Final

from harness.case.prelude import PRELUDE_FILE, Prelude
from harness.case.variable_values import values_for_module
from harness.generate.story import GeneratedStory
from shared_nodes.config.loading import read_directory
from shared_nodes.flavour import FLAVOURS
from shared_nodes.record import record
from shared_nodes.values.json import dumps
from shared_nodes.world import DirectoryEntry, Files

__all__ = ["with_given_values"]

_DECLARES: Final = re.compile(r"\brequired_providers\b")


@record
class _TextFiles(Files):
    """Files in memory."""

    texts: Mapping[str, str] = field(default_factory=dict)

    def read_bytes(self, path: str, limit: int = 0) -> bytes:  # noqa: ARG002
        return self.texts[posixpath.normpath(path)].encode("utf-8", "surrogatepass")

    def list_directory(self, path: str) -> list[DirectoryEntry]:  # noqa: ARG002
        return sorted(DirectoryEntry(name, False, False) for name in self.texts if "/" not in name)


def with_given_values(
    story: GeneratedStory, values: Sequence[tuple[str, str]], prelude: Prelude | None = None
) -> GeneratedStory:
    """Return the story with these values in each step whose root module declares them. CaseError says what is wrong
    with one."""
    if not values:
        return story
    given = {name: _values_of(files, story.flavour, values, prelude) for name, files in story.versions.items()}
    steps = tuple(
        replace(step, variables=_merged(step.variables, given[step.config])) if given.get(step.config) else step
        for step in story.steps
    )
    return replace(story, steps=steps)


def _values_of(
    files: Mapping[str, str], flavour: str, values: Sequence[tuple[str, str]], prelude: Prelude | None
) -> Mapping[str, object]:
    texts = dict(files)
    if prelude is not None and not any(_DECLARES.search(text) for name, text in texts.items() if "/" not in name):
        texts[PRELUDE_FILE] = prelude.text
    module, _ = read_directory(_TextFiles(Path("/"), texts=texts), ".", FLAVOURS[flavour])
    return json.loads(dumps({**values_for_module(module, values)}))  # type: ignore[no-any-return]


def _merged(variables: str | None, values: Mapping[str, object]) -> str:
    present = {} if variables is None else json.loads(variables)
    return json.dumps({**present, **values}, ensure_ascii=False)
