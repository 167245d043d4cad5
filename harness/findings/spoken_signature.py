"""A signature in words that a maintainer would use: no path into a document, and no term of the harness."""

from __future__ import annotations

import re
from typing import Final

from harness.compare.expectations import EXPECTED
from harness.compare.roles import OTHERWISE
from harness.findings.signature import Ruling, Signature

__all__ = ["describe_signature", "spoken_document"]

_IN_BRACKETS: Final = re.compile(r"([\w ]+)(?:\.\w+)?\[(.*)\](\.\w+)?")
_START: Final = re.compile(r"[.\[]")
"""What follows the name of a document in a path."""

_PACKAGE: Final = re.compile(r"(?<= in )\S*/(?=[^\s/]+$)")
"""The directories before the function that crashed."""

_STORY: Final = "story."
_OBJECT: Final = "an object"
_DOCUMENTS: Final = {
    "plan": "the plan",
    "state": "the state",
    "plan_summary": "the totals of the plan",
    "apply_summary": "the totals of the apply",
    "plan_events": "the events while planning",
    "events": "the events while applying",
    "plan_calls": "the provider calls while planning",
    "calls": "the provider calls while applying",
    "provider_data": "what providers keep in the state",
    "inventory": "the cloud",
    "diagnostics": "the diagnostics",
    "init": "the initialisation",
    "crash": "a crash",
    "way": "the way of the story",
    "order": "the guaranteed order",
    "constraints": "the guaranteed order",
}
_PLACES: Final = {
    "plan": "in the plan",
    "state": "in the state",
    "plan_events": "while planning",
    "events": "while applying",
    "plan_calls": "while planning",
    "calls": "while applying",
    "inventory": "in the cloud",
}
_VERBS: Final = {"missing": "lacks", "surplus": "also has"}

_ACTIONS: Final = {
    "create": ("create {}", "to be created"),
    "update": ("update {}", "to be updated"),
    "delete": ("delete {}", "to be deleted"),
    "read": ("read {}", "to be read"),
    "forget": ("forget {}", "to be forgotten"),
    "replace": ("replace {}", "to be replaced"),
    "replace, create first": ("replace {}, creating the new one first", "to be replaced, the new one first"),
    "replace tainted": ("replace {} because it is tainted", "to be replaced because it is tainted"),
}
"""What an engine does to an object, and what is to be done to the object, by role."""

_DEPOSED: Final = " deposed"
_UNCHANGED: Final = ("none", "no-op")
_BEFORE: Final = ("move", "import")
"""What may come before another action in a role."""

_MEMBERS: Final = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"plan\.(errored)", "whether it has failed"),
        (r"plan\.(complete)", "whether it is complete"),
        (r"plan\.(applyable)", "whether it can be applied"),
        (r"plan\.resource_changes\.\*", "{object}"),
        (r"plan\.resource_changes\.\*\.action_reason", "the reason of the action for {object}"),
        (r"plan\.resource_changes\.\*\.previous_address", "the previous address of {object}"),
        (r"plan\.resource_changes\.\*\.change\.actions(\[\])?", "the actions for {object}"),
        (r"plan\.resource_changes\.\*\.change\.importing.*", "the import of {object}"),
        (r"plan\.resource_changes\.\*\.change\.replace_paths.*", "what forces the replacement of {object}"),
        (r"plan\.resource_changes\.\*\.change\.before", "the prior values of {object}"),
        (r"plan\.resource_changes\.\*\.change\.after", "the planned values of {object}"),
        (r"plan\.resource_changes\.\*\.change\.(?:before|after)_sensitive", "the sensitive values of {object}"),
        (r"plan\.resource_changes\.\*\.change\.before\.(\w+).*", "the prior `{name}` of {object}"),
        (r"plan\.resource_changes\.\*\.change\.after\.(\w+).*", "the planned `{name}` of {object}"),
        (r"plan\.resource_changes\.\*\.change\.after_unknown\.(\w+).*", "`{name}` (known after apply) of {object}"),
        (r"plan\.resource_changes\.\*\.change\.\w+_sensitive\.(\w+).*", "`{name}` (sensitive) of {object}"),
        (r"plan\.resource_changes\.\*\.(?:.*\.)?(\w+).*", "`{name}` of {object}"),
        (r"plan\.resource_drift\.\*.*", "the drift of {object}"),
        (r"plan\.output_changes\.\*", "an output"),
        (r"plan\.output_changes\.\*\.actions.*", "the actions for an output"),
        (r"plan\.output_changes\.\*\.after_unknown.*", "the value (known after apply) of an output"),
        (r"plan\.output_changes\.\*\.\w+_sensitive.*", "the sensitive values of an output"),
        (r"plan\.output_changes\.\*\.before.*", "the prior value of an output"),
        (r"plan\.output_changes\.\*\..*", "the planned value of an output"),
        (r"(?:plan\.checks|state\.check_results)\.\*.*", "the result of a check"),
        (r"plan\.relevant_attributes\.\*.*", "a relevant attribute"),
        (r"state\.resources\.\*(\.instances\.\*)?", "{object}"),
        (r"state\.resources\.\*\.instances\.\*\.attributes\.(\w+).*", "`{name}` of {object}"),
        (r"state\.resources\.\*\.instances\.\*\.dependencies.*", "the dependencies of {object}"),
        (r"state\.resources\.\*\.instances\.\*\.sensitive_attributes.*", "the sensitive attributes of {object}"),
        (r"state\.resources\.\*(?:\.instances\.\*)?\.(\w+).*", "`{name}` of {object}"),
        (r"state\.outputs\.\*", "an output"),
        (r"state\.outputs\.\*\.(\w+).*", "the {name} of an output"),
        (r"plan_summary\.(\w+)", "the number of objects to {name}, as the plan says"),
        (r"apply_summary\.(\w+)", "the number of objects to {name}, as the apply says"),
        (r"provider_data\.instances\.\*.*", "what a provider keeps with {object}"),
        (r"inventory\[\]", "{object}"),
        (r"inventory\[\]\.(\w+).*", "`{name}` of {object}"),
        (r"(?:plan_)?events\[(.*)\]", "the event `{name}` for {object}"),
        (r"(?:plan_)?calls\[(.*)\]", "the call `{name}` of a provider"),
        (r"effects\[(.*)\]", "what it does: {name}"),
        (r"cycle\[.*\]", "operations that wait for each other"),
    )
)
"""What a difference is about, by the shape of its path; the first that fits."""


_BREAKDOWNS: Final = {
    Ruling.HANG: "had not ended within the time limit (--timeout)",
    Ruling.OVER_BUDGET: "took too much memory",
}


def spoken_document(field: str) -> str:
    """Return what a path begins in: "the events while planning"."""
    document = _START.split(field, maxsplit=1)[0]
    return _DOCUMENTS.get(document, document)


def describe_signature(signature: Signature) -> str:
    """Return what differs in words, without a full stop."""
    if signature.ruling is Ruling.INVALID_CASE:
        return f"invalid case: {signature.shape}"
    if signature.ruling is Ruling.CRASH:
        return _of_crash(signature)
    if signature.ruling.is_breakdown:
        return f"{_name(signature)} {_BREAKDOWNS[signature.ruling]}"
    if signature.shape.startswith(("diagnostics", "init.diagnostics")):
        return _of_diagnostics(signature)
    if OTHERWISE in signature.role and signature.shape.startswith("plan.resource_changes"):
        wanted, _, got = signature.role.partition(OTHERWISE)
        return f"the baseline plans {_intention(wanted, _OBJECT)}, {_name(signature)} {_intention(got, 'it')}"
    if signature.shape.startswith(_STORY):
        problem = signature.shape.removeprefix(_STORY).replace("_", " ")
        return f"{_name(signature)} does not bring the story to a good end ({problem})"
    if signature.shape.startswith(f"{EXPECTED}."):
        what = signature.shape.removeprefix(f"{EXPECTED}.")
        return f"{_name(signature)} does not do what the case expects ({what})"
    return _of_order(signature) or _of_values(signature)


def _name(signature: Signature) -> str:
    """Return the name of the engine as a sentence has it."""
    return signature.subject.removeprefix("recorded:")


def _of_crash(signature: Signature) -> str:
    match = _IN_BRACKETS.fullmatch(signature.shape)
    what = _PACKAGE.sub("", match[2] if match else signature.shape)
    if signature.kind == "missing":
        return f"the baseline crashes, {_name(signature)} does not: {what}"
    return f"{_name(signature)} crashes: {what}"


def _of_diagnostics(signature: Signature) -> str:
    match = _IN_BRACKETS.fullmatch(signature.shape)
    what, part = (_quoted(match[2]), (match[3] or "").lstrip(".")) if match else (signature.shape, "")
    when = "during init " if signature.shape.startswith("init") else ""
    if part:
        missing = "says no" if signature.kind == "missing" else "says another"
        place = {"range": "place", "address": "object"}.get(part, part)
        return f"{when}{_name(signature)} {missing} {place} with {what}"
    if signature.kind == "missing":
        failing = ", and succeeds where the baseline fails" if signature.ruling is Ruling.ONLY_BASELINE_FAILS else ""
        return f"{when}{_name(signature)} does not report {what}{failing}"
    return f"{when}{_name(signature)} reports {what}, which the baseline does not"


def _quoted(diagnostic: str) -> str:
    """Return `the error "Invalid index"` for `error: Invalid index`."""
    severity, separator, summary = diagnostic.partition(": ")
    return f'the {severity} "{summary}"' if separator else diagnostic


def _of_order(signature: Signature) -> str:
    """Return what is said about two effects, or two events, of which one always comes first; empty for anything
    else."""
    match = _IN_BRACKETS.fullmatch(signature.shape)
    if match is None or signature.kind != "order" or " before " not in match[2]:
        return ""
    if match[1] == "extra constraints":
        return f"{_name(signature)} guarantees {match[2]}, which the baseline does not"
    return f"{_name(signature)} does not guarantee {match[2]}"


def _of_values(signature: Signature) -> str:
    document = _START.split(signature.shape, maxsplit=1)[0]
    verb = _VERBS.get(signature.kind, "differs in")
    if document == signature.shape:
        return f"{_name(signature)} {verb} {_DOCUMENTS.get(document, f'`{document}`')}"
    place = f"{_PLACES[document]}, " if document in _PLACES else ""
    return f"{place}{_name(signature)} {verb} {_member(signature)}"


def _member(signature: Signature) -> str:
    for pattern, words in _MEMBERS:
        match = pattern.fullmatch(signature.shape)
        if match is not None:
            name = match[1] if match.groups() else ""
            return words.format(name=name, object=_object(signature.role))
    match = _IN_BRACKETS.fullmatch(signature.shape)
    return f"`{match[2] if match else _START.split(signature.shape, maxsplit=1)[-1]}`"


# What is planned for an object


def _intention(role: str, what: str) -> str:
    """Return what is planned: "to create an object", "nothing"."""
    about = f" for {what}" if what != "it" else ""
    if role in _UNCHANGED:
        return f"{'nothing' if role == 'none' else 'no change'}{about}"
    thing, action = _deposed(role, what)
    first, _, rest = action.partition(", ")
    if first in _BEFORE:
        then = "" if rest in _UNCHANGED else f" and {_act(rest, 'it')}"
        return f"to {first} {thing}{then}"
    return f"to {_act(action, thing)}"


def _deposed(role: str, what: str) -> tuple[str, str]:
    """Return what a role is about, and the rest of the role."""
    return ("a deposed object", role.removesuffix(_DEPOSED)) if role.endswith(_DEPOSED) else (what, role)


def _act(action: str, what: str) -> str:
    template, _ = _ACTIONS.get(action, (f"{action} {{}}", ""))
    return template.format(what)


def _object(role: str) -> str:
    """Return an object with what both plan for it. The role of an object that no plan mentions, or of which the plans
    intend different things, says nothing more."""
    if OTHERWISE in role or role in ("", "none"):
        return _OBJECT
    if role == "no-op":
        return "an object that does not change"
    kind, action = _deposed(role, _OBJECT)
    first, _, rest = action.partition(", ")
    if first in _BEFORE:
        participle = {"move": "to be moved", "import": "to be imported"}[first]
        then = "" if rest in _UNCHANGED else f" and {_participle(rest).removeprefix('to be ')}"
        return f"{kind} {participle}{then}"
    return f"{kind} {_participle(action)}"


def _participle(action: str) -> str:
    return _ACTIONS.get(action, ("", f"to be {action}"))[1]
