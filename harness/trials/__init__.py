"""Trials of mutants: whether the corpus, or generated stories, find an engine that is broken on purpose.

- `trial.py`: one mutant against the cases of the corpus, or against the stories of a campaign.
- `baseline.py`: what a story shows without any mutant, run once for all of them; `call_coverage.py`: which functions it
  calls, so that a story is not repeated for a mutant that it cannot show.
- `shrunk_size.py`: how small the case that found a mutant can be made.
- `canary.py`: the mutant that every campaign must find.
- `table.py`: the table of docs/mutants.md.

The mutants themselves are in `harness/mutants`. Start with `trial.py`.
"""
