"""Which addresses a target contains, and warnings about targets and requested replacements.

Targets are compared as they are written. A module without a key matches all its instances at the end of a target; in
the middle it matches only a module that is not repeated. This is a quirk of the original: a target inside a repeated
module, written without the key of the module, contains no instance at all.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from shared_nodes.addresses.module import ModuleInstance, ModulePath
from shared_nodes.addresses.parse import Target
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.values.text import quoted

__all__ = [
    "contains",
    "contains_any",
    "excluded_moves",
    "generalised",
    "incomplete_replacement",
    "is_part_of",
    "moves_of_excluded",
    "selects",
    "targeted_apply",
    "targeting_in_effect",
]

Targeted = ModuleInstance | ConfigResource | AbsResource | AbsResourceInstance


def contains(target: Target | ConfigResource | ModulePath, address: Targeted) -> bool:
    """Whether the address is the target or a part of it."""
    match target:
        case ModulePath():
            return target.contains(_module_path(address))
        case ConfigResource():
            return not isinstance(address, ModuleInstance) and target == _config_resource(address)
        case ModuleInstance():
            return _module_contains(target, address)
        case AbsResource():
            if isinstance(address, ConfigResource):
                return str(target) == str(address)
            return not isinstance(address, ModuleInstance) and _containing_resource(address) == target
        case AbsResourceInstance():
            return address == target


def contains_any(targets: Collection[Target | ConfigResource | ModulePath], address: Targeted) -> bool:
    return any(contains(target, address) for target in targets)


def generalised(target: Target) -> ModulePath | ConfigResource:
    """Return the target without keys, for objects that exist once for all instances."""
    return target.path if isinstance(target, ModuleInstance) else target.config


def selects(targets: Collection[Target], address: ConfigResource | AbsResourceInstance) -> bool:
    """Whether any target selects an instance; a whole block is selected if any of its instances could be."""
    if isinstance(address, AbsResourceInstance):
        return contains_any(targets, address)
    return contains_any([generalised(target) for target in targets], address)


def is_part_of(address: ConfigResource | AbsResourceInstance, whole: ConfigResource | AbsResourceInstance) -> bool:
    """Whether the address is the other one, or an instance of the block the other one names."""
    if isinstance(whole, ConfigResource):
        return whole == _config_resource(address)
    return address == whole


def _module_path(address: Targeted) -> ModulePath:
    if isinstance(address, ModuleInstance):
        return address.path
    return address.module if isinstance(address, ConfigResource) else address.module.path


def _config_resource(address: ConfigResource | AbsResource | AbsResourceInstance) -> ConfigResource:
    return address if isinstance(address, ConfigResource) else address.config


def _containing_resource(address: AbsResource | AbsResourceInstance) -> AbsResource:
    return address if isinstance(address, AbsResource) else address.containing


def _module_contains(target: ModuleInstance, address: Targeted) -> bool:
    if isinstance(address, ConfigResource):
        has_keys = any(step.key is not None for step in target.steps)
        return not has_keys and target.path.contains(address.module)
    module = address if isinstance(address, ModuleInstance) else address.module
    length = len(target.steps)
    if not length or len(module.steps) < length or module.steps[: length - 1] != target.steps[:-1]:
        return not length
    last, found = target.steps[-1], module.steps[length - 1]
    return last.name == found.name and last.key in (None, found.key)


def targeting_in_effect(flavour: Flavour) -> Diagnostic:
    """Return the warning that every plan with targets or exclusions begins with."""
    which = "either the -target option or the -exclude" if flavour.objects_can_be_excluded else "the -target"
    subject, verb = _options_and_verb(flavour)
    return warning(
        "Resource targeting is in effect",
        f"You are creating a plan with {which} option, which means that the result of this plan may not represent all "
        f"of the changes requested by the current configuration.\n\nThe {subject} {verb} not for routine use, and "
        f"{verb} provided only for {_exceptions(flavour)}",
    )


def targeted_apply(flavour: Flavour) -> Diagnostic:
    """Return the warning that every apply of a plan with targets or exclusions ends with."""
    which, gap = ("the -target or the -exclude", "\t\n") if flavour.objects_can_be_excluded else ("the -target", "\n")
    subject, verb = _options_and_verb(flavour)
    return warning(
        "Applied changes may be incomplete",
        f"The plan was created with {which} option in effect, so some changes requested in the configuration may have "
        "been ignored and the output values may not be fully updated. Run the following command to verify that no "
        f"other changes are pending:\n    {flavour.command} plan\n{gap}Note that the {subject} {verb} not suitable for "
        f"routine use, and {verb} provided only for {_exceptions(flavour)}",
    )


def _options_and_verb(flavour: Flavour) -> tuple[str, str]:
    return ("-target and -exclude options", "are") if flavour.objects_can_be_excluded else ("-target option", "is")


def _exceptions(flavour: Flavour) -> str:
    return (
        f"exceptional situations such as recovering from errors or mistakes, or when {flavour.product} specifically "
        "suggests to use it as part of an error message."
    )


def excluded_moves(
    targets: Collection[Target], moves: Sequence[tuple[AbsResourceInstance, AbsResourceInstance]], flavour: Flavour
) -> list[Diagnostic]:
    """Report moves (from, to) that the targets cover only in part or not at all: planning only a part of them would be
    wrong."""
    missing = {address for move in moves for address in move if targets and not contains_any(targets, address)}
    if not missing:
        return []
    return _excluded_moves_problem(
        "your -target=... options do not fully cover all of those resource instances.\n\nTo create a valid plan, "
        "either remove your -target=... options altogether or add the following additional target options:"
        f"{_list_options('target', missing)}\n\nNote that adding these options may include further additional ",
        flavour,
    )


def moves_of_excluded(
    excludes: Collection[Target], moves: Sequence[tuple[AbsResourceInstance, AbsResourceInstance]], flavour: Flavour
) -> list[Diagnostic]:
    """Report moves (from, to) with an excluded side. The message lists the options that would exclude the whole
    resources, even if they were not given in that form."""
    hit = {address for move in moves for address in move if contains_any(excludes, address)}
    if not hit:
        return []
    return _excluded_moves_problem(
        "your -exclude=... options exclude some of those resource instances.\n\nTo create a valid plan, either remove "
        "your -exclude=... options altogether or just specifically remove the following options:"
        f"{_list_options('exclude', hit)}\n\nNote that removing these options may include further additional ",
        flavour,
    )


def _excluded_moves_problem(remedy: str, flavour: Flavour) -> list[Diagnostic]:
    detail = (
        "Resource instances in your current state have moved to new addresses in the latest configuration. "
        f"{flavour.product} must include those resource instances while planning in order to ensure a correct result, "
        f"but {remedy}resource instances in your plan, in order to respect object dependencies."
    )
    return [error("Moved resource instances excluded by targeting", detail)]


def _list_options(name: str, addresses: Collection[AbsResourceInstance]) -> str:
    resources = dict.fromkeys(address.containing for address in sorted(addresses, key=lambda one: one.sort_key))
    return "".join(f"\n  -{name}={quoted(str(resource))}" for resource in resources)


def incomplete_replacement(
    requested: Collection[AbsResourceInstance], resource: AbsResource, instances: Sequence[AbsResourceInstance]
) -> list[Diagnostic]:
    """Warn about requested replacements of a repeated resource that lack an instance key. `instances` are those of the
    resource. Quirk `replacement-of-a-namesake`: requests for a resource of the same name in any module count."""
    if resource.instance(None) in instances:
        return []
    asked = [one.containing for one in requested if one.key is None and one.resource == resource.resource]
    return [_incomplete_warning(one, instances) for one in sorted(asked, key=lambda one: one.sort_key)]


def _incomplete_warning(resource: AbsResource, instances: Sequence[AbsResourceInstance]) -> Diagnostic:
    reason = "it lacks an instance key." if instances else "this resource doesn't have any instances."
    detail = f"Your force-replace request for {resource} doesn't match any resource instances because {reason}"
    if len(instances) == 1:
        detail += (
            "\n\nTo force replacement of the single declared instance, use the following option instead:\n  "
            f"-replace={quoted(str(instances[0]))}"
        )
    elif instances:
        options = "".join(f"\n  -replace={quoted(str(instance))}" for instance in instances)
        detail += (
            "\n\nTo force replacement of particular instances, use one or more of the following options instead:"
            f"{options}"
        )
    return warning("Incompletely-matched force-replace resource instance", detail)
