"""Trials of mutants: whether the corpus, or generated stories, detect an engine that is broken on purpose.

- `trial.py`: tries one mutant with the cases of the corpus, or with the stories of a campaign.
- `baseline.py`: runs a story without any mutant, once for all of them.
- `call_coverage.py`: records which functions a story calls, so that it is not repeated for mutants that it cannot
  show.
- `shrunk_size.py`: measures how small the case that detected a mutant can be made.
- `canary.py`: the mutant that every campaign must detect.
- `table.py`: the table of docs/mutants.md.

The mutants themselves are in `harness/mutants`. Start with `trial.py`.
"""
