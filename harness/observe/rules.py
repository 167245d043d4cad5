"""Every rule by which two observations are made comparable, each with its reason, in one table.

What is not in this table is compared as it is. A rule that hides too much hides bugs: so each one says what it does and
why, and every run counts how often it changed something; rules about order count where there was one to disregard.
`docs/normalisation.md` shows this table.

    RENAMED   a text is replaced by a name that every run shares                normalise.py
    SORTED    parts are put into one order, or compared in any                  normalise.py, compare.py
    LEFT_OUT  something is not compared                                         observation.py, compare.py
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from shared_nodes.record import record

__all__ = ["RULES", "Rule", "RuleEffect", "RuleName", "rules_table"]


class RuleEffect(StrEnum):
    RENAMED = "renamed"
    SORTED = "sorted"
    LEFT_OUT = "left out"


class RuleName(StrEnum):
    """As results and reports call them."""

    IDENTIFIERS = "identifiers"
    DEPOSED_KEYS = "deposed-keys"
    PASSING_DEPOSED_KEYS = "passing-deposed-keys"
    UUIDS = "uuids"
    TIMESTAMPS = "timestamps"
    WORKING_DIRECTORY = "working-directory"
    SCHEMA_READERS = "schema-readers"
    CYCLE_MEMBERS = "cycle-members"
    BULLETS = "bullets"
    DIAGNOSTIC_ORDER = "diagnostic-order"
    EVENT_ORDER = "event-order"
    UNORDERED_LISTS = "unordered-lists"
    UNSTABLE_FIELDS = "unstable-fields"
    STEP_VARIABLE_RANGES = "step-variable-ranges"
    DOCUMENT_PARTS = "document-parts"
    PROVIDER_DATA = "provider-data"
    DRAWN_KEYS = "drawn-keys"


@record
class Rule:
    name: RuleName
    effect: RuleEffect
    what: str
    why: str
    is_counted: bool = True
    """Not where a part is never taken into an observation: there is nothing to count then."""


RULES: Final = (
    Rule(
        RuleName.IDENTIFIERS,
        RuleEffect.RENAMED,
        "The id of an object that the case created becomes `<id ADDRESS #N>`, wherever the text occurs.",
        "The builtin provider draws ids at random. Names are learned from events and states, so an id that a given "
        "state or an import block brought along is kept; so are those of the simulated cloud, which are the same in "
        "every run.",
    ),
    Rule(
        RuleName.DEPOSED_KEYS,
        RuleEffect.RENAMED,
        "The key of a deposed object becomes `<deposed ADDRESS #N>`, and those of one instance stand in this order.",
        "Keys are drawn at random, and lists are sorted by them. One that stands in the case's own files is kept.",
    ),
    Rule(
        RuleName.PASSING_DEPOSED_KEYS,
        RuleEffect.RENAMED,
        "A key in `(destroy deposed KEY)` that no state has shown becomes `<deposed key>`.",
        "It lives only while a plan is applied, so nothing says whose it was; it shows in messages about cycles.",
    ),
    Rule(
        RuleName.UUIDS,
        RuleEffect.RENAMED,
        "Any other UUID that is not in the case's files becomes `<uuid>`.",
        "`uuid()` and ids of objects that were never finished are random.",
    ),
    Rule(
        RuleName.TIMESTAMPS,
        RuleEffect.RENAMED,
        "A time between the beginning and the end of the run becomes `<timestamp>`.",
        "`timestamp()` and `plantimestamp()` tell the current time. Other times are what the case says, and stay.",
    ),
    Rule(
        RuleName.WORKING_DIRECTORY,
        RuleEffect.RENAMED,
        "The directory a step runs in becomes `<cwd>`.",
        "Each run has a scratch directory of its own.",
    ),
    Rule(
        RuleName.SCHEMA_READERS,
        RuleEffect.RENAMED,
        "Against a recording or a binary: `failed to read schema for ADDRESS in PROVIDER` and `failed to read provider "
        "configuration schema for PROVIDER` become `failed to read a schema of PROVIDER`.",
        "The original asks for the schemas of a graph in another order each time, and reports the first that is "
        "missing.",
    ),
    Rule(
        RuleName.CYCLE_MEMBERS,
        RuleEffect.SORTED,
        "Members of `Cycle: a, b` are sorted.",
        "The original lists them in another order each time.",
    ),
    Rule(
        RuleName.BULLETS,
        RuleEffect.SORTED,
        "Bulleted lines of a message that follow each other are sorted.",
        "They come from maps without an order.",
    ),
    Rule(
        RuleName.DIAGNOSTIC_ORDER,
        RuleEffect.SORTED,
        "Diagnostics of one step are compared in any order, each as often as it occurs.",
        "They are told as they are found, and what is done at the same time is found in any order.",
    ),
    Rule(
        RuleName.EVENT_ORDER,
        RuleEffect.SORTED,
        "Events and calls are compared in any order. A recording adds which comes before which in every run, and that "
        "must hold.",
        "A single run happens in one of many orders. What an engine guarantees is compared as a relation of its own.",
    ),
    Rule(
        RuleName.UNORDERED_LISTS,
        RuleEffect.SORTED,
        "Against a recording or a binary: resources, instances, changes, checks and the like are compared by their "
        "keys; dependencies, sensitive attributes and replace paths are sorted.",
        "The original writes some lists in another order each time. Engines in process must agree in it. Where a "
        "binary runs a case several times, `varies` says which order was another one.",
    ),
    Rule(
        RuleName.UNSTABLE_FIELDS,
        RuleEffect.LEFT_OUT,
        "What a recording calls unstable.",
        "The real binary came to different outcomes in it when the case was recorded several times.",
    ),
    Rule(
        RuleName.STEP_VARIABLE_RANGES,
        RuleEffect.LEFT_OUT,
        "The range of a diagnostic in the variables of a step.",
        "These come from a file that is in no recorded directory.",
        is_counted=False,
    ),
    Rule(
        RuleName.DOCUMENT_PARTS,
        RuleEffect.LEFT_OUT,
        "Of plans all but changes, drift, outputs, checks, relevant attributes and whether they can be applied; of "
        "states version, serial and lineage.",
        "They tell the history of a file, or repeat what is compared elsewhere.",
        is_counted=False,
    ),
    Rule(
        RuleName.PROVIDER_DATA,
        RuleEffect.LEFT_OUT,
        "Of states, private data of providers against a recording or a binary; schema versions against a recording.",
        "No recording has them. Private data is a provider's own affair, and the same only where the provider is the "
        "same one: engines in process must keep it alike, by its digest.",
        is_counted=False,
    ),
    Rule(
        RuleName.DRAWN_KEYS,
        RuleEffect.RENAMED,
        "In the order of effects, the key of an object that this apply deposes is `new`.",
        "It is drawn at random, and an instance has one at most.",
        is_counted=False,
    ),
)


def rules_table() -> str:
    """In Markdown."""
    rows = [f"| `{rule.name}` | {rule.effect} | {rule.what} | {rule.why} | {_counted(rule)} |" for rule in RULES]
    return "\n".join(["| rule | how | what | why | counted |", "|---|---|---|---|---|", *rows]) + "\n"


def _counted(rule: Rule) -> str:
    return "yes" if rule.is_counted else "no"
