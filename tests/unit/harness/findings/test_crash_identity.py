"""Crashes of engines in Python: the same identity wherever and whenever one cause shows."""

from __future__ import annotations

from typing import Final

from harness.findings.crash_identity import identify_exception

TRACE: Final = """Traceback (most recent call last):
  File "/home/me/harness/play/engine_runs.py", line 10, in run
    engine.plan()
  File "/home/me/new_engine/planning/legs.py", line 17, in leg_of
    return legs["a"]
  File "/usr/lib/python3.11/collections/__init__.py", line 5, in __getitem__
    raise KeyError(key)
KeyError: 'terraform_data.a at 0x7f22 or 12'"""


def test_the_engines_own_function_and_the_masked_message_identify_a_crash() -> None:
    assert identify_exception(TRACE) == "KeyError: * in new_engine/planning/legs.py:leg_of"


def test_places_lines_names_and_numbers_do_not_matter() -> None:
    other = TRACE.replace("/home/me", "/elsewhere").replace("line 17", "line 18").replace("terraform_data.a", "x.b")
    assert identify_exception(other) == identify_exception(TRACE)


def test_numbers_outside_of_quotes_are_masked() -> None:
    assert identify_exception("ValueError: 12 of 0x7f") == "ValueError: * of *"


def test_only_the_original_cause_counts() -> None:
    wrapped = TRACE + "\n\nThe above exception was the direct cause of the following exception:\n\nRuntimeError: again"
    assert identify_exception(wrapped) == identify_exception(TRACE)


def test_a_frame_of_the_harness_is_never_part_of_it() -> None:
    trace = 'Traceback:\n  File "/home/me/harness/play/engine_runs.py", line 10, in run\nRuntimeError: lost'
    assert identify_exception(trace) == "RuntimeError: lost"


def test_the_first_use_of_a_record_is_no_other_crash_than_the_second() -> None:
    frame = '  File "/home/me/shared_nodes/record.py", line 160, in _first_init\n'
    first = TRACE.replace('  File "/usr', frame + '  File "/usr')
    assert first != TRACE
    assert identify_exception(first) == identify_exception(TRACE)
