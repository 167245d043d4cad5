"""Which units are meant by words in their names, by areas and by tags."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.case.selection import KeywordsError, Selection, read_keywords
from harness.case.unit import Unit, UnitKind


@pytest.mark.parametrize(
    ("text", "matching", "others"),
    [
        ("replace", ["replace/a", "x/REPLACED"], ["x/y"]),
        ("a b", [], []),
        ("replace and not deposed", ["replace/a"], ["replace/deposed", "x/y"]),
        ("a or b and c", ["x/a", "x/bc"], ["x/b", "x/c"]),
        ("(a or b) and c", ["x/ac", "x/bc"], ["x/a", "x/b"]),
        ("not not a", ["x/a"], ["x/y"]),
        ("NOT a OR B", ["x/y", "x/ab"], ["x/a"]),
        ("moved/two-a", ["moved/two-a"], ["moved/two_a"]),
        ("android", ["x/android"], ["x/and"]),
    ],
)
def test_words_are_parts_of_names_and_combine_like_in_other_runners(
    text: str, matching: list[str], others: list[str]
) -> None:
    if text == "a b":
        with pytest.raises(KeywordsError, match="`and` or `or` is missing before b"):
            read_keywords(text)
        return
    keywords = read_keywords(text)
    assert all(map(keywords.match, matching))
    assert not any(map(keywords.match, others))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a word is missing at the end"),
        ("a and", "a word is missing at the end"),
        ("(a", "a closing parenthesis is missing"),
        ("a)", "missing before )"),
        ("or a", "a word is missing before or"),
        ("not " * 60 + "a", "nested too deeply"),
    ],
)
def test_an_expression_that_cannot_be_read_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(KeywordsError, match=reason.replace(")", r"\)")):
        read_keywords(text)


@given(st.lists(st.sampled_from(["a", "bc", "and", "or", "not", "(", ")"]), max_size=12))
def test_every_text_is_read_or_refused(words: list[str]) -> None:
    try:
        keywords = read_keywords(" ".join(words))
    except KeywordsError:
        return
    negated = read_keywords(f"not ({' '.join(words)})")
    assert keywords.match("x/abc") is not negated.match("x/abc")


def _case(directory: Path, tags: str) -> Unit:
    directory.mkdir(parents=True)
    (directory / "case.yaml").write_text(f"description: d\n{tags}steps: []\n")
    return Unit(UnitKind.CASE, directory)


def test_areas_and_tags_select_what_has_one_of_them(tmp_path: Path) -> None:
    one = _case(tmp_path / "moved" / "one", "tags: [slow, new]\n")
    two = _case(tmp_path / "moved" / "two", "")
    three = _case(tmp_path / "import" / "three", "tags: [slow]\n")
    units = [one, two, three]
    assert list(Selection(areas=("moved",)).select(units)) == [one, two]
    assert list(Selection(areas=("moved", "import")).select(units)) == units
    assert list(Selection(areas=("ved",)).select(units)) == []
    assert list(Selection(tags=("slow",)).select(units)) == [one, three]
    assert list(Selection(areas=("moved",), tags=("slow", "other")).select(units)) == [one]
    assert list(Selection(names={"moved/two"}).select(units)) == [two]


def test_a_case_whose_tags_cannot_be_read_is_run_so_that_it_is_reported(tmp_path: Path) -> None:
    broken = _case(tmp_path / "a" / "broken", "tags: [\n")
    plain = Unit(UnitKind.CASE, tmp_path / "a" / "plain")
    assert list(Selection(tags=("x",)).select([broken, plain])) == [broken]
