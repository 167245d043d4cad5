"""Path and file functions, compared with answers recorded from Terraform 1.11.4.

Covered: how paths are cleaned as text, how errors name each kind of entry on disk, what a sensitive path hides, which
names a pattern finds (accidents of the original's matcher included), and that nothing outside a confined directory is
read.
"""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import pytest

from shared_nodes.functions import files
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import ArgumentError, Function, FunctionError
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import BOOL, STRING, SetType
from shared_nodes.values.value import FALSE, TRUE, Value, string, unknown
from shared_nodes.world import Files, World

NO_FILE = (
    "no file exists at {}; this function works only with files that are distributed as part of the configuration source"
    " code, so if this file will be created by a resource in this configuration you must instead obtain this result"
    " from an attribute of that resource"
)
NOT_TEXT = (
    "contents of {} are not valid UTF-8; use the filebase64 function to obtain the Base64 encoded contents or the other"
    " file functions (e.g. filemd5, filesha256) to obtain file hashing results instead"
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory `d` with names that are awkward in patterns, links of every kind, and entries that are not files."""
    top = tmp_path_factory.mktemp("tree")
    base = top / "d"
    for directory in ("sub/deep", ".dot", "empty", "br[x]", "loop/in"):
        (base / directory).mkdir(parents=True)
    for name, content in (
        ("a.txt", "a"),
        ("b.md", "b"),
        ("sub/c.txt", "c"),
        ("sub/deep/d.txt", "d"),
        (".dot/e.txt", "e"),
    ):
        (base / name).write_text(content)
    for name in AWKWARD_NAMES:
        (base / name).write_text("\n")
    (base / "bad.bin").write_bytes(b"\xff\xfe")
    (base / "nfd.txt").write_text("e\u0301")
    (base / os.fsdecode(b"n\xff.bin")).write_text("")
    for link, target in (
        ("lnk.txt", "a.txt"),
        ("lsub", "sub"),
        ("broken", "nowhere"),
        ("loop/self", "."),
        ("ring", "ring"),
    ):
        (base / link).symlink_to(target)
    os.mkfifo(base / "pipe")
    return top


AWKWARD_NAMES = (
    ".hid", "éab", "éa.txt", "aé.txt", "é.txt", "sp ace", "star*", "q?x", "back\\slash", "[br].txt", "br[x]/in.txt",
    "{a,b}", "x-y", "^c", "comma,", "loop/f.txt", "nl\nx",
)  # fmt: skip


def call(directory: Path, name: str, *arguments: str | Value) -> Value:
    world = World(Files(directory, home=Path("/home/someone")))
    return run(world, name, *arguments)


def run(world: World, name: str, *arguments: str | Value) -> Value:
    table: dict[str, Function] = {function.name: function for function in files.functions(FunctionContext(world))}
    return table[name].call([a if isinstance(a, Value) else string(a) for a in arguments])


def sensitive(text: str) -> Value:
    return string(text).mark(SENSITIVE)


@pytest.mark.parametrize(
    ("name", "path", "expected"),
    [
        ("basename", "/", "/"),
        ("basename", "//", "/"),
        ("basename", "a/..", ".."),
        ("basename", "a/.", "."),
        ("basename", "..", ".."),
        ("basename", ".", "."),
        ("basename", "/a/b///", "b"),
        ("basename", "a\x00b/c", "c"),
        ("basename", "~/x", "x"),
        ("dirname", "", "."),
        ("dirname", ".", "."),
        ("dirname", "..", "."),
        ("dirname", "//a//b", "/a"),
        ("dirname", "a/b/../c", "a"),
        ("dirname", "a/../b", "."),
        ("dirname", "../a", ".."),
        ("dirname", "../../a/", "../../a"),
        ("dirname", "/..", "/"),
        ("dirname", "/../a", "/"),
        ("dirname", "a//", "a"),
        ("dirname", "///", "/"),
        ("dirname", "./", "."),
        ("abspath", "", "/work/dir"),
        ("abspath", "a//./b/", "/work/dir/a/b"),
        ("abspath", "~", "/work/dir/~"),
        ("abspath", "/..//../a/", "/a"),
        ("abspath", "a/../../../../../b", "/b"),
        ("pathexpand", "~", "/home/someone"),
        ("pathexpand", "~\\x", "/home/someone/\\x"),
        ("pathexpand", "~//a/../b/", "/home/someone/b"),
        ("pathexpand", "", ""),
        ("pathexpand", "a//b/~", "a//b/~"),
    ],
)
def test_paths_as_text(name: str, path: str, expected: str) -> None:
    assert call(Path("/work/dir"), name, path) == string(expected)


def test_home_of_another_user_is_not_known() -> None:
    for name in ("pathexpand", "filemd5", "fileexists"):
        with pytest.raises(FunctionError, match="cannot expand user-specific home dir") as caught:
            call(Path(), name, "~user/x")
        assert caught.value.message.startswith("failed to expand ~: ") == (name != "pathexpand")
        assert not isinstance(caught.value, ArgumentError)
    with pytest.raises(ArgumentError, match=r"^failed to expand ~: cannot expand user-specific home dir$"):
        call(Path(), "file", "~user/x")


@pytest.mark.parametrize(
    ("name", "path", "expected"),
    [
        ("file", "d/a.txt", "a"),
        ("file", "d/a.txt/", "a"),
        ("file", "d//./a.txt", "a"),
        ("file", "d/nope/../a.txt", "a"),
        ("file", "d/lnk.txt", "a"),
        ("file", "d/loop/self/self/f.txt", "\n"),
        ("file", "d/nfd.txt", "\u00e9"),
        ("filebase64", "d/bad.bin", "//4="),
        ("filebase64", "d/nfd.txt", "ZcyB"),
        ("filemd5", "d/a.txt", "0cc175b9c0f1b6a831c399e269772661"),
        ("filesha1", "d/lnk.txt", "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"),
        ("filesha256", "d/a.txt", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"),
        ("filebase64sha256", "d/a.txt", "ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs="),
    ],
)
def test_content(tree: Path, name: str, path: str, expected: str) -> None:
    assert call(tree, name, path) == string(expected)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (string("d/nope"), NO_FILE.format('"d/nope"')),
        (string("d/broken"), NO_FILE.format('"d/broken"')),
        (string("x/../d/nope"), NO_FILE.format('"x/../d/nope"')),
        (string('no"pe\n\u0001\u200b'), NO_FILE.format('"no\\"pe\\n\\x01\\u200b"')),
        (sensitive("nope"), NO_FILE.format("(sensitive value)")),
        (string("nope").mark(EPHEMERAL), NO_FILE.format('"nope"')),
        (string("~/nope"), NO_FILE.format('"~/nope"')),
        (string("d/a.txt/x"), "open d/a.txt/x: not a directory"),
        (sensitive("d/a.txt/x"), "open d/a.txt/x: not a directory"),
        (string("d"), "failed to read file: read d: is a directory"),
        (sensitive("d"), "failed to read file: read d: is a directory"),
        (string(""), "failed to read file: read .: is a directory"),
        (string("d/ring"), "open d/ring: too many levels of symbolic links"),
        (string("a\0b"), "open a\0b: invalid argument"),
        (string("n" * 300), f"open {'n' * 300}: file name too long"),
        (string("d/pipe"), "failed to read file: read d/pipe: not a regular file"),
    ],
)
def test_unreadable_content_is_blamed_on_the_argument(tree: Path, path: Value, message: str) -> None:
    for name in ("file", "filebase64"):
        with pytest.raises(ArgumentError) as caught:
            call(tree, name, path)
        assert (caught.value.index, caught.value.message) == (0, message)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nope/../nope2", "open nope2: no such file or directory"),
        ("d/a.txt/x", "open d/a.txt/x: not a directory"),
        ("d", "read d: is a directory"),
        ("a\0b", "open a\0b: invalid argument"),
    ],
)
def test_unreadable_files_of_hash_functions(tree: Path, path: str, message: str) -> None:
    """Here the call is reported, with only the system's message, even for a sensitive path."""
    for argument in (string(path), sensitive(path)):
        with pytest.raises(FunctionError) as caught:
            call(tree, "filesha512", argument)
        assert not isinstance(caught.value, ArgumentError)
        assert caught.value.message == message


def test_content_that_is_not_text(tree: Path) -> None:
    for path, shown in ((string("d/bad.bin"), '"d/bad.bin"'), (sensitive("d/bad.bin"), "(sensitive value)")):
        with pytest.raises(FunctionError) as caught:
            call(tree, "file", path)
        assert not isinstance(caught.value, ArgumentError)
        assert caught.value.message == NOT_TEXT.format(shown)


def test_a_byte_order_mark_is_content(tmp_path: Path) -> None:
    (tmp_path / "bom.txt").write_bytes(b"\xef\xbb\xbfbom")
    assert call(tmp_path, "file", "bom.txt") == string("\ufeffbom")


@pytest.mark.parametrize(
    ("path", "expected"),
    [("d/a.txt", TRUE), ("d/lnk.txt", TRUE), ("d/nope", FALSE), ("d/broken", FALSE), ("~/nope", FALSE)],
)
def test_fileexists(tree: Path, path: str, expected: Value) -> None:
    assert call(tree, "fileexists", path) == expected


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (string(""), '"." is a directory, not a file'),
        (string("d/lsub/"), '"d/lsub" is a directory, not a file'),
        (sensitive("d/sub"), "(sensitive value) is a directory, not a file"),
        (string("d/pipe"), '"d/pipe" is a named pipe, not a regular file'),
        (string("/dev/null"), '"/dev/null" is a device node, not a regular file'),
        (string("d/a.txt/x"), 'failed to stat "d/a.txt/x"'),
        (sensitive("d/a.txt/x"), "failed to stat (sensitive value)"),
        (string("a\0b"), 'failed to stat "a\\x00b"'),
        (string("d/ring"), 'failed to stat "d/ring"'),
    ],
)
def test_fileexists_errors(tree: Path, path: Value, message: str) -> None:
    with pytest.raises(FunctionError) as caught:
        call(tree, "fileexists", path)
    assert not isinstance(caught.value, ArgumentError)
    assert caught.value.message == message


def test_fileexists_on_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        with pytest.raises(FunctionError, match=r'^"s" is a unix domain socket, not a regular file$'):
            call(tmp_path, "fileexists", "s")


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        ("d", "?.txt", ["a.txt", "é.txt"]),
        ("d", "*.txt", ["[br].txt", "a.txt", "aé.txt", "lnk.txt", "nfd.txt", "é.txt"]),
        ("d", "*b", []),
        ("d", "*ab", ["éab"]),
        ("d", "*a.txt", ["a.txt", "éa.txt"]),
        ("d", "é*", ["é.txt", "éa.txt", "éab"]),
        ("d", "?a*", ["back\\slash", "bad.bin", "{a,b}", "éa.txt", "éab"]),
        ("d", "[é]ab", ["éab"]),
        ("d", "[a-é].txt", ["a.txt", "é.txt"]),
        ("d", "[^a].txt", ["é.txt"]),
        ("d", "[!a].txt", ["a.txt"]),
        ("d", "[^]x", []),
        ("d", "[\\]a].txt", ["a.txt"]),
        ("d", "\\[br].txt", ["[br].txt"]),
        ("d", "[[]br].txt", ["[br].txt"]),
        ("d", "star\\*", ["star*"]),
        ("d", "q\\?x", ["q?x"]),
        ("d", "back\\\\slash", ["back\\slash"]),
        ("d", "back\\slash", []),
        ("d", "a.txt\\", []),
        ("d", "\\a.txt", ["a.txt"]),
        ("d", "zzz[", []),
        ("d", "*[", []),
        ("d", "*{a", []),
        ("d", "{a,b}", []),
        ("d", "\\{a,b}", ["{a,b}"]),
        ("d", "\\{a,b\\}", ["{a,b}"]),
        ("d", "{a,b}.{txt,md}", ["a.txt", "b.md"]),
        ("d", "{a.txt,}", ["a.txt"]),
        ("d", "{,a}.txt", ["a.txt"]),
        ("d", "a{}.txt", ["a.txt"]),
        ("d", "a{.txt,}", ["a.txt"]),
        ("d", "a.txt{}", []),
        ("d", "a.txt*", ["a.txt"]),
        ("d", "a.txt**", ["a.txt"]),
        ("d", "a.txt***", []),
        ("d", "**a.txt", ["a.txt", "éa.txt"]),
        ("d", "a**", ["a.txt", "aé.txt"]),
        ("d", "{a,{b,c}}.md", ["b.md"]),
        ("d", "{*.txt,*.md}", ["[br].txt", "a.txt", "aé.txt", "b.md", "lnk.txt", "nfd.txt", "é.txt"]),
        ("d", "{sub,.dot}/*.txt", [".dot/e.txt", "sub/c.txt"]),
        ("d", "comma{\\,,x}", ["comma,"]),
        ("d", "**/sub/*", ["sub/c.txt"]),
        ("d", "**/**/d.txt", ["lsub/deep/d.txt", "sub/deep/d.txt"]),
        ("d", "sub/**", ["sub/c.txt", "sub/deep/d.txt"]),
        ("d", "lsub/**", ["lsub/c.txt", "lsub/deep/d.txt"]),
        ("d", "lsub/*", ["lsub/c.txt"]),
        ("d", "l*/c.txt", ["lsub/c.txt"]),
        ("d", "*/c.txt", ["lsub/c.txt", "sub/c.txt"]),
        ("d", "*/*", [".dot/e.txt", "br[x]/in.txt", "loop/f.txt", "lsub/c.txt", "sub/c.txt"]),
        ("d", "*/[", []),
        ("d", "broken/*", []),
        ("d", "a.txt", ["a.txt"]),
        ("d", "a.txt/", ["a.txt"]),
        ("d", "./a.txt", ["a.txt"]),
        ("d", "/a.txt", ["a.txt"]),
        ("d", "../d/a.txt", ["a.txt"]),
        ("d", "sub/../*.md", ["b.md"]),
        ("d", "*/../*.md", ["b.md"]),
        ("d/sub", "../*.md", ["../b.md"]),
        ("d/../d", "*.md", ["b.md"]),
        ("./d/", "*.md", ["b.md"]),
        ("*", "*.md", ["../d/b.md"]),
        ("d/br[x]", "*", []),
        ("d/br\\[x]", "*", ["../br[x]/in.txt"]),
        ("d/br\\[x\\]", "*", ["../br[x]/in.txt"]),
        ("d", "br[[]x]/*", ["br[x]/in.txt"]),
        ("d", "~", []),
        ("d", "pipe", []),
        ("d", "empty", []),
        ("d", "empty/*", []),
        ("d", "loop/self/*", ["loop/self/f.txt"]),
        ("d", "nl*", ["nl\nx"]),
        ("d", "n?.bin", ["n�.bin"]),
        ("d", "n�.bin", []),
        ("d", "n*", ["nfd.txt", "nl\nx", "n�.bin"]),
        ("d", "nl\nx", ["nl\nx"]),
        ("d", "\x00", []),
        ("d", "a\x00*", []),
        ("d", "[b-a]*", []),
        ("d", "[a-\\]]*", []),
        ("d", "[\\a-b].txt", ["a.txt"]),
        ("d", "[a-\\b].txt", ["a.txt"]),
        ("d", "x[\\-]y", ["x-y"]),
        ("d", "[\\^]c", ["^c"]),
        ("d", "[x^]c", ["^c"]),
        ("d", "a.t\\xt", ["a.txt"]),
        ("d", "sub\\/c.txt", []),
        ("d", "A.TXT", []),
        ("d", "?", []),
        ("d", ".", []),
        ("d", ".*", [".hid"]),
        ("d", "..", []),
    ],
)
def test_fileset(tree: Path, path: str, pattern: str, expected: list[str]) -> None:
    assert call(tree, "fileset", path, pattern) == set_of(STRING, map(string, expected))


def test_fileset_follows_a_circular_link_as_often_as_the_system_does(tree: Path) -> None:
    names = {element.payload for element in call(tree, "fileset", "d", "loop/**").payload}
    assert names == {"loop/" + "self/" * depth + "f.txt" for depth in range(41)}


def test_fileset_with_absolute_and_parent_paths(tree: Path) -> None:
    found = set_of(STRING, [string("b.md")])
    assert call(tree, "fileset", str(tree / "d"), "*.md") == found
    assert call(tree, "fileset", f"{tree}/../{tree.name}/d", "../d/*.md") == found
    assert call(tree / "d" / "sub", "fileset", "..", "*.md") == found
    assert call(tree, "fileset", "", "d/*.md") == set_of(STRING, [string("d/b.md")])
    assert call(tree / "d", "fileset", "sub", "../../d/*.md") == set_of(STRING, [string("../../d/b.md")])


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("d", "[a-].txt"),
        ("d", "[-a].txt"),
        ("d", "[].txt"),
        ("d", "[]a].txt"),
        ("d", "[a\\"),
        ("d", "\\"),
        ("d", "a["),
        ("d", "{a"),
        ("d", "{sub/c,a}.txt"),
        ("d", "**/["),
        ("d", "[a--].txt"),
    ],
)
def test_fileset_notices_a_mistake(tree: Path, path: str, pattern: str) -> None:
    with pytest.raises(FunctionError, match=r'^failed to glob pattern ".*": syntax error in pattern$'):
        call(tree, "fileset", path, pattern)


@pytest.mark.parametrize(
    ("path", "pattern", "message"),
    [
        (sensitive("d"), string("["), "failed to glob pattern (sensitive value): syntax error in pattern"),
        (string("d"), sensitive("["), "failed to glob pattern (sensitive value): syntax error in pattern"),
        (string("d"), string("[\n"), 'failed to glob pattern "d/[\\n": syntax error in pattern'),
        (string("d"), string("brok*"), 'failed to stat "d/broken": stat d/broken: no such file or directory'),
        (string("d"), string("broken"), 'failed to stat "d/broken": stat d/broken: no such file or directory'),
        (
            sensitive("d"),
            string("brok*"),
            "failed to stat (sensitive value): stat d/broken: no such file or directory",
        ),
        (string("d"), string("{" * 101), f'failed to glob pattern "d/{"{" * 101}": too many wildcards in one name'),
    ],
)
def test_fileset_errors(tree: Path, path: Value, pattern: Value, message: str) -> None:
    with pytest.raises(FunctionError) as caught:
        call(tree, "fileset", path, pattern)
    assert not isinstance(caught.value, ArgumentError)
    assert caught.value.message == message


def test_a_mistake_counts_only_in_the_last_entry_of_a_directory(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").touch()
    with pytest.raises(FunctionError, match="syntax error in pattern"):
        call(tmp_path, "fileset", ".", "*/[")
    (tmp_path / "b").touch()
    assert call(tmp_path, "fileset", ".", "*/[") == set_of(STRING, [])


def test_names_found_before_a_forgotten_mistake_stay_found(tmp_path: Path) -> None:
    for name in ("a/b", "a/c"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "z").touch()
    assert call(tmp_path, "fileset", ".", "*/{b,c[}") == set_of(STRING, [string("a/b")])


def test_many_wildcards_do_not_take_exponential_time(tmp_path: Path) -> None:
    (tmp_path / ("a" * 200)).touch()
    assert call(tmp_path, "fileset", ".", "*a" * 90 + "*b") == set_of(STRING, [])
    assert call(tmp_path, "fileset", ".", "{a,aa}" * 90 + "*b") == set_of(STRING, [])


def test_deeply_nested_directories(tmp_path: Path) -> None:
    depth = 1500
    inner = "a/" * depth
    here = os.open(tmp_path, os.O_RDONLY)
    try:
        for _ in range(depth):
            os.mkdir("a", dir_fd=here)
            below = os.open("a", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        os.close(os.open("f", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    finally:
        os.close(here)
    assert call(tmp_path, "fileset", ".", "**") == set_of(STRING, [string(f"{inner}f")])
    shutil.rmtree(tmp_path / "a")  # pytest's own cleanup, in a later run, cannot handle this depth


def test_marks_reach_the_result_also_of_unknown_arguments() -> None:
    marked = unknown(STRING).mark(SENSITIVE)
    for name, arguments, result in (
        ("file", [marked], STRING),
        ("filebase64", [marked], STRING),
        ("fileexists", [marked], BOOL),
        ("fileset", [marked, string("*")], SetType(STRING)),
        ("fileset", [string("d").mark(SENSITIVE), unknown(STRING)], SetType(STRING)),
    ):
        value = call(Path("/"), name, *arguments)
        assert value.type == result
        assert not value.is_known
        assert value.refinement.not_null
        assert value.marks == {SENSITIVE}


def test_marks_reach_known_results(tree: Path) -> None:
    assert call(tree, "file", sensitive("d/a.txt")) == sensitive("a")
    assert call(tree, "fileset", "d", sensitive("*.md")) == set_of(STRING, [string("b.md")]).mark(SENSITIVE)
    assert call(tree, "fileexists", sensitive("d/nope")) == FALSE.mark(SENSITIVE)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("file", ["../secret"], '"../secret" is outside the directory of this run'),
        ("file", ["link"], '"link" is outside the directory of this run'),
        ("file", ["/etc/hostname"], '"/etc/hostname" is outside the directory of this run'),
        ("file", [sensitive("link")], "(sensitive value) is outside the directory of this run"),
        ("filemd5", ["up/secret"], '"up/secret" is outside the directory of this run'),
        ("fileexists", ["../nothing"], '"../nothing" is outside the directory of this run'),
        ("fileset", ["..", "*"], 'pattern "../*" leads outside the directory of this run'),
        ("fileset", [".", "up/*"], 'pattern "up/*" leads outside the directory of this run'),
        ("fileset", [".", "**"], 'pattern "**" leads outside the directory of this run'),
        ("fileset", [".", "lin*"], 'pattern "lin*" leads outside the directory of this run'),
        ("fileset", ["/", "etc/*"], 'pattern "/etc/*" leads outside the directory of this run'),
    ],
)
def test_confinement(tmp_path: Path, name: str, arguments: list[str | Value], message: str) -> None:
    inside = tmp_path / "run"
    inside.mkdir()
    (tmp_path / "secret").write_text("secret")
    (inside / "link").symlink_to("../secret")
    (inside / "up").symlink_to("..")
    world = World(Files(inside, root=inside))
    with pytest.raises(FunctionError) as caught:
        run(world, name, *arguments)
    assert caught.value.message == message
