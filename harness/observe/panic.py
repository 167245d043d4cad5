"""What a program written in Go prints when it crashes, reduced to what is the same in every run: the message of the
panic, and the first function of the engine's own code on the stack.

Memory addresses and the numbers of goroutines are others each time, so they are masked. Nothing here runs a program,
and nothing of the harness can get into the result: it is made from the text alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final

from shared_nodes.record import record
from shared_nodes.values.json import Tree

__all__ = ["Panic", "crash_of", "masked_panic", "read_panic"]

_MESSAGE: Final = re.compile(r"^\s*((?:panic|fatal error): ?.*)$")
_BANNER: Final = re.compile(r"^!{5,} [A-Z]+ CRASH !{5,}$")
_GOROUTINE: Final = re.compile(r"^goroutine \d+ .*\[[^\]]*\]:$")
_OWN: Final = ("github.com/opentofu/opentofu/", "github.com/hashicorp/terraform/", "main.")
"""What functions of the engines' own packages begin with. Their libraries are elsewhere."""

_PANICKING: Final = ("panic", "runtime.gopanic")
_OVERFLOW: Final = "stack overflow"

_HEXADECIMAL: Final = re.compile(r"\b0x[0-9a-f]+\b", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"\bgoroutine \d+")
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_KEY: Final = r'(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?'
_OBJECT: Final = re.compile(rf"\b(?:module\.[\w-]+{_KEY}\.)*(?:(?:data|ephemeral)\.)?[a-z0-9]+_\w+\.[\w-]+{_KEY}")
"""The address of a resource instance. Types of resources have an underscore."""

_MODULE: Final = re.compile(rf"\bmodule\.[\w-]+{_KEY}(?:\.module\.[\w-]+{_KEY})*")
_DIGITS: Final = re.compile(r"\d+")


@record
class Panic:
    message: str
    """Readable, with memory addresses masked: "panic: operation 6 depends on its own result"."""

    frame: str
    """The function, without arguments: "github.com/opentofu/opentofu/internal/lang/exprs.Evaluate"; empty if the stack
    shows none."""


def read_panic(errors: str) -> Panic | None:
    """Read what a program wrote to its standard error stream. Return None if it does not tell of a crash."""
    lines = errors.splitlines()
    start = next((index for index, line in enumerate(lines) if _MESSAGE.match(line)), None)
    if start is not None:
        message = lines[start].strip()
    else:
        start, message = _read_banner(lines)
    if not message:
        return None
    return Panic(
        _without_addresses(message), _own_frame(list(_frames(lines[start:])), is_overflow=_OVERFLOW in message)
    )


def _read_banner(lines: Sequence[str]) -> tuple[int, str]:
    """Return the message that stands between the engine's own apology and the stack. It has no "panic: " there."""
    banners = [index for index, line in enumerate(lines) if _BANNER.match(line.strip())]
    if not banners:
        return 0, ""
    start = banners[-1] + 1
    said = list(takewhile(lambda line: not _GOROUTINE.match(line), lines[start:]))
    beginnings = [line for before, line in pairwise(["", *said]) if line.strip() and not before.strip()]
    return start, f"panic: {beginnings[-1].strip()}" if beginnings else ""


def _frames(lines: Sequence[str]) -> Iterator[str]:
    """Return the functions on the first stack, innermost first."""
    begins = next((index for index, line in enumerate(lines) if _GOROUTINE.match(line)), len(lines))
    for line in takewhile(str.strip, lines[begins + 1 :]):
        if not line[0].isspace() and "(" in line and not line.startswith("created by "):
            yield line[: line.rindex("(")]


def _own_frame(frames: Sequence[str], *, is_overflow: bool) -> str:
    """Return the innermost function of the engine's own below the panic. Functions above it handle the panic.

    A recursion without end can be interrupted in any of the functions that call each other: it is named after the first
    of them in the order of the alphabet.
    """
    panics = [index for index, name in enumerate(frames) if name in _PANICKING]
    own = [name for name in frames[panics[-1] + 1 if panics else 0 :] if name.startswith(_OWN)]
    if is_overflow:
        repeated = [name for name, count in Counter(own).items() if count > 1]
        return min(repeated or own, default="")
    return own[0] if own else ""


def _without_addresses(text: str) -> str:
    return _NUMBERED.sub("goroutine ?", _HEXADECIMAL.sub("0x?", text))


def masked_panic(text: str) -> str:
    """Return the message without everything that depends on the configuration: numbers, names in quotes, addresses of
    objects. Two crashes for the same reason have the same masked message."""
    text = _MODULE.sub("ADDRESS", _OBJECT.sub("ADDRESS", text))
    return _DIGITS.sub("?", _QUOTED.sub('"?"', _without_addresses(text)))


def crash_of(errors: str, ending: str) -> dict[str, Tree]:
    """Return a crash in the form of a recording: `panic` and `frame`. `ending` says how the program ended, and is all
    there is to say where it printed no panic: some of what it printed then may be another each time."""
    found = read_panic(errors) or Panic(ending, "")
    return {"panic": found.message, "frame": found.frame}
