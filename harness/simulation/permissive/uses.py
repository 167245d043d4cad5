"""Finds what expressions read from resources: `thing.a.names[0]` needs an attribute `names` that is a list.

If a provider is missing, this is the only source for what its resource types export. The search follows names, indices,
splats, `self`, `each.value`, local values, variables and outputs of modules, variables of `for` expressions over
resources, and what is inside of decoded texts. The results of provider functions are followed likewise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, is_dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import Final

from harness.simulation.plausible import Form, used_forms
from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang import tree
from shared_nodes.lang.source import Range
from shared_nodes.record import record

__all__ = ["Inside", "ModuleUses", "Use", "uses_in"]


class Inside(Enum):
    """What a text is decoded as, to get at what is inside of it."""

    JSON = "jsondecode"
    YAML = "yamldecode"
    BASE64 = "base64decode"


_DECODERS: Final = {each.value: each for each in Inside}

_Step = str | int | Inside | None
"""An attribute or key, a position, a decoding, or None for an unknown position."""

_DEFAULT_LENGTH: Final = 3
"""How many elements a list gets if the positions read are unknown: more than one, so that order and number are
visible."""

_COLLECTION_FUNCTIONS: Final = frozenset(
    re.findall(
        r"\w+",
        "alltrue anytrue chunklist coalescelist compact concat contains distinct element flatten index join length one "
        "reverse setintersection setproduct setsubtract setunion slice sort sum tolist toset zipmap",
    )
)
"""Functions that take lists, so their arguments are lists."""

_FLATTEN: Final = "flatten"
"""What takes lists of lists."""

_TAKING_OUT: Final = ("element", "one")
"""Functions whose result is an element of their first argument."""

_KEEPING_KIND: Final = ("nonsensitive", "sensitive", "try")
_KEEPING: Final = (*_KEEPING_KIND, "distinct", "reverse", "slice", "sort", "tolist", "toset")
"""Functions whose result has the elements of their first argument, or is that argument."""

_VALUES: Final = "values"
_FOLLOWED: Final = frozenset((*_DECODERS, *_TAKING_OUT, *_KEEPING, _VALUES))

_TEXT_FUNCTIONS: Final = frozenset(
    re.findall(
        r"\w+",
        "base64encode chomp endswith indent lower md5 regex regexall replace sha1 sha256 split startswith strcontains "
        "strrev substr title trim trimprefix trimspace trimsuffix upper urlencode",
    )
)
"""Functions that take texts. All arguments count: none of another type can come from a decoded text."""


@record(frozen=False)
class Use:
    """How a value is used: parts by name, elements by position. If it has neither, any text will do."""

    parts: dict[str, Use] = field(default_factory=dict)
    element: Use | None = None
    count: int = 0
    form: Form | None = None
    """The form that a text must have."""

    inside: tuple[Inside, Use] | None = None
    """How a text is decoded, and the use of what it contains."""

    is_map: bool = False
    """Whether elements must have keys, and not positions."""

    is_text: bool = False
    """Whether what a text contains must be a text itself."""

    def at(self, steps: Iterable[_Step]) -> Use:
        """Return the use of what the steps lead to, recording the steps."""
        use = self
        for step in steps:
            if isinstance(step, str):
                use = use.parts.setdefault(step, Use())
                continue
            if isinstance(step, Inside):
                use.inside = use.inside or (step, Use())
                use = use.inside[1]
                continue
            use.count = max(use.count, _DEFAULT_LENGTH if step is None else step + 1)
            if use.element is None:
                use.element = Use()
            use = use.element
        return use


@record
class ModuleUses:
    resources: dict[Resource, Use]
    functions: dict[str, Use]
    """The use of the result of each provider function, by its full name."""


def uses_in(config: ConfigTree) -> dict[ModulePath, ModuleUses]:
    """Return the use of every resource and provider function that expressions mention, declared or not, by the module
    that they are in."""
    searches: dict[ModulePath, _Search] = {}
    for node in config.walk():
        searches[node.path] = _Search(node, searches)
    for search in searches.values():
        _search_module(search)
    return {path: ModuleUses(search.found, search.functions) for path, search in searches.items()}


def _search_module(search: _Search) -> None:
    module = search.node.module
    declared = (
        module.variables,
        module.locals,
        module.outputs,
        module.module_calls,
        module.providers,
        module.checks,
        module.imports,
    )
    for expression in _expressions(declared):
        search.visit(expression, {})
    for condition in _conditions((declared, tuple(module.resources.values()))):
        search.record_form(search.place(condition), Form.BOOLEAN)
    for resource, block in module.resources.items():
        names: dict[str, _Place | None] = {_SELF: _Place(search.node.path, resource)}
        if block.for_each is not None and (over := search.place(block.for_each)) is not None:
            search.record_repetition(over)
            names[_EACH] = over.then((None,))
        for expression in _expressions(block):
            search.visit(expression, names)


def _expressions(thing: object) -> Iterator[tree.Expression]:
    """Yield every expression in a declaration, whatever its field, so that a new kind of block needs no change here."""
    if isinstance(thing, tree.Expression):
        yield thing
    elif isinstance(thing, Mapping):
        for part in thing.values():
            yield from _expressions(part)
    elif isinstance(thing, tuple | list):
        for part in thing:
            yield from _expressions(part)
    elif is_dataclass(thing) and not isinstance(thing, Range | type):
        for one in fields(thing):
            yield from _expressions(getattr(thing, one.name))


def _conditions(thing: object) -> Iterator[tree.Expression]:
    """Yield the conditions of rules in a declaration."""
    if isinstance(thing, Mapping):
        for part in thing.values():
            yield from _conditions(part)
    elif isinstance(thing, tuple | list):
        for part in thing:
            yield from _conditions(part)
    elif is_dataclass(thing) and not isinstance(thing, Range | type | tree.Expression):
        for one in fields(thing):
            part = getattr(thing, one.name)
            if one.name == "condition" and isinstance(part, tree.Expression):
                yield part
            else:
                yield from _conditions(part)


@record
class _Place:
    path: ModulePath
    """The module of the resource."""

    resource: Resource | str
    """A resource, or a provider function, whose result is meant."""

    steps: tuple[_Step, ...] = ()
    spread: int = 0
    """How many lists are around what is meant: one for each splat. They are no part of the resource."""

    is_list: bool = False
    """Whether a function has made a list or set of what is meant."""

    def then(self, steps: Iterable[_Step]) -> _Place:
        rest, spread = list(steps), self.spread
        while spread and rest and not isinstance(rest[0], str | Inside):
            del rest[0]
            spread -= 1
        return _Place(self.path, self.resource, (*self.steps, *rest), spread)


_Names = Mapping[str, _Place | None]
"""What the variables of enclosing `for` expressions stand for; None if that is not a resource. `*` is the item of a
splat."""

_ITEM: Final = "*"
_SELF: Final = "self"
_EACH: Final = "each.value"
_PROVIDER_FUNCTION: Final = "provider::"


@record(frozen=False)
class _Search:
    node: ConfigTree
    searches: Mapping[ModulePath, _Search]
    """Those of all modules."""

    found: dict[Resource, Use] = field(default_factory=dict)
    functions: dict[str, Use] = field(default_factory=dict)
    open_values: list[tuple[str, str]] = field(default_factory=list)
    """Local values, variables and outputs that are being followed. One that refers to itself leads nowhere."""

    def place(self, node: tree.Expression, names: _Names = MappingProxyType({})) -> _Place | None:
        return self._place(node, names)

    def visit(self, node: tree.Expression, names: _Names) -> None:
        place = self._place(node, names)
        if place is not None:
            self._record(place)
        if isinstance(node, tree.For):
            self._visit_for(node, names)
            return
        if isinstance(node, tree.Call) and node.name.removeprefix("core::") in _COLLECTION_FUNCTIONS:
            for argument in node.arguments:
                wanted = self._place(argument, names)
                if wanted is not None and _attribute_steps(wanted):
                    is_nested = wanted.spread and node.name.removeprefix("core::") == _FLATTEN
                    self._record(wanted.then((None, None) if is_nested else (None,)))
        if isinstance(node, tree.Call) and node.name.removeprefix("core::") in _TEXT_FUNCTIONS:
            for argument in node.arguments:
                decoded = self._place(argument, names)
                if decoded is not None and decoded.steps[-1:] and isinstance(decoded.steps[-1], Inside):
                    self._use_of(decoded).is_text = True
        for operand, form in used_forms(node):
            self.record_form(self._place(operand, names), form)
        for part in self._unresolved(node, place):
            self.visit(part, names)

    def record_repetition(self, place: _Place) -> None:
        """Record what an object is made for each of: it must be a map, unless a function has made a set of it."""
        if _attribute_steps(place) and not place.spread and not place.is_list:
            self._use_of(place).is_map = True
            self._record(place.then((None,)))

    def record_form(self, place: _Place | None, form: Form) -> None:
        if place is not None and (_attribute_steps(place) or isinstance(place.resource, str)):
            use = self._use_of(place)
            use.form = use.form or form

    def _unresolved(self, node: tree.Expression, place: _Place | None) -> tuple[tree.Expression, ...]:
        """Return the parts still to be visited. In a path to an attribute, only the expressions in brackets are."""
        if place is None:
            return node.children() if not isinstance(node, tree.Splat) else (node.source,)
        keys: list[tree.Expression] = []
        while isinstance(node, tree.RelativeTraversal | tree.Index | tree.Splat | tree.Parentheses | tree.Call):
            if isinstance(node, tree.Call):
                return (*keys, *node.arguments)
            if isinstance(node, tree.Index):
                keys.append(node.key)
                node = node.collection
            else:
                node = node.inner if isinstance(node, tree.Parentheses) else node.source
        return tuple(keys)

    def _visit_for(self, node: tree.For, names: _Names) -> None:
        self.visit(node.collection, names)
        place = self._place(node.collection, names)
        each = None if place is None else place.then((None,))
        if each is not None and _attribute_steps(each):
            self._record(each)
        inner = {**names, node.value_name: each}
        if node.key_name is not None:
            inner[node.key_name] = None
        if node.condition is not None:
            self.record_form(self._place(node.condition, inner), Form.BOOLEAN)
        for part in (node.key, node.value, node.condition):
            if part is not None:
                self.visit(part, inner)

    def _place(self, node: tree.Expression, names: _Names) -> _Place | None:
        """Return where an expression leads, if it is nothing but a path to or into a resource."""
        match node:
            case tree.Traversal(root="local" | "var" | "module") if node.root not in names:
                return self._place_of_named(node)
            case tree.Traversal(root="each") if _EACH in names and node.root not in names:
                place, steps = names[_EACH], _steps(node.steps)
                return place.then(steps[1:]) if place is not None and steps[:1] == ("value",) else None
            case tree.Traversal():
                return self._resolve(node, names)
            case tree.Parentheses():
                return self._place(node.inner, names)
            case tree.SplatItem():
                return names.get(_ITEM)
            case tree.Call():
                return self._place_of_call(node, names)
            case tree.RelativeTraversal():
                source = self._place(node.source, names)
                return None if source is None else source.then(_steps(node.steps))
            case tree.Index():
                source = self._place(node.collection, names)
                return None if source is None else source.then((None,))
            case tree.Splat():
                source = self._place(node.source, names)
                each = None if source is None else self._place(node.each, {**names, _ITEM: source.then((None,))})
                return None if each is None else replace(each, spread=each.spread + 1)
        return None

    def _place_of_named(self, node: tree.Traversal) -> _Place | None:
        """Return where a local value, a variable or an output of a module comes from."""
        name, *rest = _steps(node.steps) or (None,)
        if not isinstance(name, str) or (node.root, name) in self.open_values:
            return None
        self.open_values.append((node.root, name))
        if node.root == "module":
            place = self._place_of_output(name, node.steps[1:])
        else:
            place = self._place_of_variable(name) if node.root == "var" else self._place_of_local(name)
            place = None if place is None else place.then(rest)
        self.open_values.pop()
        return place

    def _place_of_local(self, name: str) -> _Place | None:
        local = self.node.module.locals.get(name)
        return None if local is None else self.place(local.expression)

    def _place_of_variable(self, name: str) -> _Place | None:
        """Return where the argument of the call comes from."""
        call, caller = self.node.call, self.searches.get(self.node.path.parent)
        if call is None or caller is None or name not in call.body.attributes:
            return None
        names: dict[str, _Place | None] = {}
        if call.for_each is not None and (over := caller.place(call.for_each)) is not None:
            names[_EACH] = over.then((None,))
        return caller.place(call.body.attributes[name].expression, names)

    def _place_of_output(self, name: str, steps: Sequence[tree.Step]) -> _Place | None:
        child = self.node.children.get(name)
        if steps and isinstance(steps[0], tree.TraverseIndex):
            steps = steps[1:]
        if child is None or not steps or not isinstance(steps[0], tree.TraverseAttribute):
            return None
        output = child.module.outputs.get(steps[0].name)
        place = None if output is None else self.searches[child.path].place(output.expression)
        return None if place is None else place.then(_steps(steps[1:]))

    def _place_of_call(self, node: tree.Call, names: _Names) -> _Place | None:
        """Return where the result of a call comes from: a provider, a text that is decoded, or what a function only
        takes out or puts in order."""
        if node.name.startswith(_PROVIDER_FUNCTION):
            return _Place(self.node.path, node.name)
        name = node.name.removeprefix("core::")
        place = self._place(node.arguments[0], names) if name in _FOLLOWED and node.arguments else None
        if place is None:
            return None
        if name in _DECODERS and len(node.arguments) == 1:
            return place.then((_DECODERS[name],)) if _attribute_steps(place) else None
        if name in _TAKING_OUT:
            return place.then((None,))
        if name in _KEEPING:
            return replace(place, is_list=place.is_list or name not in _KEEPING_KIND)
        if name == _VALUES and not place.steps:  # of a resource with for_each
            return replace(place.then((None,)), spread=1)
        return None

    def _record(self, place: _Place) -> None:
        self._use_of(place)

    def _use_of(self, place: _Place) -> Use:
        owner = self.searches[place.path]
        if isinstance(place.resource, str):
            return owner.functions.setdefault(place.resource, Use()).at(place.steps)
        return owner.found.setdefault(place.resource, Use()).at(_attribute_steps(place))

    def _resolve(self, node: tree.Traversal, names: _Names) -> _Place | None:
        steps = _steps(node.steps)
        if node.root in names:
            place = names[node.root]
            return None if place is None else place.then(steps)
        mode = {"data": ResourceMode.DATA, "ephemeral": ResourceMode.EPHEMERAL}.get(node.root, ResourceMode.MANAGED)
        labels = (node.root, *steps) if mode is ResourceMode.MANAGED else steps
        if len(labels) < 2 or not isinstance(labels[0], str) or not isinstance(labels[1], str):
            return None
        named = 1 if mode is ResourceMode.MANAGED else 2
        rest = list(steps[named:])
        if rest and isinstance(node.steps[named], tree.TraverseIndex):
            rest[0] = None
        return _Place(self.node.path, Resource(mode, labels[0], labels[1]), tuple(rest))


def _attribute_steps(place: _Place) -> tuple[_Step, ...]:
    """Return the steps without an instance key, which leads to the object and not into it."""
    steps = place.steps
    return steps if not steps or isinstance(steps[0], str | Inside) else steps[1:]


def _steps(steps: Iterable[tree.Step]) -> tuple[_Step, ...]:
    return tuple(step.name if isinstance(step, tree.TraverseAttribute) else _index(step) for step in steps)


def _index(step: tree.TraverseIndex) -> _Step:
    payload = step.key.payload
    return payload if isinstance(payload, str) else int(payload)
