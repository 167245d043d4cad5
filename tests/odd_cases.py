"""Cases that no one should write: each is malformed, enormous, or leads out of its directory.

A run must give every one of them a result, and judge the cases beside it as if it were not there. `ODD_CASES` maps the
name of a case to the function that writes it into an empty directory, `ODD_CONFIGURATIONS` that of a configuration
without `case.yaml`, and `ODD_EXPRESSIONS` that of a corpus of expressions, whose file has the name of the corpus. Large
files have holes, and cost nothing.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

__all__ = [
    "GOOD_CASE",
    "ODD_CASES",
    "ODD_CONFIGURATIONS",
    "ODD_EXPRESSIONS",
    "write_good_case",
    "write_odd_case",
    "write_odd_configuration",
    "write_odd_expressions",
]

Write = Callable[[Path], object]

_HUGE: Final = 60_000_000
_DEEP: Final = 100_000
_FORBIDDEN: Final = "/proc/1/root/etc/passwd"
"""A file that only some users may even look for."""

_SURROGATE: Final = "\\uD800"

GOOD_CASE: Final = "description: two steps\nsteps:\n  - {op: plan, config: v1}\n  - {op: apply, config: v1}\n"
_LINES: Final = "lines.jsonl"
_LINE: Final = '{"id": "a", "expr": "1", "value": 1, "type": "number", "sensitive": false}\n'
_TAPE: Final = "tapes/registry.terraform.io+hashicorp+time.json"
_MAIN: Final = 'resource "terraform_data" "a" {\n  input = "x"\n}\n'


def write_good_case(directory: Path) -> None:
    """Write a small case that both engines run alike."""
    (directory / "v1").mkdir(parents=True)
    (directory / "v1" / "main.tf").write_text(_MAIN)
    (directory / "case.yaml").write_text(GOOD_CASE)


def write_odd_case(name: str, directory: Path) -> None:
    write_good_case(directory)
    ODD_CASES[name](directory)


def write_odd_configuration(name: str, directory: Path) -> None:
    directory.mkdir(parents=True)
    (directory / "main.tf").write_text(_MAIN)
    ODD_CONFIGURATIONS[name](directory)


def write_odd_expressions(name: str, directory: Path) -> Path:
    """Write the corpus, and return its file."""
    directory.mkdir(parents=True)
    (directory / "context.tf").write_text("")
    (directory / _LINES).write_text(_LINE)
    ODD_EXPRESSIONS[name](directory)
    return (directory / _LINES).rename(directory / f"{name}.jsonl")


def _put(file: str, content: str | bytes, directory: Path) -> None:
    path = directory / file
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)


def _file(file: str, content: str | bytes) -> Write:
    return partial(_put, file, content)


def _yaml(content: str | bytes) -> Write:
    return _file("case.yaml", content)


def _key(line: str) -> Write:
    """Return a case that is right but for one more line."""
    return _yaml(GOOD_CASE + line + "\n")


def _description(text: str) -> Write:
    return _yaml(GOOD_CASE.replace("two steps", text))


def _config(text: str) -> Write:
    return _yaml(GOOD_CASE.replace("config: v1", f"config: {text}"))


def _step(options: str) -> Write:
    return _yaml(GOOD_CASE.replace("op: plan", f"op: plan, {options}"))


def _special(file: str, make: Callable[[Path], object], *, named: str = "") -> Write:
    """Return a case of which one file is no file. `named` is added to case.yaml."""

    def write(directory: Path) -> None:
        if named:
            _key(named)(directory)
        path = directory / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        make(path)

    return write


def _link(target: str) -> Callable[[Path], object]:
    return lambda path: path.symlink_to(target)


def _socket(path: Path) -> None:
    """Bind from inside of the directory: the path of a socket must be short."""
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(path.name)
    finally:
        os.chdir(here)


def _sparse(size: int) -> Callable[[Path], object]:
    def make(path: Path) -> None:
        with path.open("wb") as file:
            file.truncate(size)

    return make


def _deep_directories(directory: Path) -> None:
    """Make directories one below the other, far deeper than a path can be written."""
    here = Path.cwd()
    os.chdir(directory / "v1")
    try:
        for _ in range(600):
            os.mkdir("dddddddddd")
            os.chdir("dddddddddd")
    finally:
        os.chdir(here)


def _many_files(directory: Path) -> None:
    for number in range(10_100):
        os.close(os.open(directory / "v1" / f"{number}.txt", os.O_CREAT | os.O_WRONLY))


def _many_large_files(directory: Path) -> None:
    for number in range(100):
        _sparse(10_000_000)(directory / "v1" / f"{number}.bin")


def _text(content: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(content)


def _with_runs(file: str, write: Write) -> Write:
    """Return a case that names what a run has left in it. That is not looked at, so it could lead anywhere."""

    def write_both(directory: Path) -> None:
        write(directory)
        path = directory / ".diffharness" / file
        path.parent.mkdir(parents=True)
        path.symlink_to("/etc/passwd")

    return write_both


def _aliases(key: str) -> str:
    """Return nine values, each of which consists of nine times the one before."""
    return ", ".join(
        f"{now}: &{now} {{{key}[{', '.join([f'*{before}'] * 9)}]}}" for before, now in pairwise("abcdefghij")
    )


def _nested(opening: str, closing: str = "") -> str:
    return opening * _DEEP + closing * _DEEP


_OF_REVIEW: Final[Mapping[str, Write]] = {
    "date-as-description": _description("2024-13-45"),
    "date-as-seed": _key("seed: 2024-13-45"),
    "date-as-value": _step("vars: {x: 2024-99-99}"),
    "digits-of-seed": _key(f"seed: {'9' * 5000}"),
    "digits-of-value": _step(f"vars: {{x: {'9' * 5000}}}"),
    "tag-int": _key("seed: !!int abc"),
    "tag-float": _key("seed: !!float abc"),
    "tag-binary": _description("!!binary a"),
    "tag-timestamp": _description("!!timestamp x"),
    "tag-omap": _key("tags: !!omap [a]"),
    "tag-unknown": _description("!secret x"),
    "equals-sign": _description("="),
    "merge-of-number": _step("vars: {<<: 5}"),
    "mapping-as-key": _yaml("{? {a: 1} : 2}"),
    "config-nul": _config('"v1\\0"'),
    "config-surrogate": _config(f'"{_SURROGATE}"'),
    "config-long": _config("v" * 5000),
    "case-pipe": _special("case.yaml", os.mkfifo),
    "golden-pipe": _special("golden.json", os.mkfifo),
    "description-60-mb": _special("case.yaml", lambda path: path.write_text(GOOD_CASE.replace("two", "x" * _HUGE))),
    "case-zero": _special("case.yaml", _link("/dev/zero")),
    "case-random": _special("case.yaml", _link("/dev/random")),
    "golden-zero": _special("golden.json", _link("/dev/zero")),
    "case-outside": _special("case.yaml", _link("/etc/passwd")),
    "golden-outside": _special("golden.json", _link("/etc/passwd")),
}
"""The cases that an independent review found to end a run, to hang it, or to fill its memory."""

_OWN: Final[Mapping[str, Write]] = {
    "tag-python": _description('!!python/object/apply:os.system ["true"]'),
    "tag-set": _key("tags: !!set {a}"),
    "tag-pairs": _key("tags: !!pairs [a]"),
    "tag-bool": _key("prelude: !!bool maybe"),
    "tag-bool-of-list": _key("prelude: !!bool []"),
    "tag-int-of-mapping": _key("seed: !!int {a: 1}"),
    "tag-int-empty": _key('seed: !!int ""'),
    "tag-map-of-text": _description("!!map x"),
    "tag-seq-of-text": _key("tags: !!seq x"),
    "tag-text-of-mapping": _description("!!str {a: 1}"),
    "tag-with-no-end": _description("!<tag:x x"),
    "tag-in-values": _step("vars: {x: !!binary '***'}"),
    "unhashable-key": _step("vars: {[a]: 1}"),
    "sexagesimal-seed": _key("seed: 1:2:x"),
    "infinite-seed": _key("seed: .inf"),
    "not-a-number": _step("vars: {x: .nan}"),
    "directive-version": _yaml("%YAML 9.9\n---\n" + GOOD_CASE),
    "directive-unknown": _yaml("%TAG ! tag:x,\n%TAG ! tag:y,\n---\n" + GOOD_CASE),
    "two-documents": _yaml(GOOD_CASE + "---\n" + GOOD_CASE),
    "empty": _yaml(""),
    "only-comment": _yaml("# nothing\n"),
    "utf-16": _yaml(GOOD_CASE.encode("utf-16")),
    "not-utf-8": _yaml(b"description: \xff\xfe\xfa\n"),
    "nul-byte": _yaml(GOOD_CASE.replace("two", "\0two")),
    "control-character": _yaml(GOOD_CASE.replace("two", "\x01two")),
    "surrogate-bytes": _yaml(GOOD_CASE.replace("two", "\ud800two")),
    "surrogate-description": _description(f'"{_SURROGATE}"'),
    "surrogate-tag": _key(f'tags: ["{_SURROGATE}"]'),
    "surrogate-value": _step(f'vars: {{x: "{_SURROGATE}"}}'),
    "surrogate-name": _step(f'vars: {{"{_SURROGATE}": 1}}'),
    "surrogate-state": _key(f'prior_state: "{_SURROGATE}"'),
    "surrogate-cloud": _key(f'cloud: [{{name: "{_SURROGATE}", text: x}}]'),
    "nul-in-state-name": _key('prior_state: "a\\0b"'),
    "nested-brackets": _yaml(GOOD_CASE + "tags: " + _nested("[")),
    "nested-braces": _yaml(GOOD_CASE + "cloud: " + _nested("{a: ")),
    "nested-dashes": _yaml(GOOD_CASE + "tags:\n" + _nested("- ")),
    "laughing-aliases": _yaml("a: &a [x]\nb: [*a, *a]\n" + GOOD_CASE),
    "alias-of-itself": _yaml(GOOD_CASE + "tags: &a [*a]\n"),
    "merge-of-itself": _yaml(GOOD_CASE + "cloud: [&a {<<: *a}]\n"),
    "key-twice": _key("description: again"),
    "config-absolute": _config("/etc"),
    "config-parent": _config("../.."),
    "config-empty": _config('""'),
    "config-of-link": _special("other", _link("/")),
    "config-is-file": _config("case.yaml"),
    "config-is-pipe": _special("other", os.mkfifo),
    "state-pipe": _special("state.json", os.mkfifo, named="prior_state: state.json"),
    "state-outside": _special("state.json", _link("/etc/passwd"), named="prior_state: state.json"),
    "state-zero": _special("state.json", _link("/dev/zero"), named="prior_state: state.json"),
    "state-is-directory": _key("prior_state: v1"),
    "state-not-utf-8": _special("state.json", lambda path: path.write_bytes(b"\xff"), named="prior_state: state.json"),
    "golden-is-directory": _special("golden.json", Path.mkdir),
    "golden-socket": _special("golden.json", _socket),
    "golden-loop": _special("golden.json", _link("golden.json")),
    "golden-10-gb": _special("golden.json", _sparse(10**10)),
    "golden-nested": _file("golden.json", _nested("[")),
    "golden-nested-objects": _file("golden.json", _nested('{"steps":')),
    "golden-number": _file("golden.json", '{"steps": [1e999999999, {}]}'),
    "golden-digits": _file("golden.json", '{"steps": [' + "9" * 100_000 + "]}"),
    "golden-not-a-number": _file("golden.json", '{"steps": [NaN]}'),
    "golden-not-utf-8": _file("golden.json", b'{"steps": ["\xff"]}'),
    "golden-steps-of-numbers": _file("golden.json", '{"steps": [1, 2]}'),
    "golden-validate-of-number": _file("golden.json", '{"steps": [{}, {}], "validate": 5}'),
    "golden-of-other": _special("golden.opentofu.json", os.mkfifo),
    "case-is-directory": _special("case.yaml", Path.mkdir),
    "case-socket": _special("case.yaml", _socket),
    "case-dangling": _special("case.yaml", _link("missing.yaml")),
    "case-loop": _special("case.yaml", _link("case.yaml")),
    "case-10-gb": _special("case.yaml", _sparse(10**10)),
    "case-stdin": _special("case.yaml", _link("/dev/stdin")),
    "main-pipe": _special("v1/main.tf", os.mkfifo),
    "main-zero": _special("v1/main.tf", _link("/dev/zero")),
    "main-outside": _special("v1/main.tf", _link("/etc/passwd")),
    "main-10-gb": _special("v1/main.tf", _sparse(10**10)),
    "values-pipe": _special("v1/terraform.tfvars", os.mkfifo),
    "unused-pipe": _special("notes/unused", os.mkfifo),
    "link-to-parent": _special("v1/up", _link("..")),
    "history-pipe": _special("shrink.json", os.mkfifo),
    "tape-pipe": _special("tapes/x.json", os.mkfifo),
    "deep-directories": _deep_directories,
    "many-files": _many_files,
    "many-large-files": _many_large_files,
    "seed-of-text": _key("seed: x"),
    "steps-of-numbers": _yaml("description: x\nsteps: [1, 2]\n"),
    "faults-of-numbers": _key("faults: [1]"),
    "flavour-of-list": _key("flavour: [terraform]"),
    "tasks-beside-steps": _key("tasks: {a: {action: plan}}"),
    "escape-too-large": _description('"\\UFFFFFFFF"'),
    "escape-of-no-character": _description('"\\U00110000"'),
    "seed-of-many-digits": _key(f"seed: 0x{'f' * 50_000}"),
    "seed-beyond-64-bits": _key(f"seed: {2**63}"),
    "sexagesimal-value": _step(f"vars: {{x: {':'.join(['59'] * 20_000)}}}"),
    "date-as-key": _key("2024-01-01: x"),
    "list-as-key": _key("? [a]\n: b"),
    "no-key": _key(": x"),
    "long-key": _key(f"{'k' * 250_000}: 1"),
    "long-operation": _yaml(GOOD_CASE.replace("op: plan", f"op: {'p' * 200_000}")),
    "long-flavour": _key(f"flavour: {'x' * 200_000}"),
    "flavour-as-path": _key("flavour: ../../x"),
    "a-thousand-documents": _yaml("---\n" * 1000),
    "question-marks": _yaml("?" * 100_000),
    "exclamation-marks": _yaml("!" * 100_000),
    "ampersands": _yaml("&" * 100_000),
    "quotation-marks": _yaml('"' * 100_001),
    "colons": _yaml("a:" * 100_000),
    "merge-bomb": _step(f"vars: {{a: &a {{k: 1}}, {_aliases('<<: ')}}}"),
    "alias-bomb": _step(f"vars: {{a: &a [x], {_aliases('x: ')}}}"),
    "case-forbidden": _special("case.yaml", _link(_FORBIDDEN)),
    "golden-forbidden": _special("golden.json", _link(_FORBIDDEN)),
    "other-golden-forbidden": _special("golden.opentofu.json", _link(_FORBIDDEN)),
    "main-forbidden": _special("v1/main.tf", _link(_FORBIDDEN)),
    "case-descriptor": _special("case.yaml", _link("/proc/self/fd/0")),
    "case-memory": _special("case.yaml", _link("/proc/self/mem")),
    "case-kernel-log": _special("case.yaml", _link("/proc/kmsg")),
    "golden-environment": _special("golden.json", _link("/proc/self/environ")),
    "golden-terminal": _special("golden.json", _link("/dev/tty")),
    "main-descriptor": _special("v1/main.tf", _link("/proc/self/fd/3")),
    "main-program": _special("v1/main.tf", _link("/proc/self/exe")),
    "values-full-disk": _special("v1/terraform.tfvars", _link("/dev/full")),
    "values-directory-of-process": _special("v1/x.auto.tfvars", _link("/proc/self/cwd")),
    "data-100-gb": _special("v1/data.bin", _sparse(100 * 2**30)),
    "case-100-gb": _special("case.yaml", _sparse(100 * 2**30)),
    "golden-100-gb": _special("golden.json", _sparse(100 * 2**30)),
    "golden-million-arrays": _file("golden.json", "[" * 10**6 + "]" * 10**6),
    "golden-text": _file("golden.json", '"x"'),
    "golden-null": _file("golden.json", "null"),
    "golden-steps-as-object": _file("golden.json", '{"steps": {"a": 1}}'),
    "golden-surrogate-key": _file("golden.json", '{"\\ud800": 1, "steps": [1, {}]}'),
    "golden-step-twice": _file("golden.json", '{"steps": [{}, {}], "steps": []}'),
    "config-of-runs": _with_runs("v1/main.tf", _config(".diffharness/v1")),
    "config-is-link-to-runs": _special("other", _link(".diffharness/v1"), named="tags: [a]"),
    "state-of-runs": _with_runs("state.json", _key("prior_state: .diffharness/state.json")),
    "golden-of-runs": _special("golden.json", _link(".diffharness/state.json")),
    "config-up-and-down": _config("v1/../v1"),
    "config-itself": _config("."),
    "config-of-process": _config("/proc/self/cwd"),
    "config-of-home": _config('"~"'),
    "config-at-url": _config('"git::https://example.com/x"'),
    "config-with-line-end": _config('"v1\\n"'),
    "state-is-case": _key("prior_state: case.yaml"),
    "state-nested": _special("state.json", _text("[" * 10**6), named="prior_state: state.json"),
    "state-of-nothing": _special("state.json", _text("\0" * 1000), named="prior_state: state.json"),
    "values-socket": _special("v1/terraform.tfvars", _socket),
    "link-to-directory": _special("v2", _link("v1")),
}
"""Further ones."""

ODD_CASES: Final[Mapping[str, Write]] = {**_OF_REVIEW, **_OWN}


def _hard_link(file: str) -> Write:
    """Return a case of which one file is a hard link to an enormous one."""

    def write(directory: Path) -> None:
        kept = directory.parent / "enormous"
        if not kept.exists():
            _sparse(50 * 2**30)(kept)
        (directory / file).unlink(missing_ok=True)
        (directory / file).hardlink_to(kept)

    return write


def _calling(source: str) -> Write:
    return _file("main.tf", f'module "m" {{\n  source = "{source}"\n}}\n')


def _installed(manifest: str) -> Write:
    """Return a configuration with a list of installed modules."""

    def write(directory: Path) -> None:
        _calling("x/y/z")(directory)
        _put(".terraform/modules/modules.json", manifest, directory)

    return write


def _link_to_tapes(path: Path) -> None:
    kept = path.parent.parent / f"{path.parent.name}-elsewhere"
    _put(Path(_TAPE).name, "{}", kept)
    path.symlink_to(kept)


def _asked_in(name: str, make: Callable[[Path], object]) -> Write:
    """Return a corpus with a line that is asked in the context of a file."""

    def write(directory: Path) -> None:
        _put(_LINES, f'{{"id": "a", "expr": "1", "context": "{name}"}}\n', directory)
        make(directory / name)

    return write


def _rings(directory: Path) -> None:
    """Make directories one below the other, each with links that lead up."""
    for depth in range(60):
        directory = directory / "d"
        directory.mkdir()
        (directory / "up").symlink_to("../.." if depth % 2 else "..")


ODD_CONFIGURATIONS: Final[Mapping[str, Write]] = {
    "golden-pipe": _special("golden.json", os.mkfifo),
    "golden-zero": _special("golden.json", _link("/dev/zero")),
    "golden-outside": _special("golden.json", _link("/etc/passwd")),
    "golden-nested": _file("golden.json", _nested("[")),
    "golden-without-steps": _file("golden.json", '{"engine": "Terraform v1.11.4", "steps": 5}'),
    "tape-pipe": _special(_TAPE, os.mkfifo),
    "tape-zero": _special(_TAPE, _link("/dev/zero")),
    "tape-outside": _special(_TAPE, _link("/etc/passwd")),
    "tape-dangling": _special(_TAPE, _link("missing")),
    "tape-directory": _special(_TAPE, Path.mkdir),
    "tape-10-gb": _special(_TAPE, _sparse(10**10)),
    "tape-nested": _file(_TAPE, _nested("[")),
    "tape-not-utf-8": _file(_TAPE, b"\xff"),
    "tape-with-odd-schema": _file(
        _TAPE, '{"format": 1, "provider": "a/b/c", "protocol": 6, "schema": 5, "exchanges": []}'
    ),
    "tapes-outside": _special("tapes", _link_to_tapes),
    "main-enormous": _hard_link("main.tf"),
    "data-enormous": _hard_link("data.bin"),
    "rings-of-links": _rings,
    "module-outside": _calling("../" * 30_000),
    "module-of-process": _calling("../../../../../../../../../../../../proc/self/root/etc"),
    "installed-elsewhere": _installed(
        '{"Modules": [{"Key": "m", "Source": "registry.terraform.io/x/y/z", "Dir": "/proc/self/root/etc"}]}'
    ),
    "installed-nested": _installed(_nested("[")),
    "installed-of-numbers": _installed('{"Modules": [{"Key": ["m"], "Source": 5, "Dir": null}, 7]}'),
    "installed-pipe": _special(".terraform/modules/modules.json", os.mkfifo),
}
"""None of these can be read."""

ODD_EXPRESSIONS: Final[Mapping[str, Write]] = {
    "lines-not-json": _file(_LINES, "x\n"),
    "lines-of-lists": _file(_LINES, "[]\n"),
    "lines-nested": _file(_LINES, _nested("[")),
    "lines-not-utf-8": _file(_LINES, b"\xff"),
    "lines-of-nothing": _file(_LINES, "\0"),
    "lines-10-gb": _special(_LINES, _sparse(10**10)),
    "lines-outside": _special(_LINES, _link("/etc/passwd")),
    "lines-pipe": _special(_LINES, os.mkfifo),
    "without-id": _file(_LINES, '{"expr": "1"}'),
    "without-question": _file(_LINES, '{"id": "a"}'),
    "question-of-number": _file(_LINES, '{"id": "a", "expr": 1}'),
    "body-of-list": _file(_LINES, '{"id": "a", "body": []}'),
    "kind-unknown": _file(_LINES, '{"id": "a", "kind": "x", "given": "1", "type_constraint": null}'),
    "given-of-null": _file(_LINES, '{"id": "a", "kind": "cli", "given": null}'),
    "config-without-output": _file(_LINES, '{"id": "a", "config": "locals {\\n  value = 1\\n}\\n", "expr": "1"}'),
    "config-without-expression": _file(_LINES, '{"id": "a", "config": "", "expr": "1"}'),
    "context-outside": _file(_LINES, '{"id": "a", "expr": "1", "context": "../../../../../../etc/passwd"}'),
    "context-absolute": _file(_LINES, '{"id": "a", "expr": "1", "context": "/etc/passwd"}'),
    "context-pipe": _asked_in("x.tf", os.mkfifo),
    "context-zero": _asked_in("x.tf", _link("/dev/zero")),
    "context-of-number": _file(_LINES, '{"id": "a", "expr": "1", "context": 5}'),
    "errors-of-numbers": _file(_LINES, '{"id": "a", "expr": "x", "error": 1}'),
    "value-not-packed": _file(
        _LINES, r'{"id": "a", "expr": "\"x\"", "note": 1, "value": "x", "type": "string", "sensitive": false}'
    ),
    "waiting-pipe": _special("waiting.txt", os.mkfifo),
    "waiting-zero": _special("waiting.txt", _link("/dev/zero")),
    "waiting-not-utf-8": _file("waiting.txt", b"\xff"),
}
