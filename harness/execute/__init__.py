"""Every unit of a run gets a result, whatever happens to the process that judges it.

A *unit* is a case or a file of expressions. A *runner* judges units and returns, per unit, a result or a `LostUnit` if
the process that judged it is gone. The *journal* keeps all results on disk.

- `execution.py`: runs units in chunks, retries lost ones, stops at the first failure if asked to. Start here.
- `runner.py`: the `Runner` protocol.
- `local.py`: judges in this process. `process.py`: in worker processes on this machine, whose program is `worker.py`
  and which `keeper.py` ends.
  `remote.py`: on a Dask cluster.
- `judge.py`: judges one unit. `replay.py`: runs one case again and keeps its files.
- `failure_result.py`: the result of a unit that could not be judged.
- `line_recording.py`: which lines of source engines execute in which case, and where they part, found after the run.
  `line_tracer.py` sees lines, `call_tracer.py` calls.
- `journal.py`: the directory of a run.
- `scratch.py`: the temporary directory in which cases run.
- `wire.py`: units and settings as JSON text, the only form in which they pass between processes.
"""
