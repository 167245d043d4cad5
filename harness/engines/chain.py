"""Chains of engines: each continues the state that the one before it has left.

    legacy>new>legacy    step 1 by legacy, step 2 by new, step 3 and every later one by legacy
    legacy+new>new       step 1 planned by legacy and applied by new, every later one by new

A chain takes the place of an engine in a run, under the name that says what it consists of. A name is that of a chain
exactly if it contains `>`: a chain of a single link is written as two equal ones.
"""

from __future__ import annotations

from typing import Final

from harness.engines.registry import EngineNotFoundError
from shared_nodes.record import record

__all__ = ["Chain", "Link", "chain_named", "engines_of", "is_chain", "parse_chain"]

_NEXT: Final = ">"
_OTHER_NEXT: Final = ","
_HANDS_PLAN: Final = "+"


@record
class Link:
    """The engines of one step. Usually both are the same."""

    planner: str
    applier: str

    def __str__(self) -> str:
        return self.planner if self.planner == self.applier else f"{self.planner}{_HANDS_PLAN}{self.applier}"


@record
class Chain:
    links: tuple[Link, ...]
    """One for each step; the last is also for every step after it."""

    def __str__(self) -> str:
        return _NEXT.join(map(str, self.links if len(self.links) > 1 else self.links * 2))

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines that take part, each once."""
        return tuple(dict.fromkeys(name for link in self.links for name in (link.planner, link.applier)))

    def link_of(self, number: int) -> Link:
        """Return the engines of a step, counted from 0."""
        return self.links[min(number, len(self.links) - 1)]


def is_chain(name: str) -> bool:
    return _NEXT in name


def engines_of(name: str) -> tuple[str, ...]:
    """Return the engines of a chain, or the engine of this name alone."""
    return chain_named(name).engines if is_chain(name) else (name,)


def chain_named(name: str) -> Chain:
    return parse_chain(name, _NEXT)


def parse_chain(text: str, separators: str = _NEXT + _OTHER_NEXT) -> Chain:
    """Read a chain as people write it: `A>B>A`, or `A,B,A` where a shell would need quotes. EngineNotFoundError says
    what is wrong with the text; whether there are such engines is not looked at."""
    for separator in separators[1:]:
        text = text.replace(separator, separators[0])
    links = tuple(_read_link(part, text) for part in text.split(separators[0]))
    chain = Chain(links)
    if len(links) == 1 and len(chain.engines) == 1:
        raise EngineNotFoundError(f"{text} is one engine; a chain names several, such as {text}>new>{text}")
    return chain


def _read_link(part: str, text: str) -> Link:
    names = [name.strip() for name in part.split(_HANDS_PLAN)]
    if not all(names):
        raise EngineNotFoundError(
            f"{text}: a name is missing; a chain is written A>B>A, or A+B where B applies A's plan"
        )
    if len(names) > 2:
        raise EngineNotFoundError(f"{text}: {part.strip()} has more than one engine that plans and one that applies")
    return Link(names[0], names[-1])
