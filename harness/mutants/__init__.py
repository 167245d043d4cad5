"""Mutants: engines broken on purpose, by one small change of their source, to measure what the harness notices.

- `catalogue/`: what a mutant is (`catalogue/mutant.py`), and all mutants, in one module per class.
- `source.py`: applies the diff of a mutant to the source of a module.
- `patching.py`: exchanges the code of functions in the running program.
- `activation.py`: makes mutants active, for one engine only if both share the code (`engine_tracking.py`).

A run only calls `apply_mutants("L02")`, and engines know nothing about mutants. `harness/trials` measures what detects
them. Start with `catalogue/mutant.py`.
"""
