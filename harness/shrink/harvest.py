"""What a campaign has found, saved as cases: each signature's shortest story, made smaller where it can be."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from harness.compare.ruling import Ruling
from harness.findings.run import Group
from harness.generate.campaign import Campaign, save_stories
from harness.reduce.predicate import NothingToReduceError
from harness.reduce.reduction import ReducedCase, reduce_story
from harness.reduce.saving import save_specimen
from harness.reduce.search import Limits

__all__ = ["FOR_EACH_SIGNATURE", "save_shrunk"]

FOR_EACH_SIGNATURE: Final = Limits(trials=600)
"""Trials alone, no time: the same campaign must leave the same files on every machine."""

_SLOW: Final = (Ruling.HANG, Ruling.OVER_BUDGET)
"""Each trial that shows one takes all the time there is."""


def save_shrunk(
    campaign: Campaign, groups: Iterable[Group], directory: Path, limits: Limits = FOR_EACH_SIGNATURE
) -> list[Path]:
    """As `save_groups` does. A story that cannot be made smaller is saved as it is: one that broke a law, which no
    two engines show between them, and one that hangs."""
    saved: list[Path] = []
    for group in groups:
        if group.known or (directory / f"found-{group.signature.digest}").exists():
            continue
        shrunk = _shrunk(campaign, group, limits)
        if shrunk is None:
            saved += save_stories(campaign, [group], directory)
            continue
        place, is_new = save_specimen(shrunk.specimen, shrunk.signature, directory, shrunk.frames)
        saved += [place] if is_new else []
    return saved


def _shrunk(campaign: Campaign, group: Group, limits: Limits) -> ReducedCase | None:
    digest = group.signature.digest
    task, story = campaign.tasks.get(digest), campaign.stories.get(digest)
    if task is None or story is None or story.name != task.name or group.signature.ruling in _SLOW:
        return None
    try:
        return reduce_story(task, digest, limits)
    except NothingToReduceError:
        return None
