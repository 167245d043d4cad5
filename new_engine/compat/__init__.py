"""Intended changes of behaviour, each off unless asked for.

Without any of them the engine behaves exactly like the one it replaces; that is what conformance measures.

    profile.py              the changes, one field each: read this first
    wording.py              C01: other words for some mistakes
    exact_dependencies/     C03: dependencies are what values were really computed from
    deferral.py             C04: what cannot be planned yet is put off
    omit_unchanged.py       C05: a plan lists changes only

C02, C06, C08 and C09 are one condition each, where the profile is asked; C07 is `planning/scale_in.py`.
"""
