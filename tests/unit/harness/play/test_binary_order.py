"""Binaries report the order of effects: from the apply graph they draw, or from the execution graph they log."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from harness.case.steps import Step
from harness.compare.ruling import Ruling
from harness.engines.external import ExternalBinary, Surrounding
from harness.observe.json_trees import as_items, as_object
from harness.observe.observation import Observation
from harness.play.artifacts import GRAPH_FILE, ArtifactWriter
from harness.play.binary_order import has_execution_graph
from harness.play.external_step import BinarySteps
from harness.play.schedule import Schedule
from harness.play.step_context import EngineSpec, StepContext
from shared_nodes.values.json import JsonNumber
from shared_nodes.world import Files, World
from tests.judging import judge_engines
from tests.unit.harness.findings.patched import write_case

SWITCH: Final = {"TOFU_X_EXPERIMENTAL_RUNTIME": "1"}

PROGRAM: Final = """
import json, os, pathlib, sys
command, *arguments = sys.argv[1:]
given = dict(argument.lstrip("-").partition("=")[::2] for argument in arguments)
if command == "version":
    print("OpenTofu v1.12.6")
elif command == "plan":
    pathlib.Path(given["out"]).write_text("a plan")
    if "TF_LOG_PATH" in os.environ:
        assert os.environ["TF_LOG"] == "debug"
        pathlib.Path(os.environ["TF_LOG_PATH"]).write_text(LOG)
elif command == "show":
    created = [f"terraform_data.{name}" for name in "ab"]
    changes = [{"address": address, "change": {"actions": ["create"]}} for address in created]
    print(json.dumps({"resource_changes": changes}))
elif command == "graph":
    with open(os.path.join(os.environ["HOME"], "asked"), "a") as file:
        print(*arguments, file=file)
    print('"[root] terraform_data.b" -> "[root] terraform_data.a"')
elif command == "apply":
    assert "TF_LOG" not in os.environ
"""

LOG: Final = """2020-01-01T00:00:00.000Z [DEBUG] Planned execution graph:
  v[0] = cty.StringVal("a secret");

  r[0] = ResourceInstanceCurrentMeta(terraform_data.a, nil);
  r[1] = ResourceInstanceDesired(r[0]);
  r[2] = ManagedFinalPlan(r[0], r[1], nil, v[0]);
  r[3] = ManagedApply(r[2], nil, await());
  r[4] = ResourceInstanceCurrentMeta(terraform_data.b, nil);
  r[5] = ResourceInstanceDesired(r[4]);
  r[6] = ManagedFinalPlan(r[4], r[5], nil, v[0]);
  r[7] = ManagedApply(r[6], nil, await());

  terraform_data.a = r[3];
  terraform_data.b = r[7];
2020-01-01T00:00:00.001Z [DEBUG] the end
"""

CONFIGURATION: Final = """
resource "terraform_data" "a" {}
resource "terraform_data" "b" {
  input = terraform_data.a.id
}
"""

EFFECTS: Final = [["terraform_data.a", "create"], ["terraform_data.b", "create"]]
FIRST_TO_SECOND: Final = [[JsonNumber("0"), JsonNumber("1")]]
USES: Final = {"terraform_data.b": ["terraform_data.a"]}

Run = Callable[..., Observation]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def run(tmp_path: Path, home: Path) -> Run:
    """Return a function that applies the configuration by a fake binary."""
    directory, scratch = tmp_path / "work", tmp_path / "scratch"
    directory.mkdir()
    scratch.mkdir()
    (directory / "main.tf").write_text(CONFIGURATION)

    def apply(
        operation: str = "apply",
        *,
        log: str = LOG,
        is_new: bool = False,
        with_orders: bool = False,
        with_graphs: bool = False,
    ) -> Observation:
        program = tmp_path / "tofu"
        program.write_text(f"#!{sys.executable} -IS\nLOG = {log!r}\n{PROGRAM}")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        binary = ExternalBinary("tofu", program, SWITCH if is_new else {})
        surrounding = Surrounding(home, scratch)
        context = StepContext(EngineSpec("tofu", "opentofu-1.12"), World(Files(directory)))
        steps = BinarySteps(
            binary, surrounding, Schedule(), 60, context, with_graphs=with_graphs, with_orders=with_orders
        )
        observation, _ = steps.run(directory, Step(operation, "v1"), None)
        return observation

    return apply


def test_order_is_read_off_the_graph_that_a_binary_draws(run: Run, home: Path) -> None:
    observation = run(with_orders=True)
    assert observation["order"] == {"effects": EFFECTS, "before": FIRST_TO_SECOND, "uses": USES}
    (asked,) = (home / "asked").read_text().splitlines()
    assert asked.startswith("-type=apply -plan=")


def test_order_of_the_new_runtime_is_read_off_what_it_logs(run: Run, home: Path) -> None:
    """It is not asked for a graph, which would be that of the old runtime."""
    observation = run(is_new=True, with_orders=True)
    assert observation["order"] == {"effects": EFFECTS, "before": [], "evaluation": FIRST_TO_SECOND, "uses": USES}
    assert not (home / "asked").exists()


def test_execution_graph_is_kept_without_its_constants(run: Run) -> None:
    text = run(is_new=True, with_orders=True)["execution_graph"]
    assert isinstance(text, str)
    assert text.startswith("r[0] = ResourceInstanceCurrentMeta(terraform_data.a, nil);\n")
    assert "secret" not in text


@pytest.mark.parametrize("is_new", [False, True])
def test_binary_that_is_not_asked_reports_no_order(run: Run, home: Path, is_new: bool) -> None:
    observation = run(is_new=is_new)
    assert "order" not in observation
    assert "execution_graph" not in observation
    assert not (home / "asked").exists()


def test_plan_alone_has_no_order(run: Run) -> None:
    assert "order" not in run("plan", with_orders=True)


def test_recording_takes_the_execution_graph_and_no_graph_of_the_other_runtime(run: Run) -> None:
    observation = run(is_new=True, with_graphs=True)
    assert "execution_graph" in observation
    assert "graph" not in observation


def test_graph_that_cannot_be_read_is_no_order(run: Run) -> None:
    observation = run(is_new=True, with_orders=True, log="x [DEBUG] Planned execution graph:\n  something new\n")
    assert "order" not in observation
    assert observation["execution_graph"] == (
        "the execution graph cannot be read: 'something new' is no operation, constant or result"
    )


def test_log_without_a_graph_is_no_order(run: Run) -> None:
    observation = run(is_new=True, with_orders=True, log="x [DEBUG] nothing was planned\n")
    assert "order" not in observation
    assert "execution_graph" not in observation


def test_only_the_switch_makes_an_execution_graph(tmp_path: Path) -> None:
    assert not has_execution_graph(ExternalBinary("tofu", tmp_path))
    assert has_execution_graph(ExternalBinary("tofu-experimental", tmp_path, SWITCH))


@pytest.mark.parametrize(("is_new", "begins"), [(False, '"[root] terraform_data.b"'), (True, "r[0] = ")])
def test_graph_of_a_binary_is_kept_for_inspection(run: Run, tmp_path: Path, is_new: bool, begins: str) -> None:
    observation = run(is_new=is_new, with_orders=True)
    writer = ArtifactWriter(tmp_path / "kept")
    writer.begin_run("tofu")
    writer.begin_step(Step("apply", "v1"), None)
    writer.end_step(Step("apply", "v1"), tmp_path / "work", observation, None)
    (file,) = (tmp_path / "kept").glob(f"*/*/{GRAPH_FILE}")
    assert file.read_text().startswith(begins)


CHANGING: Final = """
resource "terraform_data" "first" {
  triggers_replace = VERSION
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "several" {
  count = 4 - VERSION
  input = terraform_data.first.id
}
resource "terraform_data" "last" {
  triggers_replace = terraform_data.several[0].id
  depends_on       = [terraform_data.checked]
}
resource "terraform_data" "checked" {
  lifecycle {
    precondition {
      condition     = terraform_data.first.id != ""
      error_message = "none"
    }
  }
}
"""


@pytest.mark.terraform
def test_real_order_is_that_of_our_engines(tmp_path: Path) -> None:
    texts = {f"v{number}/main.tf": CHANGING.replace("VERSION", str(number)) for number in (1, 2)}
    steps = "steps: [{op: apply, config: v1}, {op: apply, config: v2}, {op: destroy, config: v2}]"
    verdict = judge_engines(write_case(tmp_path, steps, texts), ["terraform", "legacy", "new"])
    assert {found.ruling for _, found in verdict.all} == {Ruling.EQUAL}
    orders = [step["order"] for step in verdict.observations["terraform"].values() if "order" in step]
    assert [len(as_items(as_object(order)["effects"])) for order in orders] == [6, 6, 5]
