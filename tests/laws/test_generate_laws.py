"""Laws of the generator: every story is a valid case, and the same decisions always give the same story."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings

from harness.case.case import read_case
from harness.generate.campaign import CampaignOptions, StoryTask, story_of_task
from harness.generate.mistakes import MISTAKES
from harness.generate.profiles import PROFILES
from harness.generate.story import GeneratedStory, case_of_story, save_story
from harness.generate.strategies import stories
from shared_nodes.config.loading import load_configuration
from shared_nodes.flavour import FLAVOURS
from shared_nodes.lang.diagnostics import has_errors
from shared_nodes.world import Files

_SAMPLE: Final = 60


def _read_back(story: GeneratedStory) -> None:
    with tempfile.TemporaryDirectory() as place:
        save_story(story, Path(place))
        assert read_case(Path(place)) == case_of_story(story, Path(place))


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(stories())
def test_a_drawn_story_is_a_case_that_reads_back_equal(story: GeneratedStory) -> None:
    _read_back(story)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_seeded_story_is_a_case_that_reads_back_equal(profile: str) -> None:
    for index in range(12):
        _read_back(story_of_task(StoryTask(CampaignOptions(3, profile), index * 31)))


@pytest.mark.parametrize("feature", ["state to begin with", "process that is killed"])
def test_what_is_more_than_steps_reads_back_equal_as_well(feature: str) -> None:
    generated = [story_of_task(StoryTask(CampaignOptions(4), index, {feature: 20000})) for index in range(30)]
    found = [story for story in generated if feature in story.features]
    assert any(story.prior_state is not None or story.kills for story in found)
    for story in found:
        _read_back(story)


def test_the_same_seed_tells_the_same_stories_and_another_seed_others() -> None:
    generated = [
        [story_of_task(StoryTask(CampaignOptions(seed), index)) for index in range(_SAMPLE)] for seed in (5, 5, 6)
    ]
    assert generated[0] == generated[1]
    assert generated[0] != generated[2]


def test_weights_decide_about_stories_by_their_values_alone() -> None:
    """A campaign on many cores passes equal weights to its processes, not the same object."""
    weights = {"repeated resource": 300, "provisioner": 40}
    assert story_of_task(StoryTask(CampaignOptions(1), 7, weights)) == story_of_task(
        StoryTask(CampaignOptions(1), 7, dict(reversed(weights.items())))
    )


def _loads(story: GeneratedStory, directory: Path) -> list[bool]:
    save_story(story, directory)
    flavour = FLAVOURS[story.flavour]
    found = []
    for version in story.versions:
        place = directory / version
        config, problems = load_configuration(Files(place, root=place), flavour, lambda _source: True)
        found.append(config is not None and not has_errors(problems))
    return found


def test_nearly_every_configuration_that_is_not_wrong_on_purpose_can_be_loaded() -> None:
    loaded: list[bool] = []
    for index in range(_SAMPLE):
        story = story_of_task(StoryTask(CampaignOptions(11), index))
        if not story.mistake:
            with tempfile.TemporaryDirectory() as place:
                loaded += _loads(story, Path(place))
    assert sum(loaded) >= 0.9 * len(loaded)


def test_all_sorts_of_features_are_reached_soon() -> None:
    """Each kind of feature is reached within 400 stories; the command prints the whole table."""
    used: set[str] = set()
    for index in range(400):
        used |= story_of_task(StoryTask(CampaignOptions(3), index)).features
    wanted = {
        *("module", "data", "ephemeral", "check", "provider", "output", "variable", "resource"),
        *("count", "for_each over a set", "for_each over a map", "for_each over a resource", "repeated module"),
        *("create_before_destroy", "prevent_destroy", "ignore_changes", "replace_triggered_by"),
        *("precondition", "postcondition", "variable validation", "precondition of an output", "data in a check"),
        *("depends_on of a resource", "depends_on of a data source", "depends_on of a module"),
        *("depends_on of an output", "provisioner", "provisioner at destroy", "on_failure = continue"),
        *("sensitive variable", "ephemeral variable", "ephemeral value in a write-only argument", "dynamic block"),
        *("provider alias", "provider from a resource", "configuration_aliases", "provider function"),
        *("edit: rename", "edit: rename with moved", "edit: reverse a dependency", "edit: import", "removed block"),
        *("edit: change keys", "edit: split into a module", "edit: flip lifecycle", "moved to another key"),
        *("target", "replace", "refresh-only", "refresh = false", "destroy at the end", "destroy of a target"),
        *("drift", "object vanishes", "fault", "fault: crash", "flavour opentofu-1.12"),
        *(
            "chain of resources",
            "nested module",
            "edit: both sides of a dependency",
            "edit: empty",
            "edit: move onto another",
        ),
        *("edit: rename twice with moved", "edit: change what is ignored", "own output of a module"),
        *(
            "state to begin with",
            "tainted in the first state",
            "deposed in the first state",
            "orphan in the first state",
        ),
        *("null for a variable", "plan to destroy", "usual provider passed", "empty provider block in a module"),
        *("ephemeral that is renewed", "process that is killed"),
    }
    assert wanted - used == set()
    assert len([name for name in used if name.startswith("mistake: ")]) > len(MISTAKES) / 2
