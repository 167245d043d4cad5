"""Why a configuration without a story of its own came to no good end.

Engines that refuse a configuration alike agree about it, so this is no finding. But it is what the owner of the
configuration wants to know next, in the words of the product.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from harness.compare.verdict import CaseVerdict
from harness.findings.diagnostic_text import error_texts
from harness.observe.json_trees import as_object, as_objects, as_texts
from harness.play.story_runner import END
from shared_nodes.values.json import Tree
from shared_nodes.world import OUTSIDE

__all__ = ["describe_failure"]

_AGAIN: Final = "plan fails to be empty right after apply"
_CONFINED: Final = (
    "A run reads only files below the paths that it is given: if these belong to the configuration, name a directory "
    "that has both, or add --include DIR."
)
_OUTSIDE: Final = (OUTSIDE, 'no file exists at "../')
"""What errors say where a file is outside of the copy of the configuration, whether or not it exists elsewhere."""

_NO_CHANGE: Final = ["no-op"]


def describe_failure(verdict: CaseVerdict, files: Mapping[str, str]) -> str:
    """Return the operation that failed first, and its errors, as the baseline reported them; empty if the story ended
    well. `files` are those of the configuration."""
    observations = verdict.observations.get(verdict.baseline, {})
    if "problem" not in as_object(observations.get(END, {}).get("story")):
        return ""
    failed = next((step for step in observations.values() if step.get("ok") is False), None)
    if failed is None or failed.get("op") == END:
        return ""
    if failed.get("op") == "assert":
        plans = [step for step in observations.values() if step.get("op") == "plan"]
        return "\n\n".join([_AGAIN, "\n".join(_changes(plans[-1]))])
    texts = error_texts(failed, files)
    remarks = [_CONFINED] if any(mark in text for text in texts for mark in _OUTSIDE) else []
    return "\n\n".join([f"{failed['op']} fails", *texts, *remarks])


def _changes(plan: Mapping[str, Tree]) -> Iterator[str]:
    """Yield what would change. Data sources that will be read are named too: no other change may be there."""
    document = as_object(plan.get("plan"))
    for each in as_objects(document.get("resource_changes")):
        actions = as_texts(as_object(each.get("change")).get("actions"))
        if actions != _NO_CHANGE:
            yield f"{each.get('address')}: {', then '.join(actions)}"
    for name, change in as_object(document.get("output_changes")).items():
        actions = as_texts(as_object(change).get("actions"))
        if actions != _NO_CHANGE:
            yield f"output.{name}: {', then '.join(actions)}"
