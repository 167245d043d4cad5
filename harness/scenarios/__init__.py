"""Scenarios: stories of several steps, run through an engine and held against what was recorded.

`case.py` reads a case from disk (`operation.py` what it asks an engine to do, harness/stories in which order),
`course.py` runs it from its beginning to its end (`step.py` one step, `handover.py` from a plan to its effects,
`external_step.py` one step by a real binary) in one of the ways of `way.py`, `normalise.py` gives what no two runs
share a name that they do, `compare.py` holds an observation against a recording or another one, `judge.py` does all of
that for a case. `recording.py` makes a recording.
"""
