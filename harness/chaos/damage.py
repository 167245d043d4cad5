"""Ways to damage a file of lines, such as a journal."""

from __future__ import annotations

from random import Random

__all__ = ["damaged"]


def damaged(content: bytes, random: Random) -> bytes:
    """Return the content with one damage."""
    lines = content.splitlines(keepends=True)
    position = random.randrange(len(content))
    chosen = random.randrange(len(lines))
    match random.randrange(9):
        case 0:
            return content[:position]
        case 1 | 2:
            return content[:position] + bytes([content[position] ^ 1 << random.randrange(8)]) + content[position + 1 :]
        case 3:
            return b"".join(lines[:chosen] + lines[chosen + 1 :])
        case 4:
            return b"".join([*lines, lines[chosen]])
        case 5:
            return b"".join([*lines[chosen:], *lines[:chosen]])
        case 6:
            return content + b"\0" * 100
        case 7:
            return content.replace(b"\n", b"\r\n")
        case _:
            return content + b'{"foreign":1}\n'
