"""A short campaign of every kind finds nothing wrong; and what is wrong is counted, named, and the exit code."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from harness.chaos import campaign
from harness.chaos.damage import damaged
from harness.chaos.trial import Target, Trial
from harness.cli.chaos import chaos

SHORT = [(kind, "apply") for kind in campaign.CAMPAIGNS] + [("kill", "run"), ("damage", "run")]


@pytest.mark.parametrize(("kind", "command"), SHORT)
def test_nothing_is_lost(kind: str, command: str) -> None:
    """One trial of each engine, with the faults of a fixed seed."""
    totals = campaign.run_campaigns([kind], [command], seconds=0, seed=4)
    assert [total.trials for total in totals.values()] == [1] * len(totals)
    assert {target.command: dict(total.failures) for target, total in totals.items() if total.failed} == {}


def test_what_is_wrong_is_counted_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = iter([Trial(3), Trial(2, ("an object is lost",))])

    def attempt(_random: Random, scratch: Path) -> Trial:
        assert [*scratch.iterdir()] == []
        return next(outcomes)

    targets = [Target("kill", "run", attempt), Target("kill", "apply new", attempt), Target("disk", "run", attempt)]
    monkeypatch.setattr(campaign, "_targets", lambda _home, _corpus: targets)
    result = CliRunner().invoke(chaos, ["--campaign", "kill", "--minutes", "0"])
    assert result.exit_code == 1
    assert [line.split() for line in result.stdout.splitlines()[1:]] == [
        ["kill", "apply", "new", "1", "2", "1", "an", "object", "is", "lost", "(1)"],
        ["kill", "run", "1", "3", "0"],
    ]
    assert result.stderr == "kill, apply new: an object is lost\n"


def test_damages_are_of_many_kinds() -> None:
    content = b"".join(b'{"line":%d}\n' % number for number in range(5))
    found = [damaged(content, Random(seed)) for seed in range(200)]
    assert len({*found}) > 50
    assert found.count(content) < 20, "only an exchange may leave the lines as they were"
