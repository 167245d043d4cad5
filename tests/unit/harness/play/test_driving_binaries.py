"""How binaries are driven, with a program that answers like one: crashes and failures to initialise are observations of
a step, plans are applied saved and at once, and every variation is said."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from harness.case.prelude import PRELUDE_FILE, read_prelude
from harness.cli import commands
from harness.compare.ruling import Ruling
from harness.compare.verdict import CaseVerdict
from harness.engine_settings import EngineSettings
from harness.engines.external import find_binary, has_new_runtime, is_external, require_engine
from harness.engines.registry import EngineNotFoundError
from harness.findings.case_findings import findings_of
from harness.observe.json_trees import as_object
from harness.observe.observation import observed_plan, would_change
from harness.play.schedule import PlanTransfer, every_schedule
from shared_nodes.values.json import Tree
from tests.judging import judge_engines
from tests.unit.harness.play.fake_tofu import calls_of, make_fake_tofu

MakeCase = Callable[..., Path]
CRASH: Final = {
    "panic": "panic: operation 6 has no result at 0x?",
    "frame": "github.com/opentofu/opentofu/internal/engine.(*graph).add",
}
BOTH_WAYS: Final = every_schedule([0], [10], [PlanTransfer.FILE, PlanTransfer.MEMORY])


@pytest.fixture
def tofu(tmp_path: Path) -> Path:
    return make_fake_tofu(tmp_path / "bin")


@pytest.fixture
def make_case(tmp_path: Path) -> MakeCase:
    """Return a function that makes a case of steps, each with a configuration of one comment."""

    def made(*steps: str, more: str = "", **configurations: str) -> Path:
        directory = tmp_path / "area" / "case"
        for name, text in configurations.items():
            (directory / name).mkdir(parents=True)
            (directory / name / "main.tf").write_text(text)
        listed = "".join(f"  - {{{step}}}\n" for step in steps)
        (directory / "case.yaml").write_text(f"description: x\nflavour: opentofu\n{more}steps:\n{listed}")
        return directory

    return made


def observe(verdict: CaseVerdict, engine: Path | str) -> list[Mapping[str, Any]]:
    """Return the observations of the steps."""
    return [step for place, step in verdict.observations[str(engine)].items() if place.startswith("step")]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(commands, ["run", "--allow-exec", "--jobs", "1", *map(str, arguments)])


# Crashes


def test_a_crash_is_an_observation_and_the_story_goes_on(tofu: Path, make_case: MakeCase) -> None:
    case = make_case("op: plan, config: v1", "op: plan, config: v2", v1="# crash plan\n", v2="# fine\n")
    verdict = judge_engines(case, [str(tofu)])
    broken, whole = observe(verdict, tofu)
    assert broken["crash"] == {"phase": "plan", **CRASH}
    assert (broken["ok"], broken["plan"], broken["diagnostics"]) == (False, None, [])
    assert (whole["ok"], "crash" in whole) == (True, False)
    (finding,) = findings_of(verdict)
    assert finding.signature.ruling is Ruling.CRASH
    assert finding.signature.shape == f"crash[panic: operation ? has no result at ?x? in {CRASH['frame']}]"
    assert "harness" not in finding.got + finding.signature.shape


def test_a_crash_is_the_same_in_two_runs(tofu: Path, make_case: MakeCase) -> None:
    case = make_case("op: apply, config: v1", v1="# crash apply\n")
    verdict = judge_engines(case, [str(tofu)], repeat=3)
    assert verdict.of[str(tofu)].runs == 3
    assert verdict.varies == {}


def test_the_story_goes_on_with_the_state_that_a_crash_has_left(tofu: Path, make_case: MakeCase) -> None:
    case = make_case("op: apply, config: v1", "op: plan, config: v2", v1="# crash apply\n", v2="# fine\n")
    broken, _ = observe(judge_engines(case, [str(tofu)]), tofu)
    assert broken["crash"]["phase"] == "apply"
    assert [resource["name"] for resource in broken["state"]["resources"]] == ["a"]
    assert [event[0] for event in broken["events"]] == ["apply_start"]
    assert "apply_summary" not in broken


@pytest.mark.parametrize("command", ["validate", "show"])
def test_other_commands_may_crash_as_well(tofu: Path, make_case: MakeCase, command: str) -> None:
    operation = "validate" if command == "validate" else "plan"
    case = make_case(f"op: {operation}, config: v1", v1=f"# crash {command}\n")
    (broken,) = observe(judge_engines(case, [str(tofu)]), tofu)
    assert broken["crash"] == {"phase": operation, **CRASH}
    assert broken["ok"] is False


def test_a_run_reports_a_crash_and_exits_with_3(tofu: Path, make_case: MakeCase, tmp_path: Path) -> None:
    case = make_case("op: plan, config: v1", v1="# crash plan\n")
    result = run(case, "--engines", tofu, "--out", tmp_path / "run")
    assert result.exit_code == 3
    assert "1 case: 1 crash." in result.output
    assert "Traceback" not in result.output
    assert "of ours" not in result.output


# Initialising


def test_a_failure_to_initialise_is_an_observation(tofu: Path, make_case: MakeCase) -> None:
    case = make_case("op: plan, config: v1, vars: {n: 1}", v1='# fail init\nmodule "m" {}\n')
    (step,) = observe(judge_engines(case, [str(tofu)]), tofu)
    problem = {"phase": "init", "severity": "error", "summary": "No init", "detail": "Sorry."}
    assert step["init"] == {"ok": False, "diagnostics": [problem]}
    assert step["ok"] is True
    call = calls_of(tofu, "init")[-1]
    assert any(argument.startswith("-var-file=") for argument in call["arguments"])


def test_a_crash_of_init_is_part_of_it(tofu: Path, make_case: MakeCase) -> None:
    case = make_case("op: plan, config: v1", v1='# crash init\nmodule "m" {}\n')
    (step,) = observe(judge_engines(case, [str(tofu)]), tofu)
    assert step["init"] == {"ok": False, "diagnostics": [], "crash": CRASH}
    assert "crash" not in step


def test_two_binaries_are_compared_in_it_and_an_engine_in_process_is_not(
    tofu: Path, make_case: MakeCase, tmp_path: Path
) -> None:
    other = make_fake_tofu(tmp_path / "other")
    other.write_text(other.read_text().replace('f"# fail {command}" in text', "False"))
    case = make_case("op: plan, config: v1", v1='# fail init\nterraform {\n  backend "local" {}\n}\n')
    verdict = judge_engines(case, [str(other), str(tofu), "legacy"])
    assert {difference.field for _, difference in verdict.between[str(tofu)].differences} == {"init.diagnostics"}
    fields = {difference.field for _, difference in verdict.between["legacy"].differences}
    assert not any(field.startswith("init") for field in fields)


# Plans, saved and at once


def test_a_plan_is_applied_at_once_with_the_options_it_was_made_with(tofu: Path, make_case: MakeCase) -> None:
    case = make_case("op: apply, config: v1, target: [terraform_data.a], refresh: false", v1="# fine\n")
    verdict = judge_engines(case, [str(tofu)], BOTH_WAYS)
    saved, at_once = (call["arguments"] for call in calls_of(tofu, "apply"))
    assert saved[-1].endswith(".tfplan")
    assert {"-auto-approve", "-target=terraform_data.a", "-refresh=false"} <= {*at_once}
    assert not any(argument.endswith(".tfplan") for argument in at_once)
    assert verdict.of[str(tofu)].ruling is Ruling.EQUAL, "what planning says again is left out"
    assert verdict.of[str(tofu)].runs == 2


def test_saved_plans_that_fail_are_a_difference_from_plans_applied_at_once(tofu: Path, make_case: MakeCase) -> None:
    case = make_case("op: apply, config: v1", v1="# saved plans fail\n")
    verdict = judge_engines(case, [str(tofu)], BOTH_WAYS)
    assert verdict.of[str(tofu)].ruling is Ruling.NOISE
    assert verdict.of[str(tofu)].schedule == BOTH_WAYS[1]
    found = verdict.varies[str(tofu)]
    assert "step 1 (apply v1): crash varies: 1 of 2 runs" in found


# Names


def test_a_kind_before_a_path_names_a_binary(tofu: Path, tmp_path: Path) -> None:
    named = [f"{kind}:{tofu}" for kind in ("tofu", "terraform", "experimental")]
    assert all(map(is_external, named))
    assert not any(map(is_external, ["recorded:tofu", "recorded:a/b", "other:tofu"]))
    assert is_external("/opt/a:b/tofu")
    assert {find_binary(name).program for name in named} == {tofu}
    assert find_binary(named[2]).version == "opentofu 1.12.6 with TOFU_X_EXPERIMENTAL_RUNTIME=1"
    with pytest.raises(EngineNotFoundError, match=f"the engine tofu:{tmp_path}/no is not here"):
        find_binary(f"tofu:{tmp_path}/no")


def test_a_binary_must_be_what_its_name_says(tofu: Path) -> None:
    require_engine(f"tofu:{tofu}")
    with pytest.raises(EngineNotFoundError, match=r"terraform:\S+ cannot be used: \S+ is opentofu 1.12.6"):
        require_engine(f"terraform:{tofu}")


def test_a_release_build_is_refused_as_the_new_runtime(tofu: Path, make_case: MakeCase) -> None:
    case = make_case("op: plan, config: v1", v1="# fine\n")
    result = run(case, "--engines", f"{tofu},experimental:{tofu}")
    assert result.exit_code == 2
    assert "ignores TOFU_X_EXPERIMENTAL_RUNTIME=1" in result.output.replace("\n", " ")
    assert calls_of(tofu, "show") == [], "no case was run"


def test_a_build_with_experiments_is_asked_once(tmp_path: Path) -> None:
    tofu = make_fake_tofu(tmp_path / "experiments", has_new_runtime=True)
    for _ in range(2):
        require_engine(f"experimental:{tofu}")
        assert has_new_runtime(find_binary(f"experimental:{tofu}"))
    assert not has_new_runtime(find_binary(f"tofu:{tofu}"))
    assert len(calls_of(tofu, "plan")) == 2, "once with the switch and once without"


def test_the_doctor_says_whether_the_switch_takes_effect(
    tofu: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def line() -> Any:
        result = CliRunner().invoke(commands, ["doctor", "--json"])
        return next(each for each in json.loads(result.output) if each["part"] == "tofu-experimental")

    monkeypatch.setenv("PATH", str(tofu.parent))
    assert (line()["state"], "ignores the switch" in line()["note"]) == ("absent", True)
    new = make_fake_tofu(tmp_path / "experiments", has_new_runtime=True)
    monkeypatch.setenv("PATH", str(new.parent))
    assert (line()["state"], "takes effect" in line()["note"]) == ("ok", True)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert line()["state"] == "absent"


# Preludes


@pytest.mark.parametrize(("more", "is_added"), [("", True), ("prelude: false\n", False)])
def test_a_prelude_is_added_to_modules_that_declare_nothing(
    tofu: Path, make_case: MakeCase, more: str, is_added: bool
) -> None:
    case = make_case("op: plan, config: v1", more=more, v1='module "m" {\n  source = "./m"\n}\n')
    for name, text in (
        ("m/main.tf", ""),
        ("n/main.tf", "terraform {\n  required_providers {}\n}\n"),
        ("data/a.txt", ""),
    ):
        (case / "v1" / name).parent.mkdir()
        (case / "v1" / name).write_text(text)
    verdict = judge_engines(case, [str(tofu), "legacy"], prelude=read_prelude("builtin"))
    added = [name for name in calls_of(tofu, "plan")[-1]["files"] if name.endswith(PRELUDE_FILE)]
    assert added == (["m/zz_prelude.tf", "zz_prelude.tf"] if is_added else [])
    assert observe(verdict, "legacy")[0]["ok"] is True
    assert not list(case.rglob(PRELUDE_FILE)), "the case itself is left alone"


def test_the_prelude_of_a_run_is_named_where_it_is_run_again(tofu: Path, make_case: MakeCase, tmp_path: Path) -> None:
    case, file = make_case("op: plan, config: v1", v1="# crash plan\n"), tmp_path / "mine.tf"
    file.write_text("# mine\n")
    result = run(case, "--engines", tofu, "--prelude", file, "--out", tmp_path / "run")
    assert f"--prelude {file}" in result.output
    refused = run(case, "--engines", tofu, "--prelude", tmp_path / "none.tf")
    assert (refused.exit_code, "builtin names the shipped one" in refused.output.replace("\n", " ")) == (2, True)


# Settings of single engines


def test_an_engine_has_the_environment_the_project_gives_it(tofu: Path, make_case: MakeCase) -> None:
    case = make_case("op: plan, config: v1", v1="# fine\n")
    settings = {str(tofu): EngineSettings({"GODEBUG": "x", "TOFU_X_FEATURE": "1"}, "debug")}
    judge_engines(case, [str(tofu)], engine_settings=settings)
    environment = calls_of(tofu, "plan")[-1]["environment"]
    assert (environment["GODEBUG"], environment["TF_LOG"], environment["TOFU_X_FEATURE"]) == ("x", "debug", "1")
    binary = find_binary(str(tofu), settings[str(tofu)])
    assert binary.version == "opentofu 1.12.6 with TOFU_X_FEATURE=1", "what selects an engine is named, and no more"


def test_an_engine_has_the_time_the_project_gives_it(make_case: MakeCase, tmp_path: Path) -> None:
    tofu = make_fake_tofu(tmp_path / "slow")
    tofu.write_text(tofu.read_text().replace('if command == "validate"', "import time; time.sleep(60)\nif 0"))
    case = make_case("op: validate, config: v1", v1="# fine\n")
    verdict = judge_engines(case, [str(tofu)], engine_settings={str(tofu): EngineSettings(timeout_s=0.5)})
    assert verdict.of[str(tofu)].crash == "0.5 s were not enough, see --timeout"


# Repetition


def test_an_order_that_varies_is_information_and_no_failure(tofu: Path, make_case: MakeCase, tmp_path: Path) -> None:
    case = make_case("op: apply, config: v1", v1="# vary\n")
    text = tofu.read_text().replace('# vary" in text and number % 2', '# vary" in text and number > 6')
    tofu.write_text(text)
    document = tmp_path / "run.json"
    result = run(case, "--engines", tofu, "--repeat", "3", "--out", tmp_path / "run", "--json", document)
    assert (result.exit_code, "1 case: 1 equal." in result.output) == (0, True)
    said = "step 1 (apply v1): order varies in state.resources[].instances[].dependencies: 2 of 3 runs"
    assert said in result.output
    (found,) = json.loads(document.read_text())["results"]
    assert (found["varies"], found["runs"]) == ({str(tofu): [said]}, {str(tofu): 3})
    assert "x 3 times by binaries" in result.output
    assert "another seed" not in result.output


# Plans of OpenTofu


def test_what_a_plan_does_not_say_is_not_false(tofu: Path, make_case: MakeCase) -> None:
    document: dict[str, Tree] = {"resource_changes": [], "output_changes": {}, "errored": False}
    plan = observed_plan(document)
    assert not {"complete", "applyable"} & plan.keys()
    assert not would_change(plan)
    case = make_case("op: plan, config: v1", v1="# fine\n")
    verdict = judge_engines(case, [str(tofu), "legacy", "new"])
    for engine in ("legacy", "new"):
        fields = {difference.field for _, difference in verdict.between[engine].differences}
        assert not {"plan.complete", "plan.applyable"} & fields


def test_a_binary_of_another_release_does_not_agree_with_a_recording(
    tofu: Path, make_case: MakeCase, tmp_path: Path
) -> None:
    case = make_case("op: validate, config: v1", v1="# fine\n")
    verdict = {"ok": True, "diagnostics": []}
    golden = {"engine": "opentofu 1.9.0", "validate": {"v1": verdict}, "steps": [{"op": "validate", **verdict}]}
    (case / "golden.json").write_text(json.dumps(golden))
    document = tmp_path / "run.json"
    run(case, "--engines", f"{tofu},legacy", "--out", tmp_path / "run", "--json", document)
    (found,) = json.loads(document.read_text())["results"]
    assert found["agrees"] == ["legacy"]


# The real binary

SCENARIOS: Final = Path(__file__).parents[4] / "corpus" / "conformance" / "scenarios"


@pytest.mark.terraform
def test_terraform_does_the_same_with_saved_plans_and_at_once() -> None:
    """The case has warnings that planning reports, and failed checks that both report."""
    verdict = judge_engines(SCENARIOS / "checks" / "check-multiple-asserts", ["terraform"], BOTH_WAYS)
    assert (verdict.of["terraform"].ruling, verdict.of["terraform"].runs) == (Ruling.EQUAL, 2)


@pytest.mark.terraform
def test_terraform_says_why_it_could_not_be_initialised() -> None:
    verdict = judge_engines(SCENARIOS / "modules" / "module-source-missing", ["terraform"])
    found = [step["init"] for step in verdict.observations["terraform"].values() if "init" in step]
    assert found
    assert all(as_object(init)["diagnostics"] for init in found)


@pytest.mark.terraform
def test_terraform_is_no_new_runtime() -> None:
    with pytest.raises(EngineNotFoundError, match="is terraform 1"):
        require_engine(f"experimental:{find_binary('terraform').program}")
