"""Options of planning: what is refused before anything is planned."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.plan.options import Mode, Options, parse_options
from shared_nodes.world import Files


def _problems(options: Options, flavour: Flavour = OPENTOFU_1_12, directory: Path = Path()) -> list[str]:
    return [str(problem) for problem in parse_options(options, Files(directory), flavour)[1]]


def test_targets_and_exclusions_cannot_be_combined() -> None:
    """No other mistake in them is reported then."""
    expected = (
        "Invalid combination of arguments; The target and exclude planning options are mutually-exclusive. Each plan "
        "must use either only the target options or only the exclude options."
    )
    for options in (
        Options(targets=("a.",), excludes=("b",)),
        Options(target_files=("gone",), excludes=("b.b",)),
        Options(targets=("a.a",), exclude_files=("gone",)),
    ):
        assert _problems(options) == [expected]


_UNDEFINED = "Failed to parse command-line flags; flag provided but not defined: -"
_TOO_MANY = "Too many command line arguments; To specify a working directory for the plan, use the global -chdir flag."
_TARGET = 'Invalid target "a."; Dot must be followed by attribute name.'
_REPLACE = 'Invalid force-replace address "x"; Resource specification must include a resource type and name.'
_REFRESH = (
    "Incompatible refresh options; It doesn't make sense to use -refresh-only at the same time as -refresh=false, "
    "because Terraform would have nothing to do."
)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (Options(excludes=("a.b",)), [f"{_UNDEFINED}exclude"]),
        (Options(excludes=("a.b", "a.c")), [f"{_UNDEFINED}exclude", _TOO_MANY]),
        (Options(excludes=("a.b",), replace=("x",)), [f"{_UNDEFINED}exclude", _TOO_MANY]),
        (Options(excludes=("a.b",), refresh=False), [f"{_UNDEFINED}exclude", _TOO_MANY]),
        (Options(Mode.REFRESH_ONLY, excludes=("a.b",), refresh=False), [f"{_UNDEFINED}exclude", _TOO_MANY]),
        (Options(targets=("a.",), excludes=("a.b",)), [f"{_UNDEFINED}exclude", _TARGET]),
        (Options(targets=("a.",), excludes=("a.b",), replace=("x",)), [f"{_UNDEFINED}exclude", _TOO_MANY, _TARGET]),
        (Options(target_files=("gone",)), [f"{_UNDEFINED}target-file"]),
        (Options(exclude_files=("gone",)), [f"{_UNDEFINED}exclude-file"]),
        (Options(target_files=("gone",), exclude_files=("gone",)), [f"{_UNDEFINED}target-file", _TOO_MANY]),
        (Options(replace=("x",), target_files=("gone",)), [f"{_UNDEFINED}target-file", _REPLACE]),
        (
            Options(targets=("a.",), replace=("x",), exclude_files=("gone",)),
            [f"{_UNDEFINED}exclude-file", _TARGET, _REPLACE],
        ),
        (Options(Mode.REFRESH_ONLY, target_files=("gone",), refresh=False), [f"{_UNDEFINED}target-file", _REFRESH]),
    ],
)
def test_flags_of_opentofu_end_the_command_line_of_terraform(options: Options, expected: list[str]) -> None:
    """Each row is what Terraform 1.11.4 reports. Flags before the undefined one are read, those after it are not."""
    assert _problems(options, TERRAFORM_1_11) == expected


def test_all_mistakes_are_reported_in_one_go() -> None:
    options = Options(Mode.REFRESH_ONLY, excludes=("a.",), exclude_files=("gone",), replace=("x",), refresh=False)
    assert _problems(options) == [
        'Invalid exclude "a."; Dot must be followed by attribute name.',
        "open gone: no such file or directory",
        'Invalid force-replace address "x"; Resource specification must include a resource type and name.',
        "Incompatible refresh options; It doesn't make sense to use -refresh-only at the same time as -refresh=false, "
        "because OpenTofu would have nothing to do.",
    ]


def test_addresses_in_files_add_to_those_of_options(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("# no address\r\na.b # a comment\r\n  # another\nmodule.m[0]")
    (tmp_path / "two.txt").write_text("")
    options = Options(targets=("c.d",), target_files=("one.txt", "two.txt"))
    parsed, problems = parse_options(options, Files(tmp_path), OPENTOFU_1_12)
    assert not problems
    assert [str(target) for target in parsed.targets] == ["c.d", "a.b", "module.m[0]"]


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        (b"\n", ["list.txt:1,1-1: Variable name required; Must begin with a variable name."]),
        (b"a.b\n\na.b\n", ["list.txt:2,1-1: Variable name required; Must begin with a variable name."]),
        (b"// a.b", ["list.txt:1,7-7: Variable name required; Must begin with a variable name."]),
        (
            b"# \nx.y[*]\nx.y.z\n",
            [
                "list.txt:2,5-6: Attribute name required; Splat expressions ([*]) may not be used here.",
                "list.txt:3,4-6: Invalid address; Resource instance key must be given in square brackets.",
            ],
        ),
        (b"data", [":0,0-0: Invalid address; Resource specification must include a resource type and name."]),
    ],
)
def test_mistakes_in_a_file_have_a_place(content: bytes, problems: list[str], tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_bytes(content)
    assert _problems(Options(exclude_files=("list.txt",)), directory=tmp_path) == problems


def test_a_directory_is_no_list(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    assert _problems(Options(target_files=("d",)), directory=tmp_path) == ["read d: is a directory"]
