"""Files of addresses, which `-target-file` and `-exclude-file` name: one address per line.

Lines that begin with `#` are comments. An empty line is no address, and so an error. Each line is read by itself, so
that one file can have several errors, each with its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shared_nodes.addresses.parse import Target, parse_target
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.parser import parse_traversal
from shared_nodes.lang.source import Position, Source
from shared_nodes.world import Files

__all__ = ["read_target_files"]


def read_target_files(
    names: Iterable[str], files: Files, flavour: Flavour
) -> tuple[tuple[Target, ...], list[Diagnostic]]:
    """Return the addresses in all files, and the problems of all of them."""
    targets: list[Target] = []
    problems: list[Diagnostic] = []
    for name in names:
        try:
            content = files.read_bytes(name)
        except IsADirectoryError:
            problems.append(error(f"read {name}: is a directory"))
            continue
        except OSError as failure:
            problems.append(error(f"open {name}: {(failure.strerror or str(failure)).lower()}"))
            continue
        for line in _address_lines(name, content):
            traversal, found = parse_traversal(line)
            if traversal is not None and not has_errors(found):
                target = parse_target(traversal, flavour)
                if isinstance(target, Diagnostic):
                    found = [*found, target]
                else:
                    targets.append(target)
            problems.extend(found)
    return tuple(targets), problems


def _address_lines(name: str, content: bytes) -> Iterator[Source]:
    """Yield each line that is not a comment, as a source that knows its place in the file."""
    start = 0
    for number, line in enumerate(content.removesuffix(b"\n").split(b"\n") if content else (), 1):
        if not line.strip().startswith(b"#"):
            yield Source(name, line.removesuffix(b"\r"), Position(number, 1, start), is_quotable=False)
        start += len(line) + 1
