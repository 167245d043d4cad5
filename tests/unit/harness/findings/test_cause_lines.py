"""Causes by executed lines: one for each mistake, whatever its findings have in common with those of another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from harness.findings.cause_lines import Item, LineCause, group_by_lines
from harness.findings.causes import find_causes
from harness.findings.executed_lines import ExecutedLines, Line, lines_from_json, lines_to_json, merge_lines
from harness.findings.partings import Parting, PartingKind, Place
from tests.sample_runs import finding, result

MOVES, CHECKS, EVERYWHERE = 10, 20, 30
"""Lines of engine.py."""


def item(shape: str) -> Item:
    return Item(shape, "value")


def lines_of(executed: Mapping[str, tuple[int, ...]]) -> ExecutedLines:
    """All cases execute one line, and two hundred further cases execute nothing else."""
    cases = {f"other/{number}": () for number in range(200)} | dict(executed)
    by_case = {name: {"engine.py": sum(1 << line for line in (EVERYWHERE, *own))} for name, own in cases.items()}
    return ExecutedLines.of(by_case, ("new",))


def two_mistakes() -> tuple[dict[str, frozenset[Item]], dict[str, tuple[int, ...]]]:
    """Totals differ because of either mistake, and one case shows both."""
    shown = {f"m/{number}": frozenset({item("plan.moved"), item("summary")}) for number in range(8)}
    shown |= {f"c/{number}": frozenset({item("checks"), item("summary")}) for number in range(6)}
    shown["both/1"] = frozenset({item("plan.moved"), item("checks"), item("summary")})
    executed: dict[str, tuple[int, ...]] = {name: (MOVES if name[0] == "m" else CHECKS,) for name in shown}
    executed["both/1"] = (MOVES, CHECKS)
    return shown, executed


def cases_by_line(causes: list[LineCause]) -> dict[str, frozenset[str]]:
    return {", ".join(map(str, cause.lines)): cause.cases for cause in causes}


def test_two_mistakes_with_a_common_kind_of_finding_are_told_apart() -> None:
    shown, executed = two_mistakes()
    assert cases_by_line(group_by_lines(shown, lines_of(executed))) == {
        f"engine.py:{MOVES}": frozenset(name for name in shown if name[0] != "c"),
        f"engine.py:{CHECKS}": frozenset(name for name in shown if name[0] != "m"),
    }


def test_one_mistake_that_shows_in_different_ways_is_one_cause() -> None:
    shown = {f"m/{number}": frozenset({item(f"plan.{'a' if number < 5 else 'b'}")}) for number in range(10)}
    (cause,) = group_by_lines(shown, lines_of(dict.fromkeys(shown, (MOVES,))))
    assert cause.cases == frozenset(shown)
    assert cause.items == {item("plan.a"), item("plan.b")}


def test_two_cases_with_nothing_but_a_rare_line_in_common_are_two_causes() -> None:
    shown = {"a": frozenset({item("checks")}), "b": frozenset({item("plan.moved")})}
    causes = group_by_lines(shown, lines_of(dict.fromkeys(shown, (MOVES,))))
    assert sorted(sorted(cause.cases) for cause in causes) == [["a"], ["b"]]


def test_a_mistake_that_shows_in_one_case_is_a_cause_of_its_own() -> None:
    shown, executed = two_mistakes()
    shown["one/1"], executed["one/1"] = frozenset({item("outputs"), item("summary")}), (40,)
    assert cases_by_line(group_by_lines(shown, lines_of(executed)))["engine.py:40"] == {"one/1"}


def test_a_case_whose_lines_are_not_known_belongs_to_what_it_shows() -> None:
    shown, executed = two_mistakes()
    del executed["m/3"]
    assert "m/3" in cases_by_line(group_by_lines(shown, lines_of(executed)))[f"engine.py:{MOVES}"]


def test_without_any_lines_nothing_fails() -> None:
    shown, _ = two_mistakes()
    causes = group_by_lines(shown, ExecutedLines((), (), ("new",)))
    assert frozenset[str]().union(*(cause.cases for cause in causes)) == frozenset(shown)


def test_nothing_shown_has_no_cause() -> None:
    assert group_by_lines({}, lines_of({})) == []


@given(
    st.dictionaries(
        st.sampled_from([f"case/{number}" for number in range(12)]),
        st.tuples(
            st.frozensets(st.sampled_from([item(shape) for shape in ("a.x", "a.y", "b", "c[1]")]), min_size=1),
            st.sets(st.integers(1, 8)),
        ),
        min_size=1,
    ),
    st.randoms(use_true_random=False),
)
def test_causes_explain_every_finding_in_any_order(
    cases: dict[str, tuple[frozenset[Item], set[int]]], random: Random
) -> None:
    shown = {name: items for name, (items, _) in cases.items()}
    executed = {name: tuple(lines) for name, (_, lines) in cases.items()}
    causes = group_by_lines(shown, lines_of(executed))
    for name, items in shown.items():
        assert items <= frozenset[Item]().union(*(cause.items for cause in causes if name in cause.cases))
    assert all(cause.items & shown[name] for cause in causes for name in cause.cases)
    shuffled = random.sample(sorted(shown.items()), len(shown))
    assert group_by_lines(dict(shuffled), lines_of(dict(reversed(executed.items())))) == causes


# In a run


def test_a_cause_names_its_line() -> None:
    found = [result(f"a/{number}", finding("plan.x")) for number in range(4)]
    lines = lines_of({each.identifier: (MOVES,) for each in found})
    (cause,) = find_causes([*found, *(result(name) for name in lines.cases if name[0] == "o")], lines=lines)
    assert cause.features == (f"runs engine.py:{MOVES}",)


def test_findings_of_an_engine_whose_lines_are_not_known_are_put_together_as_ever() -> None:
    found = [result(f"a/{number}", finding("plan.x")) for number in range(4)]
    lines = ExecutedLines((), (), ("another",))
    assert find_causes(found, lines=lines) == find_causes(found)


def test_causes_with_the_same_heaviest_signature_have_names_of_their_own() -> None:
    found = [result(f"m/{number}", finding("plan.x"), finding("state.m")) for number in range(5)]
    found += [result(f"c/{number}", finding("plan.x"), finding("outputs.c")) for number in range(5)]
    lines = lines_of({each.identifier: (MOVES if each.identifier[0] == "m" else CHECKS,) for each in found})
    causes = find_causes(found, lines=lines)
    assert len(causes) == len({cause.identifier for cause in causes}) == 2


# As data


def test_lines_survive_the_disk() -> None:
    lines = lines_of(two_mistakes()[1])
    assert lines_from_json(lines_to_json(lines)) == lines


def test_lines_of_shards_are_those_of_the_whole_run() -> None:
    one = {"a/1": {"x.py": 0b110, "y.py": 0b10}, "a/2": {"x.py": 0b100}}
    other = {"a/3": {"x.py": 0b110}}
    parts = [ExecutedLines.of(part, ("new",)) for part in (one, other)]
    assert merge_lines(parts) == ExecutedLines.of(one | other, ("new",))
    assert ExecutedLines.of(other, ("new",)).groups[0].lines == (Line("x.py", 1), Line("x.py", 2))


# Places

TALLY, CLOSE = Place("shared_nodes/tally.py", 7, "tally"), Place("shared_nodes/close.py", 9, "close")


def with_places(lines: ExecutedLines, places: Mapping[str, tuple[Place, ...]]) -> ExecutedLines:
    partings = {case: tuple(Parting(PartingKind.ANSWERS, place) for place in own) for case, own in places.items()}
    return replace(lines, partings={**dict.fromkeys(lines.cases, ()), **partings})


def test_mistakes_that_show_alike_on_the_same_lines_are_told_apart_by_their_places() -> None:
    shown = {f"a/{number}": frozenset({item("summary")}) for number in range(12)}
    lines = lines_of(dict.fromkeys(shown, (MOVES,)))
    assert len(group_by_lines(shown, lines)) == 1
    places = {case: (TALLY if number < 5 else CLOSE,) for number, case in enumerate(shown)}
    causes = {cause.place: cause.cases for cause in group_by_lines(shown, with_places(lines, places))}
    assert causes == {place: frozenset(case for case in shown if places[case] == (place,)) for place in (TALLY, CLOSE)}


def test_a_case_that_parts_at_two_places_belongs_to_both_causes() -> None:
    shown = {f"a/{number}": frozenset({item("summary"), item("plan.a")}) for number in range(4)}
    shown |= {f"b/{number}": frozenset({item("summary"), item("plan.b")}) for number in range(4)}
    shown["both/1"] = frozenset({item("summary"), item("plan.a"), item("plan.b")})
    places = {case: (TALLY,) if case[0] == "a" else (CLOSE,) for case in shown} | {"both/1": (TALLY, CLOSE)}
    causes = group_by_lines(shown, with_places(lines_of(dict.fromkeys(shown, (MOVES,))), places))
    assert sorted(len(cause.cases) for cause in causes) == [5, 5]
    assert all("both/1" in cause.cases for cause in causes)


def test_cases_without_a_place_keep_their_line() -> None:
    shown, executed = two_mistakes()
    places = {case: (TALLY,) for case in shown if case[0] == "m"}
    causes = group_by_lines(shown, with_places(lines_of(executed), places))
    assert {(cause.place, cause.lines) for cause in causes} == {(TALLY, ()), (None, (Line("engine.py", CHECKS),))}


def test_a_cause_names_its_place() -> None:
    results = [result(f"a/{number}", finding("plan.a")) for number in range(3)]
    places = {each.identifier: (TALLY,) for each in results}
    lines = with_places(lines_of({each.identifier: (MOVES,) for each in results}), places)
    (cause,) = find_causes(results, lines=lines)
    assert cause.features[0] == "parts at tally (shared_nodes/tally.py:7)"


def test_a_mistake_of_the_baseline_is_one_cause() -> None:
    engines = ("new", "legacy")
    own = finding("plan.a")
    findings = [replace(own, signature=replace(own.signature, subject=engine)) for engine in engines]
    results = [result(f"a/{number}", *findings) for number in range(3)]
    lines = replace(lines_of({each.identifier: (MOVES,) for each in results}), engines=engines)
    (cause,) = find_causes(results, lines=lines)
    assert {signature.subject for signature in cause.signatures} == set(engines)


def test_places_survive_being_written_and_merged() -> None:
    lines = with_places(lines_of({"a/1": (MOVES,)}), {"a/1": (TALLY,)})
    assert lines_from_json(lines_to_json(lines)) == lines
    assert merge_lines([lines]) == lines
