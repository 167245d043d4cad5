"""Stories nobody has written: made up, run through the engines, judged.

- `chooser.py`: where decisions come from: a seed, or Hypothesis.
- `model.py`, `printing.py`: a configuration as nodes that refer to each other, and as files.
- `growing.py`, `configuration.py`, `expressions.py`, `edits.py`, `statements.py`,
  `mistakes.py`: how one comes about and changes;
  `beginning.py`: a state that was there before it.
- `telling.py`, `story.py`: versions, steps, drift and faults; a case that is not on disk yet.
- `performance.py`: a story through the engines.
- `laws.py`: what holds for one engine alone.
- `feedback.py`, `campaign.py`: what stories showed, what to try more of, and all of it together.

Start with `telling.py`: everything a story can have is decided there or below it.
"""
