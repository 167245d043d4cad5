"""Findings of a run, as data that can be stored, grouped and reported.

A `Finding` is one difference with its explanation, a `Signature` identifies the bug behind it in any case, a
`CaseResult` is everything recorded about one case, and a `Run` all results of a run. `building/` makes a result from a
verdict: start there. `explanations/` writes the sentences, `secrets/` masks sensitive values, `known_divergences.py`
reads `known.yaml`. The modules of this folder are pure data, from which reports are made.
"""
