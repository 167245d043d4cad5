"""Mutants: engines broken on purpose, one small function at a time, to measure what the harness notices.

- `mutant.py`: what a mutant is, and how it is put in force and taken back.
- `patches.py`: the few ways in which a function is broken again and again.
- `catalogue/`: the mutants, one module a class.
- `trial.py`: whether the corpus, or stories nobody has written, find one.
- `canary.py`: the one that must always be found.

No engine knows of any of this. Start with `mutant.py`.
"""
