"""Rows of the pair table: all combinations of changes to an object and to the objects that depend on it.

A row is a chain of two or three objects. Rows with the same kind of dependency share one configuration, so the
comparison also shows that one row does not order another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Final

__all__ = ["CHAINED", "DEPENDENCIES", "SITUATIONS", "Dependency", "Row", "Situation", "chains", "pairs", "text"]


@dataclass(frozen=True, slots=True)
class Block:
    """A resource block in one version of the configuration. A changed `input` is an update in place, and a
    changed `trigger` a replacement."""

    input: int = 1
    trigger: int = 1
    repetition: str = ""
    creates_first: bool = False
    condition: bool = False

    def text(self, name: str, depends_on: str | None) -> str:
        lines = [f"input = {self.input}", f"triggers_replace = {self.trigger}", self.repetition]
        lines += [] if depends_on is None else [f"depends_on = [terraform_data.{depends_on}]"]
        lines += _PROVISIONERS.format(name=name).splitlines()
        lines += ["lifecycle {", f"create_before_destroy = {str(self.creates_first).lower()}"]
        lines += [_CONDITION] if self.condition else []
        return "\n".join([f'resource "terraform_data" "{name}" {{', *lines, "}", "}"])


_PROVISIONERS: Final = """\
provisioner "local-exec" {{
  command = "made {name}"
}}
provisioner "local-exec" {{
  command = "gone {name}"
  when    = destroy
}}
"""
_CONDITION: Final = 'postcondition {\ncondition = self.id != ""\nerror_message = "Never."\n}'
_FORGET: Final = "removed {{\nfrom = terraform_data.{name}\nlifecycle {{\ndestroy = false\n}}\n}}"
_MOVED: Final = 'moved {{\nfrom = terraform_data.{name}["x"]\nto = terraform_data.{name}["y"]\n}}'
_ONE: Final = "count = 1"
_NONE: Final = "count = 0"
_TWO: Final = "count = 2"


@dataclass(frozen=True, slots=True)
class Situation:
    """The change of one object from one version to the next.

    `extra_block` is added to the new version. `deposed` and `tainted` are the status of the object in the prior state.
    """

    before: Block | None
    after: Block | None
    extra_block: str = ""
    deposed: bool = False
    tainted: bool = False

    def block(self, *, is_after: bool) -> Block | None:
        return self.after if is_after else self.before


SITUATIONS: Final[Mapping[str, Situation]] = {
    "create": Situation(None, Block()),
    "create_instance": Situation(Block(repetition=_NONE), Block(repetition=_ONE)),
    "create_cbd": Situation(None, Block(creates_first=True)),
    "update": Situation(Block(), Block(input=2)),
    "update_cbd": Situation(Block(creates_first=True), Block(input=2, creates_first=True)),
    "delete": Situation(Block(), None),
    "delete_instance": Situation(Block(repetition=_ONE), Block(repetition=_NONE)),
    "delete_cbd": Situation(Block(creates_first=True), None),
    "delete_instance_cbd": Situation(
        Block(repetition=_ONE, creates_first=True), Block(repetition=_NONE, creates_first=True)
    ),
    "replace": Situation(Block(), Block(trigger=2)),
    "replace_cbd": Situation(Block(creates_first=True), Block(trigger=2, creates_first=True)),
    "replace_gains_cbd": Situation(Block(), Block(trigger=2, creates_first=True)),
    "replace_loses_cbd": Situation(Block(creates_first=True), Block(trigger=2)),
    "no_op": Situation(Block(), Block()),
    "no_op_cbd": Situation(Block(creates_first=True), Block(creates_first=True)),
    "no_op_gains_cbd": Situation(Block(), Block(creates_first=True)),
    "no_op_condition": Situation(Block(), Block(condition=True)),
    "no_op_condition_cbd": Situation(Block(), Block(condition=True, creates_first=True)),
    "forget": Situation(Block(), None, extra_block=_FORGET),
    "forget_cbd": Situation(Block(creates_first=True), None, extra_block=_FORGET),
    "tainted": Situation(Block(), Block(), tainted=True),
    "tainted_cbd": Situation(Block(), Block(creates_first=True), tainted=True),
    "deposed": Situation(Block(), Block(), deposed=True),
    "deposed_update": Situation(Block(), Block(input=2), deposed=True),
    "deposed_delete": Situation(Block(), None, deposed=True),
    "deposed_replace_cbd": Situation(Block(), Block(trigger=2, creates_first=True), deposed=True),
    "deposed_forget": Situation(Block(), None, extra_block=_FORGET, deposed=True),
    "scale_in": Situation(Block(repetition=_TWO), Block(input=2, repetition=_ONE)),
    "scale_out": Situation(Block(repetition=_ONE), Block(input=2, repetition=_TWO)),
    "keys_renamed": Situation(
        Block(repetition='for_each = toset(["x", "y"])'), Block(repetition='for_each = toset(["y", "z"])')
    ),
    "moved_and_updated": Situation(
        Block(repetition='for_each = toset(["x"])'),
        Block(input=2, repetition='for_each = toset(["y"])'),
        extra_block=_MOVED,
    ),
}

CHAINED: Final = (
    "update",
    "delete",
    "replace",
    "replace_cbd",
    "replace_gains_cbd",
    "no_op",
    "no_op_gains_cbd",
)
"""The situations that are combined in chains of three: they propagate create_before_destroy, or end its propagation."""


@dataclass(frozen=True, slots=True)
class Dependency:
    """The dependency between neighbours of a row in each version.

    True: each object depends on the one before it. False: the other direction. None: no dependency.
    """

    before: bool | None
    after: bool | None


DEPENDENCIES: Final[Mapping[str, Dependency]] = {
    "in_both_versions": Dependency(True, True),
    "recorded_only": Dependency(True, None),
    "configured_only": Dependency(None, True),
    "reversed": Dependency(True, False),
    "none": Dependency(None, None),
}


@dataclass(frozen=True, slots=True)
class Row:
    dependency: Dependency
    kinds: tuple[str, ...]

    @property
    def objects(self) -> dict[str, Situation]:
        """Return the situations by resource name. The name contains the whole row."""
        row = "_".join(self.kinds)
        return {f"{place}_{row}": SITUATIONS[kind] for place, kind in zip("abc", self.kinds, strict=False)}

    @property
    def is_possible(self) -> bool:
        """Return whether every block that a dependency needs exists."""
        situations = self.objects.values()
        return (self.dependency.before is None or all(each.before for each in situations)) and (
            self.dependency.after is None or all(each.after for each in situations)
        )


def pairs(dependency: str, first: str) -> list[Row]:
    """Return all pairs that start with this situation.

    Without a dependency one row with the same situation twice is enough to show that nothing orders the two, because
    rows in one configuration must not order each other either.
    """
    if dependency == "none":
        return [Row(DEPENDENCIES[dependency], (first, first))]
    found = [Row(DEPENDENCIES[dependency], (first, second)) for second in SITUATIONS]
    return [row for row in found if row.is_possible]


def chains(first: str) -> list[Row]:
    """Return all chains of three that start with this situation, in which each object depends on the one before it, in
    both versions, if both blocks exist."""
    return [Row(DEPENDENCIES["in_both_versions"], (first, *others)) for others in product(CHAINED, repeat=2)]


def text(rows: Iterable[Row], *, is_after: bool) -> str:
    """Return the configuration of one version."""
    return "\n".join(part for row in rows for part in _parts(row, is_after=is_after))


def _parts(row: Row, *, is_after: bool) -> Iterator[str]:
    wanted = dict(_dependencies(row, is_after=is_after))
    for name, situation in row.objects.items():
        block = situation.block(is_after=is_after)
        if block is not None:
            yield block.text(name, wanted.get(name))
        if is_after and situation.extra_block:
            yield situation.extra_block.format(name=name)


def _dependencies(row: Row, *, is_after: bool) -> Iterator[tuple[str, str]]:
    depends = row.dependency.after if is_after else row.dependency.before
    objects: Sequence[tuple[str, Situation]] = list(row.objects.items())
    for (one, first), (other, second) in pairwise(objects):
        if depends is not None and first.block(is_after=is_after) and second.block(is_after=is_after):
            yield (other, one) if depends else (one, other)
