"""What a run has found, written for people and for programs.

A report only presents: verdicts are the harness's, and no report computes one. `terminal` shows plans and states, `run`
and `html` what a run of many cases has found.
"""
