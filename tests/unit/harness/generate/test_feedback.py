"""Behaviours of stories, and the weights that follow from them."""

from __future__ import annotations

from harness.generate.feedback import Coverage, find_behaviours
from harness.play.case_runner import Observations
from shared_nodes.values.json import Tree


def test_features_that_showed_something_new_are_wanted_more_than_those_that_did_not() -> None:
    coverage = Coverage()
    for number in range(40):
        coverage.learn({"fertile", "usual"}, {f"plan: {number}"})
        coverage.learn({"barren", "usual"}, {"plan: 0"})
    weights = coverage.weights()
    assert weights["fertile"] > weights["usual"] > weights["barren"]


def test_what_a_course_shows_is_told_without_names() -> None:
    change: Tree = {"address": "terraform_data.a", "change": {"actions": ["create"]}}
    dependent: Tree = {"address": "terraform_data.b[0]", "change": {"actions": ["update"]}}
    instance: Tree = {"dependencies": ["terraform_data.a"]}
    observations: Observations = {
        "step 1": {
            "diagnostics": [{"phase": "plan", "severity": "error", "summary": 'Missing "x" in r17'}],
            "plan": {"resource_changes": [change, dependent]},
            "state": {"resources": [{"type": "terraform_data", "name": "b", "instances": [instance]}]},
        }
    }
    behaviours = find_behaviours(observations)
    assert "diagnostic: plan error Missing * in *" in behaviours
    assert "pair: create <- update" in behaviours
