"""Parsing and printing of configuration files."""

from __future__ import annotations

from harness.reduce.specimens.syntax import formatted


def test_formatting_takes_comments_and_heredocs_away() -> None:
    assert formatted("main.tf", "# c\na = <<E\nx\nE\n") == 'a = "x\\n"\n'
    assert formatted("main.tf", "a = ") == "a = "
    assert formatted("script.sh", "# c") == "# c"
