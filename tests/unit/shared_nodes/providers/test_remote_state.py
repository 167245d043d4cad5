"""`terraform_remote_state` reads local states, and refuses everything else in the words of Terraform 1.11.4."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import trio

from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.providers.builtin import BuiltinProvider
from shared_nodes.providers.contract import ReadDataRequest, ReadObject
from shared_nodes.values.json import value_to_json
from shared_nodes.values.paths import path_text
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import DYNAMIC, STRING
from shared_nodes.values.value import (
    NULL_DYNAMIC,
    Value,
    boolean,
    integer,
    map_of,
    null,
    object_of,
    string,
    tuple_of,
    unknown,
)
from shared_nodes.world import World

STATE = {
    "version": 4,
    "terraform_version": "1.11.4",
    "serial": 3,
    "lineage": "x",
    "outputs": {
        "a": {"value": "1", "type": "string"},
        "s": {"value": "secret", "type": "string", "sensitive": True},
    },
    "resources": [],
    "check_results": None,
}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "terraform.tfstate").write_text(json.dumps(STATE))
    (tmp_path / "other.tfstate").write_text(json.dumps(STATE | {"outputs": {"o": {"value": 2, "type": "number"}}}))
    (tmp_path / "empty.tfstate").touch()
    (tmp_path / "version.tfstate").write_text("{}")
    (tmp_path / "folder").mkdir()
    for name in ("terraform.tfstate.d/dev", "ws/dev"):
        (tmp_path / name).mkdir(parents=True)
        state = STATE | {"outputs": {"from": {"value": name, "type": "string"}}}
        (tmp_path / name / "terraform.tfstate").write_text(json.dumps(state))
    return tmp_path


LOCAL = string("local")
NO_STRING = null(STRING)


def config(
    backend: Value = LOCAL,
    settings: Value = NULL_DYNAMIC,
    defaults: Value = NULL_DYNAMIC,
    workspace: Value = NO_STRING,
) -> Value:
    given = {"backend": backend, "config": settings, "defaults": defaults, "workspace": workspace}
    return object_of({**given, "outputs": null(DYNAMIC)})


def provider(directory: Path) -> BuiltinProvider:
    return BuiltinProvider(World.confined(directory, seed=1, now=datetime(2026, 1, 2, tzinfo=UTC)))


def read(directory: Path, given: Value) -> ReadObject:
    return trio.run(provider(directory).read_data, ReadDataRequest("terraform_remote_state", given))


def problem_of(problems: Any) -> tuple[str, str, str | None]:
    """Return summary, detail and attribute (None: no location at all) of the only problem."""
    (problem,) = problems
    assert isinstance(problem, Diagnostic)
    return problem.summary, problem.detail, None if problem.attribute is None else path_text(problem.attribute)


def settings(**values: Value) -> Value:
    return object_of(values)


@pytest.mark.parametrize(
    ("given", "outputs"),
    [
        (config(), {"a": "1", "s": "secret"}),
        (config(settings=settings()), {"a": "1", "s": "secret"}),
        (config(settings=settings(path=NULL_DYNAMIC, workspace_dir=NULL_DYNAMIC)), {"a": "1", "s": "secret"}),
        (config(settings=settings(path=string("other.tfstate"))), {"o": 2}),
        (config(settings=map_of(STRING, {"path": string("other.tfstate")})), {"o": 2}),
        (config(workspace=string("")), {"a": "1", "s": "secret"}),
        (config(workspace=string("default")), {"a": "1", "s": "secret"}),
        (config(workspace=string("dev")), {"from": "terraform.tfstate.d/dev"}),
        (
            config(settings=settings(path=string("nowhere"), workspace_dir=string("ws")), workspace=string("dev")),
            {"from": "ws/dev"},
        ),
        (config(defaults=settings(a=integer(5), d=boolean(True))), {"a": "1", "d": True, "s": "secret"}),
        (config(defaults=map_of(STRING, {"d": string("x")})), {"a": "1", "d": "x", "s": "secret"}),
    ],
)
def test_outputs_of_the_state_that_is_meant(directory: Path, given: Value, outputs: dict[str, object]) -> None:
    found = read(directory, given)
    assert found.problems == ()
    assert found.value is not None
    assert {name: found.value.payload[name] for name in ("backend", "config", "defaults", "workspace")} == {
        name: given.payload[name] for name in ("backend", "config", "defaults", "workspace")
    }
    plain = {name: value_to_json(value) for name, value in found.value.payload["outputs"].payload.items()}
    assert {name: getattr(value, "text", value) for name, value in plain.items()} == {
        name: str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        for name, value in outputs.items()
    }
    assert not found.value.deep_marks(), "a sensitive output of another state is an ordinary value here"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (
            config(settings=settings(path=string("missing"))),
            (
                "Unable to find remote state",
                "No stored state was found for the given workspace in the given backend.",
                ".workspace",
            ),
        ),
        (
            config(settings=settings(path=string("empty.tfstate")), defaults=settings(a=integer(1))),
            (
                "Unable to find remote state",
                "No stored state was found for the given workspace in the given backend.",
                ".workspace",
            ),
        ),
        (
            config(settings=settings(path=string("folder"))),
            (
                "Failed to read state file",
                "The state file could not be read: read folder: is a directory",
                None,
            ),
        ),
        (
            config(settings=settings(path=string("version.tfstate"))),
            (
                "Unsupported state file format",
                'The state file does not have a "version" attribute, which is required to identify the format version.',
                None,
            ),
        ),
    ],
)
def test_states_that_cannot_be_read(directory: Path, given: Value, problem: tuple[str, str, str | None]) -> None:
    found = read(directory, given)
    assert found.value is None
    assert problem_of(found.problems) == problem


def test_a_state_outside_the_run_is_out_of_reach(directory: Path) -> None:
    found = read(directory, config(settings=settings(path=string("../outside.tfstate"))))
    assert found.value is None
    assert "outside the directory of this run" in problem_of(found.problems)[0]


def test_reading_leaves_no_trace(directory: Path) -> None:
    before = sorted(directory.rglob("*"))
    read(directory, config(workspace=string("never")))
    assert sorted(directory.rglob("*")) == before


INVALID = "Invalid backend configuration"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (config(string("floppy")), (INVALID, 'There is no backend type named "floppy".', ".backend")),
        (config(string("")), (INVALID, 'There is no backend type named "".', ".backend")),
        (
            config(string("etcd")),
            (INVALID, 'The "etcd" backend is not supported in Terraform v1.3 or later.', ".backend"),
        ),
        (
            config(string("remote")),
            (
                INVALID,
                'The given configuration is not valid for backend "remote": attribute "organization" is required.',
                ".config",
            ),
        ),
        (
            config(settings=string("x")),
            (INVALID, 'The given configuration is not valid for backend "local": an object is required.', ".config"),
        ),
        (
            config(settings=set_of(STRING, [string("path")])),
            (INVALID, 'The given configuration is not valid for backend "local": an object is required.', ".config"),
        ),
        (
            config(settings=settings(path=tuple_of([]))),
            (INVALID, 'The given configuration is not valid for backend "local": .path: string required.', ".config"),
        ),
        (
            config(settings=settings(path=string("x"), speed=integer(9))),
            (
                INVALID,
                'The given configuration is not valid for backend "local": unexpected attribute "speed".',
                ".config",
            ),
        ),
        (
            config(settings=settings(path=tuple_of([]), speed=integer(9))),
            (
                INVALID,
                'The given configuration is not valid for backend "local": unexpected attribute "speed".',
                ".config",
            ),
        ),
        (
            config(settings=settings(path=string(""))),
            ("Invalid local state file path", 'The "path" attribute value must not be empty.', ".path"),
        ),
        (
            config(settings=settings(workspace_dir=string(""))),
            (
                "Invalid local workspace directory path",
                'The "workspace_dir" attribute value must not be empty.',
                ".workspace_dir",
            ),
        ),
        (
            config(settings=tuple_of([unknown(STRING)])),
            (INVALID, "The configuration must be an object value.", ".config"),
        ),
        (
            config(defaults=string("x")),
            ("Invalid default values", "Defaults must be given in an object value.", ".defaults"),
        ),
    ],
)
def test_configurations_that_are_refused(directory: Path, given: Value, problem: tuple[str, str, str]) -> None:
    problems = trio.run(provider(directory).validate_data_config, "terraform_remote_state", given)
    assert problem_of(problems) == problem


@pytest.mark.parametrize(
    "given",
    [
        config(settings=settings(path=integer(7), workspace_dir=NULL_DYNAMIC)),
        config(settings=settings(path=boolean(True))),
        config(settings=settings(path=unknown(STRING), speed=integer(9))),
        config(unknown(STRING), settings=settings(speed=integer(9))),
        config(settings=settings(path=string("missing"))),
        config(string("inmem")),
        config(string("s3"), settings=settings(bucket=string("b"), key=string("k"))),
    ],
)
def test_configurations_nothing_can_be_said_against_yet(directory: Path, given: Value) -> None:
    assert trio.run(provider(directory).validate_data_config, "terraform_remote_state", given) == []


def test_other_backends_are_said_to_be_out_of_reach(directory: Path) -> None:
    summary, detail, blamed = problem_of(read(directory, config(string("pg"))).problems)
    assert (summary, blamed) == ("Backend not available", ".backend")
    assert '"pg"' in detail


def test_what_is_only_in_memory_is_never_there(directory: Path) -> None:
    summary, _, blamed = problem_of(read(directory, config(string("inmem"))).problems)
    assert (summary, blamed) == ("Unable to find remote state", ".workspace")
