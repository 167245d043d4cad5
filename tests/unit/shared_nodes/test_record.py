"""Records behave as frozen dataclasses with slots do, except that nothing stops an assignment at run time.

Each law below compares a record with the dataclass that has the same body.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import pytest

from shared_nodes.record import is_frozen_record, record

_Item = TypeVar("_Item")

_ROOT: Final = Path(__file__).parent.parent.parent.parent


class Sized(Protocol):
    def size(self) -> int: ...


@record
class Point:
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list, compare=False)
    limit: ClassVar[int] = 9
    _text: str = field(default="", init=False, repr=False, compare=False)

    def size(self) -> int:
        return abs(self.x) + abs(self.y)


@dataclass(frozen=True, slots=True)
class FrozenPoint:
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list, compare=False)
    limit: ClassVar[int] = 9
    _text: str = field(default="", init=False, repr=False, compare=False)


@record
class Place(Point):
    name: str = "origin"
    y: int = 7


@dataclass(frozen=True, slots=True)
class FrozenPlace(FrozenPoint):
    name: str = "origin"
    y: int = 7


@record(order=True)
class Version:
    major: int
    minor: int


@record(kw_only=True)
class Options:
    depth: int
    names: tuple[str, ...] = ()


@record(frozen=False)
class Counter:
    count: int = 0
    seen: set[str] = field(default_factory=set)


@record(eq=False)
class Token:
    name: str


@record
class Pair(Generic[_Item]):
    left: _Item
    right: _Item


@record
class Square(Sized):
    side: int

    def size(self) -> int:
        return self.side * self.side


@record
class Positive:
    number: int
    half: float = field(init=False)

    def __post_init__(self) -> None:
        if self.number < 1:
            raise ValueError(self.number)
        object.__setattr__(self, "half", self.number / 2)


@record
class Caseless:
    """Has methods of its own, which are kept."""

    text: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Caseless) and self.text.lower() == other.text.lower()

    def __hash__(self) -> int:
        return hash(self.text.lower())

    def __repr__(self) -> str:
        return f"<{self.text}>"


@record
class Empty:
    pass


@record
class Tree:
    children: list[Any]


# The constructor


@pytest.mark.parametrize(
    ("arguments", "keywords"),
    [((1,), {}), ((1, 2), {}), ((1, 2, ["a"]), {}), ((), {"x": 1, "tags": ["b"]}), ((3,), {"y": 4})],
)
@pytest.mark.parametrize(("ours", "theirs"), [(Point, FrozenPoint), (Place, FrozenPlace)])
def test_instances_have_the_fields_of_the_dataclass(
    ours: Any, theirs: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    made, expected = ours(*arguments, **keywords), theirs(*arguments, **keywords)
    assert dataclasses.asdict(made) == dataclasses.asdict(expected)
    assert repr(made) == repr(expected).replace("Frozen", "")


@pytest.mark.parametrize(
    ("arguments", "keywords"),
    [((), {}), ((1, 2, [], 4), {}), ((1,), {"x": 2}), ((1,), {"z": 2}), ((1,), {"_text": ""})],
)
def test_wrong_arguments_are_refused_with_the_message_of_the_dataclass(
    arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    with pytest.raises(TypeError) as expected:
        FrozenPoint(*arguments, **keywords)
    with pytest.raises(TypeError) as refused:
        Point(*arguments, **keywords)
    assert str(refused.value) == str(expected.value).replace("Frozen", "")


@pytest.mark.parametrize(
    ("arguments", "keywords"),
    [
        ((1,), {"depth": 0}),
        ((1, 2), {"depth": 0, "tags": ["a"]}),
        ((), {"x": 1, "depth": 0}),
        ((), {"depth": 0}),
        ((1,), {}),
        ((1, 2, [], 0), {}),
        ((1,), {"x": 2, "depth": 0}),
        ((1,), {"half": 2, "depth": 0}),
    ],
)
def test_the_first_instances_are_made_as_later_ones(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """Only later ones are made by a constructor of the class."""

    @record(kw_only=True)
    class Base:
        depth: int

    @record
    class Shape(Base):
        x: int
        y: int = 0
        tags: list[str] = field(default_factory=list)
        half: float = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "half", self.x / 2)

    def outcome() -> object:
        try:
            return dataclasses.asdict(Shape(*arguments, **keywords))
        except TypeError as wrong:
            return str(wrong)

    first = outcome()
    for _ in range(10):
        Shape(0, depth=1)
    assert "x" in vars(Shape)["__init__"].__code__.co_varnames
    assert outcome() == first


def test_defaults_made_by_a_factory_are_not_shared() -> None:
    assert Point(1).tags == []
    assert Point(1).tags is not Point(1).tags


def test_a_default_that_can_change_is_refused() -> None:
    class Careless:
        names: list[str] = []  # noqa: RUF012 - the mistake that is refused

    with pytest.raises(ValueError, match=r"Careless\.names has a mutable default"):
        record(Careless)


def test_keyword_fields_are_not_positional() -> None:
    assert Options(depth=1).names == ()
    with pytest.raises(TypeError):
        Options(1)  # type: ignore[call-arg]


def test_a_method_that_another_thread_has_just_replaced_does_what_the_new_one_does() -> None:
    @record
    class Pair:
        one: int
        other: int = 2

    methods: dict[str, Any] = {name: Pair.__dict__[name] for name in ("__init__", "__eq__", "__hash__")}
    assert len({Pair(number) for number in range(9)}) == 9
    assert Pair(1) == Pair(1)
    assert all(Pair.__dict__[name] is not method for name, method in methods.items())
    late = object.__new__(Pair)
    methods["__init__"](late, 1)
    assert late == Pair(1, 2)
    assert methods["__eq__"](late, Pair(1, 2)) is True
    assert methods["__hash__"](late) == hash(Pair(1, 2))


def test_post_init_is_called() -> None:
    assert Positive(3).half == 1.5
    with pytest.raises(ValueError, match="0"):
        Positive(0)


def test_methods_made_at_first_use_belong_to_the_class_that_has_them() -> None:
    @record
    class Base:
        x: int

    @record
    class Derived(Base):
        y: int

    class Plain(Derived):
        """No record itself."""

    for _ in range(10):
        Plain(1, 2), Base(1)
    assert Plain(1, 2) == Plain(1, 2)
    assert Plain(1, 2) != Derived(1, 2)
    assert hash(Plain(1, 2)) == hash((1, 2))
    assert Base(1) == Base(1)
    assert "__init__" not in vars(Plain)
    assert vars(Derived)["__init__"] is not vars(Base)["__init__"]
    assert vars(Derived)["__init__"].__qualname__.endswith("Derived.__init__")


# Comparing


@pytest.mark.parametrize("make", [Point, FrozenPoint])
def test_fields_decide_about_equality_unless_they_do_not_take_part(make: Callable[..., Any]) -> None:
    assert make(1, 2, ["a"]) == make(1, 2, ["b"])
    assert make(1, 2) != make(1, 3)
    assert make(1, 2) != (1, 2)
    assert hash(make(1, 2)) == hash((1, 2))


def test_a_record_is_never_equal_to_one_of_another_class() -> None:
    assert Point(1, 2) != Place(1, 2)
    other: object = FrozenPoint(1, 2)
    assert Point(1, 2) != other


def test_identical_fields_are_equal_as_in_a_tuple() -> None:
    nan = float("nan")
    assert Pair(nan, 1.0) == Pair(nan, 1.0)


def test_order_is_that_of_the_fields() -> None:
    versions = [Version(1, 2), Version(0, 9), Version(1, 0)]
    assert sorted(versions) == [Version(0, 9), Version(1, 0), Version(1, 2)]
    assert Version(1, 2) <= Version(1, 2) < Version(2, 0)
    with pytest.raises(TypeError):
        _ = Version(1, 2) < (1, 3)  # type: ignore[operator]


def test_what_can_be_assigned_to_has_no_hash() -> None:
    counter = Counter()
    counter.count += 1
    assert counter == Counter(1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(counter)


def test_without_eq_identity_decides() -> None:
    token = Token("a")
    assert token != Token("a")
    assert {token: 1}[token] == 1


def test_methods_of_its_own_are_kept() -> None:
    assert {Caseless("A"), Caseless("a")} == {Caseless("a")}
    assert repr(Caseless("A")) == "<A>"


def test_an_empty_record_equals_every_other() -> None:
    assert Empty() == Empty()
    assert hash(Empty()) == hash(())
    assert repr(Empty()) == "Empty()"


# What dataclasses can do


def test_there_is_no_dictionary_and_no_further_attribute() -> None:
    for one in (Point(1), Place(1), Pair(1, 2)):
        assert not hasattr(one, "__dict__")
        with pytest.raises(AttributeError):
            one.further = 1  # type: ignore[union-attr]


def test_inherited_fields_have_one_slot() -> None:
    assert vars(Place)["__slots__"] == ("name",)


def test_a_dataclass_can_inherit_from_a_record() -> None:
    @dataclass(frozen=True)
    class Release(Version):
        name: str = ""

    release = Release(1, 2, name="first")
    assert (release.major, release.minor, release.name) == (1, 2, "first")
    assert release == dataclasses.replace(release) != dataclasses.replace(release, major=2)
    with pytest.raises(TypeError, match="non-frozen"):
        dataclass(type("Draft", (Version,), {"__annotations__": {"name": "str"}}))


def test_functions_of_dataclasses_work() -> None:
    assert dataclasses.is_dataclass(Point)
    assert [one.name for one in dataclasses.fields(Place)] == [one.name for one in dataclasses.fields(FrozenPlace)]
    assert [(one.init, one.compare, one.kw_only) for one in dataclasses.fields(Point)] == [
        (one.init, one.compare, one.kw_only) for one in dataclasses.fields(FrozenPoint)
    ]
    assert [one.kw_only for one in dataclasses.fields(Options)] == [True, True]
    assert dataclasses.replace(Place(1), name="here") == Place(1, name="here")
    assert dataclasses.replace(Options(depth=1), depth=2) == Options(depth=2)
    place: Any = Place(1)
    assert dataclasses.asdict(Tree([place]))["children"][0]["x"] == 1


def test_patterns_match() -> None:
    match Place(1, 2, [], "here"):
        case Place(x, y, name=name):
            assert (x, y, name) == (1, 2, "here")
        case _:
            pytest.fail("not matched")
    assert Place.__match_args__ == FrozenPlace.__match_args__
    assert Options.__match_args__ == ()


@pytest.mark.parametrize(
    "one",
    [Point(1, 2, ["a"]), Place(1), Options(depth=3), Counter(2, {"a"}), Square(2), Positive(3), Pair(1, 2), Empty()],
)
def test_copies_and_pickles_are_equal(one: Any) -> None:
    assert copy.copy(one) == one
    assert copy.deepcopy(one) == one
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(one, protocol)) == one


def test_a_record_that_contains_itself_is_printed() -> None:
    tree = Tree([])
    tree.children.append(tree)
    assert repr(tree) == "Tree(children=[...])"


def test_protocols_and_generics_can_be_bases() -> None:
    sized: Sized = Square(3)
    assert sized.size() == 9
    assert Pair[int](1, 2) == Pair(1, 2)


# Where they are used

_PRODUCT: Final = ("shared_nodes", "legacy_engine", "new_engine", "harness", "reports")


def _dataclasses() -> Iterator[tuple[str, ast.ClassDef]]:
    for file in (file for package in _PRODUCT for file in (_ROOT / package).rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        for made in ast.walk(ast.parse(text)) if "@dataclass" in text else ():
            if isinstance(made, ast.ClassDef) and "dataclass" in map(_name_of, made.decorator_list):
                yield f"{file.relative_to(_ROOT)}: {made.name}", made


def _name_of(decorator: ast.expr) -> str:
    return ast.unparse(decorator).partition("(")[0].removeprefix("dataclasses.")


def test_data_is_in_records_unless_it_needs_a_dictionary() -> None:
    """Defining a dataclass takes fifty times as long, and all users wait for it. Exceptions have a dictionary, and
    cached properties need one."""
    others = {
        where
        for where, made in _dataclasses()
        if "cached_property" not in ast.unparse(made) and "Exception" not in map(ast.unparse, made.bases)
    }
    assert others == set()


# Immutability

_CHECKED_ASSIGNMENTS: Final = """
import dataclasses, sys
import legacy_engine.api, legacy_engine.apply, new_engine.api, new_engine.apply
import harness.cli, harness.cli.run, harness.execute.local
from shared_nodes.record import is_frozen_record

def assign(self, name, value):
    if hasattr(self, name):
        raise dataclasses.FrozenInstanceError(f"{type(self).__name__}.{name} is assigned again")
    object.__setattr__(self, name, value)

def descendants(cls):
    for each in type.__subclasses__(cls):
        yield each
        yield from descendants(each)

records = [cls for cls in set(descendants(object)) if is_frozen_record(cls)]
for cls in records:
    cls.__setattr__ = assign
"""


def _run_checked(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _CHECKED_ASSIGNMENTS + program, *arguments]
    return subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)


def test_engines_assign_no_field_of_a_frozen_record_again(tmp_path: Path) -> None:
    """Such an assignment would be a crash of the engine, and exit code 3."""
    cases = [
        f"corpus/{area}" for area in ("cases/create-before-destroy", "regressions/imports", "cases/failure-and-resume")
    ]
    ended = _run_checked("harness.cli.main()", "run", *cases, "--runner", "local", "--out", str(tmp_path / "run"))
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_a_second_assignment_is_noticed_by_this_check() -> None:
    ended = _run_checked(
        "from shared_nodes.record import record\n"
        "Point = record(type('Point', (), {'__annotations__': {'x': 'int'}, '__setattr__': assign}))\n"
        "Point(1).x = 2"
    )
    assert "FrozenInstanceError: Point.x is assigned again" in ended.stderr


def test_frozen_records_are_known() -> None:
    assert is_frozen_record(Point)
    assert is_frozen_record(Place)
    assert not is_frozen_record(Counter)
    assert not is_frozen_record(FrozenPoint)
