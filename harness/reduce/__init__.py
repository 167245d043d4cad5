"""A case that shows something, made as small as it can be while it still shows the same.

- `specimen.py`: a case in memory: what its case.yaml says, and its files; and changes of them.
- `interest.py`: whether a specimen still shows the signature.
- `search.py`: one pass after another, until none helps or the budget is spent.
- `syntax.py`: what configuration files are made of, and where that stands in their text.
- `deletions.py`, `expressions.py`, `inlining.py`, `hoisting.py`, `plain.py`, `naming.py`, `plot.py`, `data.py`: the
  passes.
- `choices.py`: before them, for stories of the generator: the decisions they were made by.
- `shrinking.py`: all of it for one case or story. `saving.py`, `harvest.py`: what becomes of
  the result, and of all that a campaign has found.

Start with `search.py`. A pass never asks whether a change makes sense: whatever does not show the signature any more is
refused, and a change that makes a configuration wrong nearly always does not.
"""
