"""Files, modules, blocks, arguments and lines that are dropped."""

from __future__ import annotations

from harness.reduce.passes import deletions
from harness.reduce.specimens.syntax import breaks_syntax
from tests.unit.harness.reduce.sample_specimens import main_texts, make_specimen


def test_blocks_of_the_same_name_go_from_all_versions_at_once() -> None:
    """A block dropped from one version only would make its object be deleted there, which is a different story."""
    both = make_specimen('output "a" {\n}\nresource "t" "b" {\n}\n', v2__main='output "a" {\n}\n')
    first = both.changed(deletions.drop_blocks(both)[0])
    assert first.files == {"v1/main.tf": 'resource "t" "b" {\n}\n', "v2/main.tf": ""}
    assert len(deletions.drop_blocks_in_one_version(both)) == 2


def test_a_block_goes_with_everything_that_refers_to_it() -> None:
    text = (
        'resource "t" "a" {\n}\nresource "t" "b" {\n  x = t.a.id\n  y = 1\n  depends_on = [t.a, t.c]\n}\n'
        'resource "t" "c" {\n}\noutput "o" {\n  value = t.a\n}\n'
    )
    whole = make_specimen(text)
    without = 'resource "t" "b" {\n  y = 1\n  depends_on = [t.c]\n}\nresource "t" "c" {\n}\n'
    assert without in main_texts(whole, deletions.drop_blocks_with_references(whole))


def test_a_module_goes_with_its_calls() -> None:
    whole = make_specimen('module "m" {\n  source = "./m"\n}\n', v1__m__main="locals {\n}\n")
    (change,) = deletions.drop_modules(whole)
    assert whole.changed(change).files == {"v1/main.tf": ""}


def test_files_that_cannot_be_read_lose_lines_and_may_stay_unreadable() -> None:
    wrong = make_specimen("locals {\n  a = \n}\n")
    assert [*main_texts(wrong, deletions.drop_lines(wrong))] == ["  a = \n}\n", "locals {\n}\n", "locals {\n  a = \n"]
    assert not breaks_syntax(wrong, wrong.changed(deletions.drop_lines(wrong)[0]))
    right = make_specimen("locals {\n}\n")
    assert deletions.drop_lines(right) == []
    assert breaks_syntax(right, make_specimen("locals {"))
