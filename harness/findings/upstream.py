"""What the project of a candidate says about it: the flags of its own tests, and what became of the unexplained ones.

A file `upstream.yaml` beside the cases has

    project: OpenTofu
    build: 1.13.0-dev, commit 67b7b484cd     # what was recorded
    recorded: November 2026
    flags:
      - {id: FeatureMoved, class: missing, what: Moved blocks are ignored.}
      - {id: FeatureCBD, class: missing, done: true, what: create_before_destroy.}
    unknown_tests:                           # tests that the project itself has no explanation for
      - test: TestContext2Apply_countTainted
        outcome: fails                       # passes, fails, or artefact: it fails for a reason of the test itself
        causes: [FeatureTaint]               # ids of flags, of entries of known.yaml, or of discoveries
        story: scenarios/provisioners/create-failure-taints
      - {test: TestContext2Apply_issue7824, outcome: passes, causes: [], story: none, reason: Both do the same.}

An entry of known.yaml with the id of a flag is the cause that the flag is about.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import yaml

from harness.case.yaml_fields import CaseError, Fields, compose_bounded, line_of
from harness.findings.known_divergences import DivergenceClass
from shared_nodes.record import record
from shared_nodes.world import Files

__all__ = ["OUTCOMES", "Flag", "UnknownTest", "Upstream", "UpstreamError", "read_upstream"]

UNEXPLAINED: Final = "unknown"
"""The class of a flag that says only that a test fails."""

OUTCOMES: Final = ("passes", "fails", "artefact")
_LONGEST: Final = 1_000_000
"""Limit of the file in bytes."""

_NO_STORY: Final = "none"

_Item = TypeVar("_Item")


class UpstreamError(Exception):
    """The file cannot be used as written. The message names file, line and key."""


@record
class Flag:
    identifier: str
    category: str
    """The class of its cause, or `unknown`."""

    what: str
    is_done: bool = False
    """Whether the project counts it as done, so that tests with it are run."""

    @property
    def is_explained(self) -> bool:
        return self.category != UNEXPLAINED


@record
class UnknownTest:
    name: str
    outcome: str
    """One of `OUTCOMES`."""

    causes: tuple[str, ...]
    story: str
    """The case that shows the causes, as `area/name`; empty if there is none."""

    reason: str = ""
    """Why there is no story."""


@record
class Upstream:
    project: str
    build: str
    recorded: str
    flags: tuple[Flag, ...]
    unknown_tests: tuple[UnknownTest, ...]


def read_upstream(file: Path) -> Upstream:
    try:
        root = compose_bounded(Files(file.parent).read_bytes(file.name, _LONGEST).decode("utf-8"))
        if root is None:
            raise UpstreamError(f"{file}: is empty")
        return _read(file, root)
    except CaseError as problem:
        raise UpstreamError(str(problem)) from problem
    except (OSError, UnicodeDecodeError) as problem:
        raise UpstreamError(f"{file}: cannot be read: {problem}") from problem
    except yaml.YAMLError as problem:
        raise UpstreamError(f"{file}: not YAML: {problem}") from problem


def _read(file: Path, root: yaml.Node) -> Upstream:
    fields = Fields(file, root, "the file")
    upstream = Upstream(
        fields.take("project", fields.text),
        fields.take("build", fields.text),
        fields.take("recorded", fields.text),
        fields.take("flags", lambda key, node: _items(file, key, node, _flag)),
        fields.take("unknown_tests", lambda key, node: _items(file, key, node, _test), ()),
    )
    fields.finish()
    return upstream


def _items(file: Path, key: str, node: yaml.Node, read: Callable[[Fields], _Item]) -> tuple[_Item, ...]:
    if not isinstance(node, yaml.SequenceNode):
        raise CaseError(f"{file}:{line_of(node)}: {key}: must be a list")
    found = []
    for number, each in enumerate(node.value, 1):
        fields = Fields(file, each, f"entry {number} of {key}")
        found.append(read(fields))
        fields.finish()
    return tuple(found)


def _flag(fields: Fields) -> Flag:
    return Flag(
        fields.take("id", fields.text),
        fields.take("class", fields.one_of([*DivergenceClass, UNEXPLAINED])),
        fields.take("what", fields.text),
        fields.take("done", fields.boolean, False),
    )


def _test(fields: Fields) -> UnknownTest:
    story = fields.take("story", fields.text)
    is_shown = story != _NO_STORY
    return UnknownTest(
        fields.take("test", fields.text),
        fields.take("outcome", fields.one_of(OUTCOMES)),
        fields.take("causes", fields.texts),
        "/".join(story.split("/")[-2:]) if is_shown else "",
        fields.take("reason", fields.text, *([""] if is_shown else [])),
    )
