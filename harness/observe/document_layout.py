"""The layout of the documents in an observation: which of their names belong to the format, and which to the user.

A user may call an attribute `resources`, `instances` or `after_sensitive`. So what a part of a document means follows
from its place alone, never from its name: `layout_of` knows the places, and a walk through a document asks `at` for the
layout of each member. Everything below a value of the user is the user's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum, auto
from typing import Final

from shared_nodes.record import record

__all__ = ["ANYTHING", "OBSERVATION", "Layout", "Part", "layout_of"]


class Part(Enum):
    """What a part of a document describes, where that matters."""

    CHANGED_OBJECT = auto()
    """An entry of `resource_changes` or `resource_drift`, which has an address."""

    CHANGE = auto()
    """`before` and `after`, with `before_sensitive`, `after_sensitive` and `after_unknown` of the same form."""

    RESOURCE = auto()
    """An entry of `resources` in a state file."""

    INSTANCE = auto()
    """`attributes`, of which `sensitive_attributes` has paths."""

    RECORD = auto()
    """`values` and `sensitive_values` of an object, in planned values and in the prior state."""

    OUTPUT = auto()
    """`value`, and whether it is `sensitive`."""

    CLOUD_OBJECT = auto()
    """An object in the simulated cloud."""


@record
class Layout:
    """What is known about one place. Of a place of which nothing is known all names count, and all orders."""

    members: Mapping[str, Layout] = field(default_factory=dict)
    """Members with names of the format."""

    each: Layout | None = None
    """All other members of an object, or the items of a list."""

    keys: tuple[str, ...] = ()
    """The members that identify an item, in a list whose order has no meaning."""

    is_sorted: bool = False
    """Whether this is a list without any order, whose items are their own keys."""

    names_vary: bool = False
    """Whether members are named by the user or by their address, so that the names say nothing about a bug."""

    is_value: bool = False
    """Whether this is a value of the user: nothing in it is reordered or taken for anything else."""

    part: Part | None = None

    def at(self, name: str) -> Layout:
        """Return the layout of a member."""
        return self.members.get(name) or self.item

    @property
    def item(self) -> Layout:
        """The layout of the items of a list."""
        if self.each is not None:
            return self.each
        return self if self.is_value else ANYTHING

    @property
    def may_hold_deposed(self) -> bool:
        """Whether items of this list may be deposed objects, which come in the order of their random keys."""
        return "deposed" in self.keys or "deposed_key" in self.keys


def layout_of(name: str) -> Layout:
    """Return the layout of a field of an observation."""
    return OBSERVATION.at(name)


def _keyed(each: Layout, *keys: str) -> Layout:
    return Layout(each=each, keys=keys, names_vary=True)


def _named(each: Layout) -> Layout:
    """Return the layout of an object whose members have names of the user."""
    return Layout(each=each, names_vary=True)


def _listed(each: Layout) -> Layout:
    return Layout(each=each)


ANYTHING: Final = Layout()
"""A place of which nothing is known."""

_VALUE: Final = Layout(is_value=True, names_vary=True)
_ATTRIBUTES: Final = Layout(each=_VALUE, is_value=True)
"""Named by a schema, which is worth a mention; everything below an attribute is the user's."""

_UNORDERED: Final = Layout(is_sorted=True)

# State files

_INSTANCE: Final = Layout(
    {
        "attributes": _ATTRIBUTES,
        "attributes_flat": _ATTRIBUTES,
        "identity": _ATTRIBUTES,
        "dependencies": _UNORDERED,
        "depends_on": _UNORDERED,
        "sensitive_attributes": _UNORDERED,
    },
    part=Part.INSTANCE,
)
_RESOURCE: Final = Layout({"instances": _keyed(_INSTANCE, "index_key", "deposed")}, part=Part.RESOURCE)
_OUTPUT: Final = Layout({"value": _VALUE, "type": _VALUE}, part=Part.OUTPUT)
_CHECK_RESULT: Final = Layout({"objects": _keyed(ANYTHING, "object_addr")})
_STATE: Final = Layout(
    {
        "outputs": _named(_OUTPUT),
        "resources": _keyed(_RESOURCE, "module", "mode", "type", "name"),
        "check_results": _keyed(_CHECK_RESULT, "object_kind", "config_addr"),
    }
)

# Plans

_SHAPES: Final = ("before", "after", "after_unknown", "before_sensitive", "after_sensitive")


def _change(value: Layout) -> Layout:
    members = dict.fromkeys(_SHAPES, value) | {"replace_paths": _UNORDERED}
    members |= {"before_identity": _ATTRIBUTES, "after_identity": _ATTRIBUTES}
    return Layout(members, part=Part.CHANGE)


_CHANGED_OBJECT: Final = Layout({"change": _change(_ATTRIBUTES)}, part=Part.CHANGED_OBJECT)
_CHANGED_OBJECTS: Final = _keyed(_CHANGED_OBJECT, "address", "deposed")
_CHECK: Final = Layout({"instances": _keyed(ANYTHING, "address")})
_RECORD: Final = Layout(
    {"values": _ATTRIBUTES, "sensitive_values": _ATTRIBUTES, "depends_on": _UNORDERED},
    part=Part.RECORD,
)


def _modules_of_values() -> Layout:
    """Return the layout of a module with its objects, which contains itself: modules have child modules."""
    members: dict[str, Layout] = {"resources": _keyed(_RECORD, "address", "deposed_key")}
    module = Layout(members)
    members["child_modules"] = _listed(module)
    return module


_VALUES: Final = Layout({"outputs": _named(_OUTPUT), "root_module": _modules_of_values()})


def _modules_of_configuration() -> Layout:
    """Return the layout of a module with its declarations, which contains itself: module calls have modules."""
    declared = Layout({"expressions": _VALUE, "expression": _VALUE, "depends_on": _UNORDERED})
    calls: dict[str, Layout] = {"expressions": _VALUE, "depends_on": _UNORDERED}
    module = Layout(
        {
            "resources": _keyed(declared, "address"),
            "outputs": _named(declared),
            "variables": _named(Layout({"default": _VALUE, "type": _VALUE})),
            "module_calls": _named(Layout(calls)),
        }
    )
    calls["module"] = module
    return module


_PLAN: Final = Layout(
    {
        "resource_changes": _CHANGED_OBJECTS,
        "resource_drift": _CHANGED_OBJECTS,
        "deferred_changes": _listed(Layout({"resource_change": _CHANGED_OBJECT})),
        "output_changes": _named(_change(_VALUE)),
        "checks": _keyed(_CHECK, "address"),
        "relevant_attributes": _keyed(ANYTHING, "resource", "attribute"),
        "planned_values": _VALUES,
        "prior_state": Layout({"values": _VALUES, "checks": _keyed(_CHECK, "address")}),
        "variables": _named(Layout({"value": _VALUE})),
        "configuration": Layout(
            {
                "provider_config": _named(Layout({"expressions": _VALUE})),
                "root_module": _modules_of_configuration(),
            }
        ),
    }
)

OBSERVATION: Final = Layout(
    {
        "plan": _PLAN,
        "state": _STATE,
        "provider_data": Layout({"instances": _keyed(ANYTHING, "index_key", "deposed", "address")}),
        "inventory": _listed(Layout(each=_VALUE, is_value=True, part=Part.CLOUD_OBJECT)),
    }
)
"""A whole observation: the documents in it by the name of their field."""
