"""Intended changes of behaviour, each off by default.

Without any of them the engine behaves exactly like the one it replaces; that is what conformance measures.

    profile.py              the changes, one field each: read this first
    wording.py              C01: other words for some mistakes
    exact_dependencies/     C03: dependencies are what values were really computed from
    deferral.py             C04: what cannot be planned yet is deferred
    omit_unchanged.py       C05: a plan lists changes only

C02, C06, C08 and C09 are a single condition each, at the place that consults the profile; C07 is
`planning/scale_in.py`.
"""
