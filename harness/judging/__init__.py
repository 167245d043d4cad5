"""What a run has found, as data that outlives it.

The promise: two runs over the same cases with the same settings leave the same results, apart from times; and all that
a report shows can be rebuilt from them without running anything again.

- `ruling.py`: how two outcomes of one step stand to each other, in one word.
- `signature.py`: what makes two findings the same bug. The signature, not the case, is the unit of work.
- `finding.py`: one place where an engine differs from its baseline or from a recording.
- `result.py`: all of that for one case, and its form on disk.
- `constraints.py`: the order of effects each engine guarantees, compared as relations.
- `explanation.py`, `telling/`, `references.py`, `values.py`: a finding in sentences, with its cause where known.
- `secrets.py`, `sensitive.py`: what is masked before anything leaves this package.
- `evidence.py`: what is kept of a case in which something was found.
- `unit.py`: what a run consists of, and how one unit of it comes to its result.
- `run.py`: all results of a run, counted and grouped.

Start with `result.py`: the executor makes results, the journal keeps them, reports read them.
"""
