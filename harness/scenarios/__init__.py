"""Scenarios: stories of several steps, run through an engine and held against what was recorded.

`case.py` reads a case from disk, `step.py` runs one step and observes it, `normalise.py` gives what no two runs share a
name that they do, `compare.py` holds an observation against a recording, `judge.py` does all of that for a case.
"""
