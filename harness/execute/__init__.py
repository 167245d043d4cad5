"""Units of work to results, whatever happens to the processes that judge them.

- `execution.py`: units in chunks: fail-fast or continue, retries for what was lost. Start here.
- `runner.py`: what a runner promises, and what is left of a unit whose worker was lost.
- `local.py`: in this process. `process.py`: in worker processes of this machine; `worker.py` is their program.
  `remote.py`: on a Dask cluster.
- `breakdown.py`: the result of a unit that nobody came to judge.
- `scratch.py`: where cases are played.
- `wire.py`: units, settings and results as JSON text, the only thing that passes between processes.
"""
