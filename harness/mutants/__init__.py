"""Mutants: engines broken on purpose, one small function at a time, to measure what the harness notices.

- `mutant.py`: what a mutant is, and how it is put in force and taken back; `exchanging.py`: how functions are
  exchanged for that, and put back.
- `patches.py`: the few ways in which a function is broken again and again.
- `catalogue/`: the mutants, one module a class.
- `trial.py`: whether the corpus, or stories nobody has written, find one; `rehearsal.py` and `reach.py`: how a story
  serves many mutants; `sizing.py`: how small what found one can be made.
- `canary.py`: the one that must always be found.

No engine knows of any of this. Start with `mutant.py`.
"""
