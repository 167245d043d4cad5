"""The history of a reduction: saved next to the case, limited in size, without secrets, and shown by a run."""

from __future__ import annotations

import json
from pathlib import Path

from harness.case.case import HISTORY_FILE
from harness.case.unit import Unit, UnitKind
from harness.execute.judge import judge_unit
from harness.mutants.activation import apply_mutant
from harness.play.run_spec import RunSpec
from harness.reduce.history import ReductionStep, render_history, write_history
from harness.reduce.reduction import reduce_case
from harness.reduce.saving import save_specimen
from harness.reduce.search import Limits
from harness.reduce.specimens.specimen import Specimen, read_specimen
from harness.trials.canary import CANARY
from reports.html.page import html_report
from reports.html.reduction_history import reduction_steps
from tests.html_elements import Elements
from tests.sample_runs import run_of

CASE = Path(__file__).parents[4] / "corpus" / "cases" / "expansion" / "for_each_over_a_set"
CASE_YAML = {"description": "d", "steps": [{"op": "apply", "config": "v1"}]}
ENGINES = ("legacy", "new")


def history_of(*texts: str) -> list[ReductionStep]:
    return [
        ReductionStep(f"step {number}", number, Specimen(CASE_YAML, {"v1/main.tf": text}))
        for number, text in enumerate(texts)
    ]


def test_a_run_of_the_small_case_shows_how_it_became_so(tmp_path: Path) -> None:
    with apply_mutant(CANARY):
        reduced = reduce_case(CASE, ENGINES, limits=Limits(trials=40))
        place, _ = save_specimen(reduced.specimen, reduced.signature, tmp_path, reduced.history)
        result = judge_unit(Unit(UnitKind.CASE, place), RunSpec(ENGINES))
    frames = json.loads((place / HISTORY_FILE).read_text())["frames"]
    assert frames[0]["told"] == "as it was"
    assert frames[0]["lines"] > frames[-1]["lines"] == reduced.lines
    assert [frame["trials"] for frame in frames] == sorted(frame["trials"] for frame in frames)
    texts: dict[str, str] = {}
    for frame in frames:
        texts = {name: text for name, text in texts.items() if name not in frame["without"]} | frame["files"]
    assert texts == {"case.yaml": reduced.specimen.case_text, **reduced.files}
    assert result.findings
    page = Elements(html_report(run_of(result))).data["detail-0"]["0"]
    assert [frame["told"] for frame in page["film"]] == [frame["told"] for frame in frames]
    assert HISTORY_FILE not in page["files"]
    assert read_specimen(place).files == reduced.files, "a history is not part of the case"
    assert not judge_unit(Unit(UnitKind.CASE, place), RunSpec(ENGINES)).reduction_history, (
        "where nothing is shown it is not kept"
    )


def test_what_was_sensitive_at_the_beginning_is_in_no_frame() -> None:
    first = 'variable "p" {\n  default = "hunter2hunter2"\n  sensitive = true\n}\nlocals {\n  a = "hunter2hunter2"\n}\n'
    text = render_history(history_of(first, 'locals {\n  a = "hunter2hunter2"\n}\n'))
    assert "hunter2" not in text
    assert text.count("(sensitive value)") == 3


def test_a_long_film_keeps_its_ends_and_its_size() -> None:
    text = render_history(history_of(*(f"# {'x' * 900}\n" * (40 - number) for number in range(40))))
    assert len(text) <= 60_000
    labels = [frame["told"] for frame in json.loads(text)["frames"]]
    assert (labels[0], labels[-1]) == ("step 0", "step 39")
    assert render_history(history_of("#" * 100_000, "locals {}")) == ""
    many = json.loads(render_history(history_of(*(f"locals {{ a = {number} }}\n" for number in range(300)))))["frames"]
    assert len(many) == 48


def test_a_case_that_never_became_smaller_has_none(tmp_path: Path) -> None:
    write_history(history_of("locals {}\n"), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_film_is_not_shown() -> None:
    for text in ("", "{", "[]", '{"frames": 1}', '{"frames": [{}]}', '{"frames": [{"told": 1}]}', "[" * 100_000):
        assert reduction_steps(text) == []
