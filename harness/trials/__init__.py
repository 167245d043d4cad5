"""Trials of mutants: whether the corpus, or generated stories, detect an engine that is broken on purpose.

One mutant at a time:

- `trial.py`: tries one mutant with the cases of the corpus, or with the stories of a campaign.
- `baseline.py`: runs a story without any mutant, once for all of them.
- `call_coverage.py`: records which functions a story calls, so that it is not repeated for mutants that it cannot
  show.
- `shrunk_size.py`: measures how small the case that detected a mutant can be made.
- `canary.py`: the mutant that every campaign must detect.
- `table.py`: the table of docs/mutants.md.

Several at once:

- `mixes.py`: draws mixes, judges the cases that they affect, and has causes found among the results.
- `mix_score.py`: scores the causes by what each mutant does alone.
- `mutant_truth.py`: finds out what each mutant does alone, with `group_testing.py` to save most of the runs.
- `case_baseline.py`: judges a case without any mutant, once for all of them; `known_runs.py` reuses its observations.
- `mix_cache.py`: where all this is kept from one call to the next.

The mutants themselves are in `harness/mutants`. Start with `trial.py` or `mixes.py`.
"""
