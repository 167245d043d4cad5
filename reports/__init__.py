"""What a run has found, written for people and for programs.

A report only presents: verdicts are the harness's, and no report computes one. Empty until runs compare engines.
"""
