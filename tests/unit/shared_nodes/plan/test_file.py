"""A saved plan gives another process everything the first one knew, or one clear diagnostic."""

from __future__ import annotations

import random
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.provider import BUILTIN
from shared_nodes.config.loading import load_configuration
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.change import Action, ActionReason, OutputChange
from shared_nodes.plan.file import (
    SavedPlan,
    SnapshotFiles,
    read_plan,
    schema_problem,
    snapshot_of,
    stale_problem,
    write_plan,
)
from shared_nodes.plan.options import Mode
from shared_nodes.plan.plan import Plan, ResourceAttribute
from shared_nodes.providers.builtin import BUILTIN_SCHEMA
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.state.file import StateMeta
from shared_nodes.state.model import CheckedObject, CheckResult, InstanceObject, ObjectStatus, State
from shared_nodes.state.stored_addresses import parse_instance
from shared_nodes.values.json import JsonNumber
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.paths import AttributeStep, IndexStep
from shared_nodes.values.types import STRING
from shared_nodes.values.value import NULL_DYNAMIC, integer, object_of, string, tuple_of, unknown
from shared_nodes.world import Files
from tests.unit.shared_nodes.plan.making import NEW_ID, PROVIDER, SCHEMAS, change, plan_of, thing

META = StateMeta("lineage", 7, "1.11.4")


def full_plan() -> Plan:
    """Return a plan that contains every kind of content."""
    secret = object_of({"a": string("x").mark(SENSITIVE), "b": unknown(STRING)})
    plan = plan_of(
        [
            change("terraform_data.new", after=thing(NEW_ID, secret, unknown(secret.type))),
            replace(
                change("module.m[0].terraform_data.old", Action.CREATE_THEN_DELETE, thing("1"), thing(NEW_ID)),
                reason=ActionReason.REPLACE_CANNOT_UPDATE,
                replace_paths=((AttributeStep("triggers_replace"), IndexStep(integer(0)), IndexStep(string("k"))),),
                private=b"\x00\xff",
            ),
            change('terraform_data.k["a"]', Action.DELETE, thing("2"), deposed="deadbeef"),
            change("terraform_data.moved", Action.NO_OP, thing("3"), thing("3"), previous="terraform_data.was[1]"),
            change("terraform_data.imported", Action.UPDATE, thing("4"), thing("4", integer(1)), importing="4"),
        ],
        [OutputChange(ROOT_INSTANCE, "o", Action.UPDATE, integer(1), unknown(STRING), sensitive=True)],
        Mode.REFRESH_ONLY,
        [change("terraform_data.drifted", Action.UPDATE, thing("5"), thing("5", integer(1)))],
    )
    state = State()
    state.put(parse_instance("terraform_data.moved"), PROVIDER, InstanceObject(ObjectStatus.READY, stored={"id": "3"}))
    checked = CheckedObject("terraform_data.a[0]", "fail", ("why",))
    return replace(
        plan,
        prior_state=state,
        checks=(
            CheckResult("resource", "terraform_data.a", "fail", (checked,)),
            CheckResult("check", "c", "pass", None),
        ),
        variables={"v": tuple_of([integer(1), NULL_DYNAMIC])},
        apply_time_variables=frozenset(["e"]),
        targets=("module.m",),
        excludes=("module.n",),
        force_replace=("terraform_data.new",),
        errored=True,
        relevant_attributes=(ResourceAttribute(parse_instance("terraform_data.new"), (AttributeStep("id"),)),),
        execution={"steps": [JsonNumber("1"), None]},
    )


def save(path: Path, plan: Plan) -> None:
    write_plan(path, SavedPlan(plan, META, {"main.tf": b"\xff", "m/x.tf": b""}), SCHEMAS)


def loaded(path: Path) -> SavedPlan:
    saved = read_plan(path)
    assert isinstance(saved, SavedPlan), saved
    return saved


def test_everything_comes_back(tmp_path: Path) -> None:
    plan = full_plan()
    save(tmp_path / "p", plan)
    saved = loaded(tmp_path / "p")
    assert replace(saved.plan, prior_state=plan.prior_state) == plan
    assert [str(address) for address, _ in saved.plan.prior_state.instances()] == ["terraform_data.moved"]
    assert (saved.meta, saved.configuration) == (META, {"main.tf": b"\xff", "m/x.tf": b""})


def test_outputs_of_modules_are_not_saved(tmp_path: Path) -> None:
    inner = OutputChange(ROOT_INSTANCE.child("m"), "o", Action.CREATE, NULL_DYNAMIC, integer(1))
    outer = replace(inner, module=ROOT_INSTANCE)
    save(tmp_path / "p", plan_of(outputs=[inner, outer]))
    assert list(loaded(tmp_path / "p").plan.changes.outputs.values()) == [outer]


def test_one_plan_is_one_sequence_of_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        save(tmp_path / name, full_plan())
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    ("current", "summary"),
    [
        (META, None),
        (replace(META, serial=8), "Saved plan is stale"),
        (replace(META, lineage="other"), "Saved plan does not match the given state"),
        (StateMeta(), "Saved plan does not match the given state"),
    ],
)
def test_a_plan_fits_only_its_own_state(current: StateMeta, summary: str | None) -> None:
    problem = stale_problem(SavedPlan(plan_of(), META, {}), current)
    assert (problem.summary if problem else None) == summary


def test_a_plan_fits_only_its_own_schemas(tmp_path: Path) -> None:
    save(tmp_path / "p", plan_of())
    saved = loaded(tmp_path / "p")
    assert schema_problem(saved, SCHEMAS) is None
    assert schema_problem(saved, {BUILTIN: ProviderSchema()}) is not None


def test_plans_saved_by_earlier_versions_fit_the_builtin_provider() -> None:
    """The digest was written into plan files before the classes of schemas had their present names."""
    digest = "0595065fdc47444974345923107e6969a2d50e3a625fdd068a1a6bc7c289b698"
    saved = SavedPlan(plan_of(), StateMeta(), {}, {str(BUILTIN): digest})
    assert schema_problem(saved, {BUILTIN: BUILTIN_SCHEMA}) is None


def test_the_configuration_is_the_one_that_was_planned(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "m").mkdir(parents=True)
    (tmp_path / "beside").mkdir()
    (root / "main.tf").write_text('module "m" {\n source = "./m"\n}\nmodule "n" {\n source = "../beside"\n}\n')
    (root / "m" / "x.tf.json").write_text('{"locals": {"a": 1}}')
    (tmp_path / "beside" / "y.tf").write_text('output "o" {\n value = 1\n}\n')
    (root / "notes.txt").write_text("not configuration")
    config, _ = load_configuration(Files(root))
    assert config is not None
    configuration = snapshot_of(config, Files(root))
    assert sorted(configuration) == ["../beside/y.tf", "m/x.tf.json", "main.tf"]
    for path in (root / "main.tf", root / "m" / "x.tf.json"):
        path.unlink()
    files = SavedPlan(plan_of(), META, configuration).files(Files(root))
    assert isinstance(files, SnapshotFiles)
    again, problems = load_configuration(files)
    assert problems == []
    assert again is not None
    assert sorted(again.children) == ["m", "n"]
    assert files.read_bytes("notes.txt") == b"not configuration"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    problem = read_plan(tmp_path / "p")
    assert isinstance(problem, Diagnostic)
    assert (problem.summary, problem.detail) == (
        'Failed to load "p" as a plan file',
        "Error: stat p: no such file or directory",
    )


def test_a_damaged_file_gives_one_answer_whatever_is_damaged(tmp_path: Path) -> None:
    save(tmp_path / "good", full_plan())
    content = (tmp_path / "good").read_bytes()
    chance = random.Random(1)
    path = tmp_path / "bad"
    for _ in range(150):
        damaged = bytearray(content)
        for _ in range(chance.randrange(1, 4)):
            damaged[chance.randrange(len(damaged))] ^= chance.randrange(1, 256)
        path.write_bytes(damaged[: chance.choice([len(damaged), chance.randrange(len(damaged))])])
        outcome = read_plan(path)
        if isinstance(outcome, Diagnostic):
            assert outcome.summary == 'Failed to load "bad" as a plan file'


@pytest.mark.parametrize(
    ("member", "content"),
    [
        ("plan.json", b"{}"),
        ("plan.json", b'{"format":2}'),
        ("plan.json", b"\xff"),
        ("prior.tfstate", b'{"version":9}'),
        ("config.json", b"{}"),
        ("config.json", b'["a","b","c"]'),
    ],
)
def test_an_archive_of_something_else(tmp_path: Path, member: str, content: bytes) -> None:
    save(tmp_path / "good", full_plan())
    with zipfile.ZipFile(tmp_path / "good") as good, zipfile.ZipFile(tmp_path / "bad", "w") as bad:
        for name in good.namelist():
            bad.writestr(name, content if name == member else good.read(name))
    problem = read_plan(tmp_path / "bad")
    assert isinstance(problem, Diagnostic)
    assert problem.detail == "Error: this is not a saved plan, or it was changed after it was saved"
