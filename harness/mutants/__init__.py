"""Mutants: engines broken on purpose, by one small change of their source, to measure what the harness notices.

- `catalogue/`: what a mutant is (`mutant.py`), and all of them, in one module per class.
- `source.py`: the diff, applied to the source of a module; `patching.py`: the code of live functions, exchanged.
- `activation.py`: mutants in force, for one engine only where both share the code (`engine_tracking.py`).

`mutated("L02")` is all that a run needs to know. No engine knows of any of this. What finds mutants is measured by
`harness/trials`. Start with `catalogue/mutant.py`.
"""
