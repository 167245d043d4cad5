"""Records: classes that consist of their fields.

`record` is what `dataclasses.dataclass(frozen=True, slots=True)` is, at a twentieth of the time that it takes to define
a class, and at less than half the time that it takes to make an instance. Users wait for both: a command imports
hundreds of such classes and uses a few dozen of them, and a large plan makes millions of instances.

- The methods of a class are made when they are first called. Until then all records share methods that do this. A
  constructor is made for the fifth instance: most classes have fewer, and to make it takes longer than to do without.
- The fields of a record are assigned once, when it is made. mypy checks that, as it does for frozen dataclasses, and so
  does a test that runs both engines (`tests/unit/shared_nodes/test_record.py`). It is not checked at run time, since
  that would cost something at every assignment in every constructor. With `frozen=False` fields may be assigned.

To everything that asks, records are dataclasses: `fields`, `replace`, `asdict` and `is_dataclass` work, and so do
patterns, copies and pickles, and dataclasses that inherit from a record. Defaults, `dataclasses.field` and
`__post_init__` mean the same. There is no `InitVar` and no `KW_ONLY`. A class with `functools.cached_property` needs a
`__dict__`, and stays a dataclass without slots.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable, Mapping
from reprlib import recursive_repr
from typing import Any, Final, TypeVar, dataclass_transform, overload

__all__ = ["is_frozen_record", "record"]

_Class = TypeVar("_Class", bound=type)


class _Shape:
    """The fields of a record, inherited ones first."""

    __slots__ = ("defaults", "frozen", "instances", "kinds", "kw_only")

    def __init__(self, kinds: dict[str, str], defaults: dict[str, Any], kw_only: frozenset[str], frozen: bool) -> None:
        self.kinds: Final = kinds
        """The annotations of all fields."""

        self.defaults: Final = defaults
        """Defaults as written, so that some of them are results of `dataclasses.field`."""

        self.kw_only: Final = kw_only
        self.frozen: Final = frozen
        self.instances = 0
        """How many were made without a constructor."""

    def names(self, purpose: str) -> tuple[str, ...]:
        """Return the fields that take part in the constructor ("init"), in comparisons ("compare"), or in "repr"."""
        if not self.defaults:
            return tuple(self.kinds)
        return tuple([name for name in self.kinds if self._takes_part(name, purpose)])

    def positional(self) -> tuple[str, ...]:
        """Return the parameters of the constructor that need no keyword."""
        names = self.names("init")
        return tuple([name for name in names if name not in self.kw_only]) if self.kw_only else names

    def _takes_part(self, name: str, purpose: str) -> bool:
        default = self.defaults.get(name)
        return not isinstance(default, dataclasses.Field) or bool(getattr(default, purpose))


@overload
def record(cls: _Class, /) -> _Class: ...


@overload
def record(
    *, frozen: bool = True, eq: bool = True, order: bool = False, kw_only: bool = False
) -> Callable[[_Class], _Class]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def record(
    cls: type | None = None, /, *, frozen: bool = True, eq: bool = True, order: bool = False, kw_only: bool = False
) -> Any:
    """Make a class a record. The parameters are those of `dataclasses.dataclass`."""

    def decorate(cls: type) -> type:
        return _make_record(cls, _make_shape(cls, frozen, kw_only), eq, order)

    return decorate if cls is None else decorate(cls)


def is_frozen_record(cls: type) -> bool:
    """Return whether fields of the class are assigned only when an instance is made."""
    shape = getattr(cls, "__record_shape__", None)
    return isinstance(shape, _Shape) and shape.frozen


def _make_shape(cls: type, frozen: bool, kw_only: bool) -> _Shape:
    kinds: dict[str, str] = {}
    defaults: dict[str, Any] = {}
    keywords: set[str] = set()
    for base in cls.__mro__[:0:-1]:
        if isinstance(inherited := base.__dict__.get("__record_shape__"), _Shape):
            kinds |= inherited.kinds
            defaults |= inherited.defaults
            keywords |= inherited.kw_only
    for name, kind in cls.__annotations__.items():
        if not _is_class_variable(kind):
            kinds[name] = kind
            if kw_only:
                keywords.add(name)
            if name in cls.__dict__:
                defaults[name] = _checked(cls, name, cls.__dict__[name])
    return _Shape(kinds, defaults, frozenset(keywords), frozen)


def _is_class_variable(kind: str) -> bool:
    return kind.startswith("ClassVar")


def _checked(cls: type, name: str, default: Any) -> Any:
    """Return a default, unless instances would share something that can change."""
    if type(default).__hash__ is None and not isinstance(default, dataclasses.Field):
        raise ValueError(f"{cls.__qualname__}.{name} has a mutable default: use default_factory")
    return default


def _make_record(cls: type, shape: _Shape, eq: bool, order: bool) -> type:
    """Return the class again, with slots and methods. A class cannot get slots once it is made."""
    members = dict(cls.__dict__)
    own = [name for name, kind in cls.__annotations__.items() if not _is_class_variable(kind)]
    for name in (*own, "__dict__", "__weakref__"):
        members.pop(name, None)
    with_slots = {name for base in cls.__mro__[1:] for name in base.__dict__.get("__slots__", ())}
    members["__slots__"] = tuple(name for name in own if name not in with_slots)
    if eq:
        members.setdefault("__eq__", _first_eq)
        if members.get("__hash__") is None:
            members["__hash__"] = _first_hash if shape.frozen else None
    if order:
        members |= {f"__{name}__": _comparison(getattr(operator, name)) for name in ("lt", "le", "gt", "ge")}
    members.setdefault("__init__", _first_init)
    members.setdefault("__repr__", _repr)
    members.setdefault("__match_args__", shape.positional())
    members["__record_shape__"] = shape
    members["__dataclass_fields__"] = _DataclassFields()
    members["__dataclass_params__"] = _DataclassParameters(shape.frozen, eq, order)
    made = type(cls)(cls.__name__, cls.__bases__, members)
    made.__qualname__ = cls.__qualname__
    return made


# Methods, made when they are first called


def _first_init(self: Any, /, *arguments: Any, **keywords: Any) -> None:
    shape: _Shape = _owner_of(self, "__init__", _first_init).__record_shape__
    if shape.instances < _FEW:
        shape.instances += 1
        if _assign_fields(self, shape, arguments, keywords):
            return
    _replace_first(self, "__init__", _first_init, _make_init)(self, *arguments, **keywords)


_FEW: Final = 4


def _assign_fields(made: Any, shape: _Shape, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
    """Do what the constructor would. Returns whether the arguments are right: if not, it says what is wrong."""
    parameters = shape.names("init")
    given = keywords | dict(zip(shape.positional(), arguments, strict=False))
    if len(given) < len(arguments) + len(keywords) or not all(name in parameters for name in given):
        return False
    for name in shape.kinds:
        default = shape.defaults.get(name, dataclasses.MISSING)
        if name not in given and isinstance(default, dataclasses.Field):
            factory = default.default_factory
            default = default.default if factory is dataclasses.MISSING else factory()
        value = given.get(name, default)
        if value is not dataclasses.MISSING:
            setattr(made, name, value)
        elif name in parameters:
            return False
    if hasattr(made, "__post_init__"):
        made.__post_init__()
    return True


def _first_eq(self: Any, other: object, /) -> Any:
    return _replace_first(self, "__eq__", _first_eq, _make_eq)(self, other)


def _first_hash(self: Any, /) -> int:
    made: int = _replace_first(self, "__hash__", _first_hash, _make_hash)(self)
    return made


def _replace_first(instance: object, name: str, first: Callable[..., Any], make: Callable[[Any], Any]) -> Any:
    """Replace the first method of the class that the instance has it from."""
    owner = _owner_of(instance, name, first)
    if owner.__dict__[name] is not first:
        return owner.__dict__[name]
    method = make(owner)
    method.__qualname__ = f"{owner.__qualname__}.{name}"
    method.__module__ = owner.__module__
    method.is_made = True
    setattr(owner, name, method)
    return method


def _owner_of(instance: object, name: str, first: Callable[..., Any]) -> Any:
    """Return the class that the instance has its first method from. Another thread may just have replaced the method,
    after this one has called it."""
    methods = ((base, base.__dict__.get(name)) for base in type(instance).__mro__)
    return next(base for base, method in methods if method is first or getattr(method, "is_made", False))


def _make_init(owner: Any) -> Any:
    shape: _Shape = owner.__record_shape__
    scope: dict[str, Any] = {}
    positional, keywords = ["self"], list[str]()
    body: list[str] = []
    for name in shape.kinds:
        parameter, value = _initialise(name, shape.defaults.get(name, dataclasses.MISSING), scope)
        if parameter:
            (keywords if name in shape.kw_only else positional).append(parameter)
        if value:
            body.append(f"self.{name} = {value}")
    if hasattr(owner, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join([*positional, *(["*", *keywords] if keywords else [])])
    return _compile(f"def __init__({parameters}):", body, scope)


def _initialise(name: str, default: Any, scope: dict[str, Any]) -> tuple[str, str]:
    """Return the parameter and the value of a field, either of which it may not have. `scope` receives its default."""
    is_parameter, factory = True, None
    if isinstance(default, dataclasses.Field):
        is_parameter = default.init
        factory = default.default_factory if default.default_factory is not dataclasses.MISSING else None
        default = default.default
    if factory is not None:
        scope[f"_make_{name}"], scope["_ABSENT"] = factory, _ABSENT
        made = f"_make_{name}()"
        return (f"{name}=_ABSENT", f"{made} if {name} is _ABSENT else {name}") if is_parameter else ("", made)
    if default is dataclasses.MISSING:
        return (name, name) if is_parameter else ("", "")
    scope[f"_default_{name}"] = default
    return (f"{name}=_default_{name}", name) if is_parameter else ("", f"_default_{name}")


_ABSENT: Final = object()


def _make_eq(owner: Any) -> Any:
    mine, others = (_tuple_of(owner.__record_shape__, side) for side in ("self", "other"))
    body = ["if other.__class__ is self.__class__:", f"    return {mine} == {others}", "return NotImplemented"]
    return _compile("def __eq__(self, other):", body, {})


def _make_hash(owner: Any) -> Any:
    return _compile("def __hash__(self):", [f"return hash({_tuple_of(owner.__record_shape__, 'self')})"], {})


def _tuple_of(shape: _Shape, instance: str) -> str:
    return f"({''.join(f'{instance}.{name}, ' for name in shape.names('compare'))})"


def _compile(head: str, body: list[str], scope: dict[str, Any]) -> Any:
    exec("\n    ".join([head, *(body or ["pass"])]), scope)
    return next(made for name, made in scope.items() if name == head[4 : head.index("(")])


# Methods that are the same for all records


@recursive_repr()
def _repr(self: Any) -> str:
    shown = [f"{name}={getattr(self, name)!r}" for name in self.__record_shape__.names("repr")]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _comparison(compare: Callable[[Any, Any], bool]) -> Callable[[Any, object], Any]:
    def compare_fields(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        names = self.__record_shape__.names("compare")
        return compare([getattr(self, name) for name in names], [getattr(other, name) for name in names])

    return compare_fields


class _DataclassParameters:
    """What `dataclasses.dataclass` looks at in a base class."""

    __slots__ = ("eq", "frozen", "order")

    def __init__(self, frozen: bool, eq: bool, order: bool) -> None:
        self.frozen: Final = frozen
        self.eq: Final = eq
        self.order: Final = order


class _DataclassFields:
    """What the functions of `dataclasses` look for in a class. Few classes are ever asked for it."""

    def __get__(self, _instance: object, owner: Any) -> Mapping[str, dataclasses.Field[Any]]:
        """Return the fields, which replace this in the class. They are made by `dataclasses` for a class that has the
        same fields and nothing else."""
        shape: _Shape = owner.__record_shape__
        members = {"__annotations__": shape.kinds, "__module__": owner.__module__, **shape.defaults}
        members["__doc__"] = owner.__name__  # which would be made of its signature, at great expense
        fields = {name: _by_keyword(members.get(name, dataclasses.MISSING)) for name in shape.kw_only}
        stand_in = type(owner.__name__, (), members | fields)
        dataclasses.dataclass(init=False, repr=False, eq=False)(stand_in)
        found: Mapping[str, dataclasses.Field[Any]] = vars(stand_in)["__dataclass_fields__"]
        owner.__dataclass_fields__ = found
        return found


def _by_keyword(default: Any) -> Any:
    if isinstance(default, dataclasses.Field):
        default.kw_only = True
        return default
    return dataclasses.field(default=default, kw_only=True)
