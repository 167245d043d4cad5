"""File name patterns as OpenTofu 1.12.6 understands them: which files each pattern finds, and which is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.functions import files
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import FunctionError
from shared_nodes.values.value import string
from shared_nodes.world import Files, World

NAMES = [
    "a/1.txt",
    "a/2.txt",
    "b/1.txt",
    "b/c/3.txt",
    ".h/y.txt",
    "st*r.txt",
    "cur{ly}.txt",
    "é.txt",
    "éa.txt",
    "z.txt",
    "c-x",
]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("tree")
    for name in NAMES:
        (top / "d" / name).parent.mkdir(parents=True, exist_ok=True)
        (top / "d" / name).touch()
    (top / "d" / "link.txt").symlink_to("z.txt")
    (top / "d" / "b" / "link").symlink_to("../a")
    (top / "e").mkdir()
    (top / "e" / "broken").symlink_to("nowhere")
    return top


def find(tree: Path, path: str, pattern: str) -> list[str]:
    context = FunctionContext(World(Files(tree)), OPENTOFU_1_12)
    fileset = next(function for function in files.functions(context) if function.name == "fileset")
    return [element.payload for element in fileset.call([string(path), string(pattern)]).payload]


FOUND = [
    ("*", ["c-x", "cur{ly}.txt", "link.txt", "st*r.txt", "z.txt", "é.txt", "éa.txt"]),
    ("**/1.txt", ["a/1.txt", "b/1.txt", "b/link/1.txt"]),
    ("b/**", ["b/1.txt", "b/c/3.txt", "b/link/1.txt", "b/link/2.txt"]),
    ("**/c/*", ["b/c/3.txt"]),
    ("a/**.txt", ["a/1.txt", "a/2.txt"]),
    ("{a,b/c}/*.txt", ["a/1.txt", "a/2.txt", "b/c/3.txt"]),
    ("{{a,b},x}/1*", ["a/1.txt", "b/1.txt"]),
    ("{a,b}{/1.txt,/c/3.txt}", ["a/1.txt", "b/1.txt", "b/c/3.txt"]),
    ("{,a/}1.txt", ["a/1.txt"]),
    ("{a/,}z.txt", []),
    ("{}", []),
    ("{z,nope}.txt", ["z.txt"]),
    ("?.txt", ["z.txt", "é.txt"]),
    ("*a.txt", ["éa.txt"]),
    ("[!z].txt", ["é.txt"]),
    ("[^z].txt", ["é.txt"]),
    ("[z-a].txt", ["z.txt"]),
    ("c[-]x", ["c-x"]),
    ("c[a-]x", ["c-x"]),
    ("c[+--]x", ["c-x"]),
    ("st\\*r.txt", ["st*r.txt"]),
    ("cur\\{ly\\}.txt", ["cur{ly}.txt"]),
    ("*[{]*", ["cur{ly}.txt"]),
    (".h/*", [".h/y.txt"]),
    ("*/../z.txt", ["z.txt"]),
    ("a//1.txt", ["a/1.txt"]),
    ("nope/*", []),
]


@pytest.mark.parametrize(("pattern", "names"), FOUND)
def test_files_found(tree: Path, pattern: str, names: list[str]) -> None:
    assert find(tree, "d", pattern) == names


@pytest.mark.parametrize("pattern", ["[", "[]", "[a", "{a", "a}", "a\\", "*[", "nope/["])
def test_a_malformed_pattern_is_refused_wherever_the_mistake_is(tree: Path, pattern: str) -> None:
    with pytest.raises(FunctionError, match=r"syntax error in pattern$"):
        find(tree, "d", pattern)


def test_a_broken_link_fails_unless_it_is_named(tree: Path) -> None:
    assert find(tree, "e", "broken") == []
    assert find(tree, "e", "{broken,x}") == []
    for pattern in ("*", "**", "bro*"):
        with pytest.raises(
            FunctionError, match=r'failed to stat "e/broken": stat e/broken: no such file or directory$'
        ):
            find(tree, "e", pattern)


def test_alternatives_cannot_be_multiplied_without_end(tree: Path) -> None:
    with pytest.raises(FunctionError, match=r"too many alternatives$"):
        find(tree, "d", "{a,b}" * 20)
