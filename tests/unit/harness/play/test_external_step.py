"""Binaries as engines, tested with fake programs: every mistake of a binary is a verdict with a reason, and nothing is
left behind."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from harness.case.unit import Unit, UnitKind
from harness.cli import commands
from harness.compare.ruling import Ruling
from harness.engines import external
from harness.engines.external import (
    EXTERNAL,
    BinaryFailedError,
    BinaryHungError,
    ExternalBinary,
    Surrounding,
    find_binary,
    is_external,
    require_engine,
    run_binary,
    version_of,
)
from harness.engines.registry import EngineNotFoundError
from harness.execute.judge import judge_unit
from harness.findings.result import result_from_json, result_to_json
from harness.observe.json_trees import as_objects
from harness.play import external_step
from harness.play.run_spec import RunSpec
from harness.play.schedule import every_schedule
from harness.play.stopwatch import Stopwatch
from harness.record.recording import golden_text, partial_order
from shared_nodes.values.json import Tree, dumps, loads
from tests.judging import judge_by_recording, judge_engines

Make = Callable[[str], Path]

OBEDIENT: Final = """
import json, os, sys
arguments = sys.argv[1:]
if arguments[0] == "version":
    print("Terraform v9.8.7")
elif arguments[0] == "validate":
    problem = {"severity": "error", "summary": "Bad", "detail": os.environ.get("DETAIL", "very")}
    print(json.dumps({"valid": False, "diagnostics": [problem]}))
    sys.exit(1)
"""


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return a function that makes an executable from Python source."""

    def made(source: str) -> Path:
        program = tmp_path / "terraform"
        program.write_text(f"#!{sys.executable} -IS\n{source}")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return program

    return made


@pytest.fixture
def case(tmp_path: Path) -> Path:
    directory = tmp_path / "area" / "case"
    (directory / "v1").mkdir(parents=True)
    (directory / "v1" / "main.tf").write_text("locals {\n  a = 1\n}\n")
    (directory / "case.yaml").write_text("description: x\nsteps: [{op: validate, config: v1}]\n")
    found = {"phase": "validate", "severity": "error", "summary": "Bad", "detail": "very"}
    verdict = {"ok": False, "diagnostics": [found]}
    golden = {"validate": {"v1": verdict}, "steps": [{"op": "validate", "config": "v1", **verdict}]}
    (directory / "golden.json").write_text(json.dumps(golden))
    return directory


@pytest.fixture
def run_command(tmp_path: Path) -> Callable[..., Any]:
    """Return a function that runs one command of a program in an environment of its own."""
    home, scratch = tmp_path / "home", tmp_path / "scratch"
    home.mkdir()
    scratch.mkdir()

    def ask(program: Path, *arguments: str, timeout_s: float = 60, most_output: int = external.MOST_OUTPUT) -> Any:
        binary = ExternalBinary("terraform", program)
        return run_binary(
            binary, arguments, home, Surrounding(home, scratch), timeout_s=timeout_s, most_output=most_output
        )

    return ask


# Names


def test_names_and_paths_are_told_from_engines_in_process() -> None:
    assert all(map(is_external, [*EXTERNAL, "/opt/terraform", "./tofu"]))
    assert not any(map(is_external, ["legacy", "new", "terrafrom"]))


def test_a_missing_binary_is_one_message(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineNotFoundError, match="the engine tofu-experimental is not here: tofu is not on the PATH"):
        find_binary("tofu-experimental")
    with pytest.raises(EngineNotFoundError, match="/no/where is not a program"):
        find_binary("/no/where")
    with pytest.raises(EngineNotFoundError, match="no engine named terrafrom; there are legacy, new, terraform, tofu"):
        require_engine("terrafrom")


def test_the_command_line_refuses_a_missing_binary(case: Path) -> None:
    result = CliRunner().invoke(commands, ["run", str(case), "--engines", "/no/where,legacy"])
    assert result.exit_code == 2
    assert "the engine /no/where is not here" in result.output


def test_the_new_runtime_of_tofu_is_the_same_program_with_a_switch(
    monkeypatch: pytest.MonkeyPatch, make: Make, tmp_path: Path
) -> None:
    program = make(OBEDIENT)
    program.rename(tmp_path / "tofu")
    monkeypatch.setenv("PATH", str(tmp_path))
    usual, experimental = find_binary("tofu"), find_binary("tofu-experimental")
    assert usual.program == experimental.program == tmp_path / "tofu"
    switch = "TOFU_X_EXPERIMENTAL_RUNTIME"
    assert switch not in Surrounding(tmp_path, tmp_path).environment(usual)
    assert Surrounding(tmp_path, tmp_path).environment(experimental)[switch] == "1"


# Processes


def test_nothing_of_the_outer_environment_gets_in(
    monkeypatch: pytest.MonkeyPatch, make: Make, run_command: Callable[..., Any]
) -> None:
    for name in ("TF_VAR_a", "TF_LOG", "TF_CLI_ARGS", "TF_PLUGIN_CACHE_DIR", "AWS_SECRET_ACCESS_KEY", "TF_WORKSPACE"):
        monkeypatch.setenv(name, "outside")
    monkeypatch.setenv("HOME", "/outside")
    answer = run_command(make("import json, os\nprint(json.dumps(dict(os.environ)))"), "validate")
    found = {name: value for name, value in answer.document().items() if not name.startswith("LC_")}
    assert "outside" not in json.dumps(found)
    assert found["CHECKPOINT_DISABLE"] == "1"
    assert {name for name in found if name.startswith("TF_")} == {"TF_DATA_DIR", "TF_CLI_CONFIG_FILE"}
    assert "filesystem_mirror" in Path(found["TF_CLI_CONFIG_FILE"]).read_text()


def test_a_hang_is_ended_with_all_it_started(
    make: Make, run_command: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A surviving child would keep the pipe open, which is read to its end here however long that takes."""
    monkeypatch.setattr(external, "_GRACE_S", None)
    child = "import time; time.sleep(600)"
    program = make(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])")
    with pytest.raises(BinaryHungError, match="terraform plan: no end after 2 s"):
        run_command(program, "plan", timeout_s=2)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import os; os.kill(os.getpid(), 11)", "ended by signal 11"),
        ("import sys; print('panic: oh', file=sys.stderr); sys.exit(11)", "crashed with exit code 11: panic: oh"),
        ("while True: print('x' * 10000)", "printed more than 1,000,000 bytes"),
    ],
)
def test_a_crash_or_a_flood_says_what_happened(
    make: Make, run_command: Callable[..., Any], source: str, message: str
) -> None:
    with pytest.raises(BinaryFailedError, match=message):
        run_command(make(source), "plan", most_output=1_000_000)


def test_a_file_that_is_no_program_cannot_be_started(tmp_path: Path, run_command: Callable[..., Any]) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"\0no program")
    file.chmod(0o755)
    with pytest.raises(BinaryFailedError, match="cannot be started"):
        run_command(file, "plan")


@pytest.mark.parametrize("text", ["not json", "[1]", '{"a":'])
def test_garbage_is_no_answer(make: Make, run_command: Callable[..., Any], text: str) -> None:
    answer = run_command(make(f"print({text!r})"), "validate")
    with pytest.raises(BinaryFailedError, match="answered with"):
        answer.document()
    with pytest.raises(BinaryFailedError, match="answered with"):
        answer.lines()


def test_a_version_is_told_as_recordings_name_it(make: Make) -> None:
    assert version_of(make(OBEDIENT)) == "terraform 9.8.7"


# Verdicts


def test_a_binary_is_judged_like_an_engine(make: Make, case: Path) -> None:
    """It is compared with the recording and with the engines in process, which report no error here."""
    name = str(make(OBEDIENT))
    verdict = judge_engines(case, [name, "legacy"])
    assert verdict.of[name].ruling is Ruling.EQUAL
    assert verdict.of[name].elapsed_s > 0
    assert verdict.between["legacy"].ruling is Ruling.DIFFERS
    assert [who for who, _ in verdict.all] == [name, "legacy", f"legacy against {name}"]


def test_the_time_in_binaries_is_part_of_the_time_of_a_case(make: Make, case: Path) -> None:
    """Commands that fail, crash or hang count as well. An engine in process takes none of it."""
    unit, program = Unit(UnitKind.CASE, case), make(f"import time; time.sleep(0.05)\n{OBEDIENT}")
    result = judge_unit(unit, RunSpec((str(program), "legacy"), trusted=(case,)))
    assert 2 * 0.05 <= result.binaries_s <= result.elapsed_s[str(program)] <= result.case_s
    assert result_from_json(result_to_json(result)).binaries_s == result.binaries_s
    assert result.stable.binaries_s == result.stable.case_s == 0
    assert judge_unit(unit, RunSpec(("legacy",))).binaries_s == 0


def test_a_stopwatch_adds_parts_however_they_end() -> None:
    watch = Stopwatch(iter([1.0, 3.0, 10.0, 10.5]).__next__)
    with watch.running():
        pass
    with pytest.raises(BinaryFailedError), watch.running():
        raise BinaryFailedError
    assert watch.total_s == 2.5


def test_a_binary_is_run_once_for_each_parallelism(make: Make, case: Path) -> None:
    name = str(make(OBEDIENT))
    assert judge_by_recording(case, name, every_schedule(range(5), (10, 1))).runs == 2


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("print('garbage')", "not JSON: garbage"),
        ("import sys; sys.exit('Usage: terraform')", "not JSON"),
        ("import sys; print('{}'); sys.exit('Usage: terraform')", "failed without a diagnostic: Usage: terraform"),
    ],
)
def test_what_a_binary_does_wrong_is_its_verdict(make: Make, case: Path, source: str, message: str) -> None:
    verdict = judge_by_recording(case, str(make(source)))
    assert verdict.ruling is Ruling.CRASH
    assert message in verdict.first
    assert "Traceback" not in verdict.crash


def test_a_binary_that_fails_without_a_message_is_observed_all_the_same(make: Make, case: Path) -> None:
    (case / "case.yaml").write_text("description: x\nsteps: [{op: plan, config: v1}]\n")
    (case / "golden.json").unlink()
    version = json.dumps({"type": "version", "terraform": "9.8.7"})
    succeeds = json.dumps({"valid": True, "diagnostics": []})
    source = f"""
import sys
answers = {{"version": "Terraform v9.8.7", "validate": {succeeds!r}, "plan": {version!r}}}
print(answers.get(sys.argv[1], "{{}}"))
sys.exit(1 if sys.argv[1] == "plan" else 0)
"""
    engine = str(make(source))
    verdict = judge_engines(case, [engine])
    (step,) = (seen for place, seen in verdict.observations[engine].items() if place.startswith("step"))
    assert not step["ok"]
    assert [(each["phase"], each["summary"]) for each in as_objects(step["diagnostics"])] == [
        ("plan", "(exit status 1, and no message)")
    ]


def test_a_binary_that_hangs_is_told_and_the_run_goes_on(make: Make, case: Path) -> None:
    (verdict,) = judge_engines(case, [str(make("import time; time.sleep(60)"))], timeout_s=0.3).of.values()
    assert verdict.ruling is Ruling.HANG
    assert "were not enough, see --timeout" in verdict.first


@pytest.mark.parametrize(
    ("addition", "reason"),
    [
        ("cloud: [{name: x}]\n", "install diffharness[plugins]"),
        ("faults: [{step: 0, kind: error, verb: create, name: x}]\n", "install diffharness[plugins]"),
        ("faults: [{step: 0, kind: stuck, verb: renew, type: simcloud_token}]\n", "renewed only in virtual time"),
        ("flavour: opentofu\n", "is run as opentofu-1.12, and this is terraform"),
    ],
)
def test_a_case_that_no_binary_can_run_is_neither_right_nor_wrong(
    make: Make, case: Path, addition: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other engines are not compared with each other then, nor are they called equal. A run in which nothing was
    compared is no success."""
    monkeypatch.setattr(external_step, "has_extra", lambda: "renew" in addition)
    file = case / "case.yaml"
    file.write_text(addition + file.read_text())
    (case / "golden.json").unlink()
    name = str(make(OBEDIENT))
    verdict = judge_engines(case, [name, "legacy", "new"])
    assert verdict.of[name].ruling is Ruling.NOT_RUN
    assert reason in verdict.of[name].first
    assert (verdict.baseline, list(verdict.between)) == (name, [])
    where = ["--allow-exec", "--out", str(case.parent / "run"), "--json", str(case.parent / "run.json")]
    result = CliRunner().invoke(commands, ["run", str(case), "--jobs", "1", "--engines", f"{name},legacy,new", *where])
    assert (result.exit_code, f"{name} not run" in result.output.replace("\n", "")) == (2, True)
    assert "1 case: 1 not-run." in result.output
    document = json.loads((case.parent / "run.json").read_text())
    assert document["cases"]["rulings"]["not-run"] == 1
    assert "equal" not in document["results"][0]


def test_without_the_extra_a_configuration_with_a_simulated_provider_is_not_run(
    make: Make, case: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external_step, "has_extra", lambda: False)
    provider = 'terraform {\n  required_providers {\n    sim = { source = "dh.test/diffharness/sim" }\n  }\n}\n'
    (case / "v1" / "main.tf").write_text(provider)
    assert "simulated provider" in judge_by_recording(case, str(make(OBEDIENT))).first


# Recordings


def test_a_pair_is_recorded_only_if_runs_and_graph_agree() -> None:
    """`b` needs `a`; `c` needs nothing, and only happened to be last in every run."""
    graph = 'digraph {\n "[root] x.b" -> "[root] x.a"\n "[root] x.c" [label = "x.c"]\n}'
    run: list[Tree] = [["apply_start", f"x.{name}", "create"] for name in "abc"]
    order = partial_order([run, run], graph)
    assert order == loads(
        '{"items": [["apply_start", "x.a", "create"], ["apply_start", "x.c", "create"],'
        ' ["apply_start", "x.b", "create"]], "before": [[0, 2]]}'
    )
    other = [run[1], run[0], run[2]]
    assert '"before":[]' in dumps(partial_order([run, other], graph))


def test_what_fits_into_a_line_is_on_one() -> None:
    assert golden_text({"a": ["é", None], "b": {"c": True}}) == '{"a": ["é", null], "b": {"c": true}}\n'
    assert golden_text({"a": ["x" * 100, "y" * 100]}) == f'{{\n "a": [\n  "{"x" * 100}",\n  "{"y" * 100}"\n ]\n}}\n'


def test_record_writes_a_recording_and_keeps_one_that_is_there(make: Make, case: Path) -> None:
    engine = ["--allow-exec", "--engine", str(make(OBEDIENT))]
    before = (case / "golden.json").read_text()
    refused = CliRunner().invoke(commands, ["record", str(case), *engine])
    assert (refused.exit_code, "--force replaces it" in refused.output) == (1, True)
    assert (case / "golden.json").read_text() == before
    assert CliRunner().invoke(commands, ["record", str(case), *engine, "--force"]).exit_code == 0
    recorded, wanted = json.loads((case / "golden.json").read_text()), json.loads(before)
    assert recorded == {"engine": "terraform 9.8.7", "parallelism_of_runs": [10, 1, 2, 4, 10, 1], **wanted}


STORY: Final = """description: x
start: look
tasks:
  look: {action: validate, max_iterations: 2, next: [{when: failed and result.errors = 2, do: look}, {do: noop}]}
"""
FICKLE: Final = """
import json, sys
if sys.argv[1] == "version":
    print("Terraform v9.8.7")
else:
    with open(sys.argv[0] + ".count", "a") as file:
        file.write("x")
        number = file.tell()
    problem = {"severity": "error", "summary": "Bad", "detail": "very"}
    print(json.dumps({"valid": False, "diagnostics": [problem] * (2 if number == 4 else 1)}))
    sys.exit(1)
"""


@pytest.fixture
def story(case: Path) -> Path:
    (case / "case.yaml").write_text(STORY)
    return case


def record(case: Path, program: Path) -> Result:
    return CliRunner().invoke(commands, ["record", str(case), "--allow-exec", "--force", "--engine", str(program)])


def test_a_story_is_recorded_with_the_way_it_took(make: Make, story: Path) -> None:
    program = make(OBEDIENT)
    assert record(story, program).exit_code == 0
    golden = json.loads((story / "golden.json").read_text())
    assert golden["places"] == ["task look #1 (validate v1)", "story"]
    assert golden["steps"][1]["story"]["ended_by"] == "completed"
    assert judge_by_recording(story, str(program)).ruling is Ruling.EQUAL
    golden["steps"][1]["story"]["executions"] = []
    (story / "golden.json").write_text(json.dumps(golden))
    assert "story.executions" in judge_by_recording(story, str(program)).first


def test_a_recording_of_a_story_without_its_way_is_refused(story: Path) -> None:
    assert "does not say which of the tasks each step was" in judge_by_recording(story, "legacy").crash


def test_a_story_that_goes_another_way_each_time_is_not_recorded(make: Make, story: Path) -> None:
    before = (story / "golden.json").read_text()
    result = record(story, make(FICKLE))
    assert (result.exit_code, "took another way in another run" in result.output) == (1, True)
    assert (story / "golden.json").read_text() == before


def test_record_is_only_for_binaries(case: Path) -> None:
    result = CliRunner().invoke(commands, ["record", str(case), "--engine", "legacy"])
    assert (result.exit_code, "legacy is not a binary" in result.output) == (2, True)


def test_record_runs_no_binary_on_what_nobody_trusts(
    make: Make, case: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(commands, ["record", str(case), "--force", "--engine", str(make("0"))])
    assert (result.exit_code, "--allow-exec" in result.output) == (2, True)


def test_record_leaves_nothing_where_the_binary_fails(make: Make, case: Path) -> None:
    (case / "golden.json").unlink()
    engine = ["--allow-exec", "--engine", str(make(OBEDIENT.replace("print(json.dumps(", "print((")))]
    result = CliRunner().invoke(commands, ["record", str(case), *engine])
    assert (result.exit_code, "not JSON" in result.output) == (1, True)
    assert not (case / "golden.json").exists()


# The real binary

SCENARIOS: Final = Path(__file__).parents[4] / "corpus" / "conformance" / "scenarios"


@pytest.fixture
def recorded_binary() -> None:
    """Skip the test unless the binary has the version that the recordings were made with."""
    if version_of(find_binary("terraform").program) != "terraform 1.11.4":
        pytest.skip("recordings were made with 1.11.4")


@pytest.mark.terraform
@pytest.mark.usefixtures("recorded_binary")
@pytest.mark.parametrize(
    "name",
    [
        "checks/check-after-failed-apply",
        "modules/module-source-missing",
        "destroy_order/across-modules",
    ],
)
def test_terraform_does_what_it_was_recorded_to_do(name: str) -> None:
    verdict = judge_engines(SCENARIOS / name, ["terraform", "legacy", "new"])
    assert {who: found.ruling for who, found in verdict.all} == dict.fromkeys(dict(verdict.all), Ruling.EQUAL)


@pytest.mark.terraform
@pytest.mark.usefixtures("recorded_binary")
def test_a_recording_made_again_is_the_same(tmp_path: Path) -> None:
    case, out = SCENARIOS / "create_before_destroy" / "does-not-propagate-to-dependents", tmp_path / "golden.json"
    assert CliRunner().invoke(commands, ["record", str(case), "--out", str(out), "--allow-exec"]).exit_code == 0
    assert out.read_text() == (case / "golden.json").read_text()
