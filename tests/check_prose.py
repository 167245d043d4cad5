"""`make check`: keep habits out of the prose that make it hard to read.

Checked are docstrings (attribute docstrings included), comments, and the help texts of the command line. String
literals are not checked otherwise, because many of them reproduce messages of Terraform and OpenTofu.

Run `python tests/check_prose.py` from the root of the repository; it prints file:line, the word and what to write
instead, and exits with 1 if it finds any.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["find_problems", "main"]

ROOT: Final = Path(__file__).parent.parent
FOLDERS: Final = (
    "shared_nodes",
    "legacy_engine",
    "new_engine",
    "harness",
    "reports",
    "tests",
    "benchmarks",
    "distribution",
)

_BETTER: Final = {
    "told": "reported, printed, recorded, named, passed",
    "tells": "reports, prints, says, shows",
    "telling": "reporting, printing, describing",
    "somebody": "a user, a caller, another process",
    "nobody": "no caller, nothing",
    "anybody": "any caller, anything",
    "whoever": "a caller that, code that",
    "lest": "so that ... not",
}
_WORD: Final = re.compile(rf"\b({'|'.join(_BETTER)})\b", re.IGNORECASE)
_GENERATED: Final = "_pb2.py"
_HELP: Final = ("help", "short_help", "epilog")


def find_problems(text: str) -> Iterator[tuple[int, str]]:
    """Yield line number and message for each problem in the source of a module."""
    for line, prose in _prose(text):
        if prose.startswith("Of "):
            yield line, 'a docstring must not begin with "Of": write a sentence that reads without the name'
        for number, part in enumerate(prose.split("\n")):
            for match in _WORD.finditer(part):
                yield line + number, f'"{match[1]}": write {_BETTER[match[1].lower()]}'


def _prose(text: str) -> Iterator[tuple[int, str]]:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value
        if isinstance(node, ast.keyword) and node.arg in _HELP:
            for part in ast.walk(node.value):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.lineno, part.value
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def main() -> int:
    files = [*ROOT.glob("*.py"), *(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))]
    found = [
        f"{file.relative_to(ROOT)}:{line}: {message}"
        for file in sorted(files)
        if not file.name.endswith(_GENERATED)
        for line, message in find_problems(file.read_text(encoding="utf-8"))
    ]
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
