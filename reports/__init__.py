"""Presents what a run has found, to people and to programs.

A report only presents: verdicts come from the harness, and no report computes one. `terminal` renders plans and states,
`graph` draws dependency graphs, `run` and `html` report on a run of many cases. Start with `run`. Every package uses
`visible.py` for text that comes from a case.
"""
