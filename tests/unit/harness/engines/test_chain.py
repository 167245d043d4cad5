"""A chain is named by its engines in order, and a name that cannot be one is refused with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.engines.chain import Chain, Link, chain_named, engines_of, is_chain, parse_chain
from harness.engines.external import is_external, require_engine
from harness.engines.registry import EngineNotFoundError

names = st.sampled_from(["legacy", "new", "terraform", "/opt/tofu", "tofu:/opt/tofu"])
links = st.lists(st.builds(Link, names, names), min_size=2, max_size=4)


@given(links)
def test_the_name_of_a_chain_is_read_as_that_chain(parts: list[Link]) -> None:
    chain = Chain(tuple(parts))
    assert is_chain(str(chain))
    assert chain_named(str(chain)) == chain


@pytest.mark.parametrize("text", ["legacy>new>legacy", "legacy,new,legacy", " legacy > new > legacy "])
def test_a_chain_can_be_written_without_what_a_shell_understands(text: str) -> None:
    assert str(parse_chain(text)) == "legacy>new>legacy"


def test_the_last_engine_does_all_later_steps() -> None:
    chain = parse_chain("legacy>legacy+new>new")
    assert [str(chain.link_of(number)) for number in range(5)] == ["legacy", "legacy+new", "new", "new", "new"]
    assert chain.engines == ("legacy", "new")


def test_a_plan_that_is_always_handed_over_makes_a_chain_of_one_link() -> None:
    chain = parse_chain("legacy+new")
    assert str(chain) == "legacy+new>legacy+new"
    assert chain_named(str(chain)).link_of(7) == chain.link_of(7) == Link("legacy", "new")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("legacy", "legacy is one engine; a chain names several, such as legacy>new>legacy"),
        ("legacy>", "legacy>: a name is missing"),
        ("legacy>+new", "a name is missing"),
        ("legacy+new+legacy", "more than one engine that plans and one that applies"),
    ],
)
def test_what_is_no_chain_is_refused(text: str, reason: str) -> None:
    with pytest.raises(EngineNotFoundError) as raised:
        parse_chain(text)
    assert reason in str(raised.value)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("legacy>nwe", "there is no engine named nwe; there are legacy, new"),
        ("legacy>/no/where", "/no/where is not a program"),
        ("legacy>recorded:opentofu-main", "only answers what was recorded, and cannot continue a state"),
    ],
)
def test_every_engine_of_a_chain_must_exist(name: str, reason: str) -> None:
    with pytest.raises(EngineNotFoundError) as raised:
        require_engine(name)
    assert reason in str(raised.value)


def test_a_chain_with_a_binary_needs_trust_like_the_binary() -> None:
    assert is_external("legacy>terraform")
    assert not is_external("legacy>new")
    assert engines_of("legacy>terraform>legacy") == ("legacy", "terraform")
    assert engines_of("/opt/tofu+x") == ("/opt/tofu+x",)
