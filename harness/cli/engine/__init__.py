"""The commands of `diffharness engine ENGINE`: validate, plan, apply, destroy, show, output, state, graph
and eval.

`options.py` turns the command line into `OperationOptions`, `session.py` into an engine with its providers.
`engine_operation.py` is everything around one plan or apply: the lock, the state file, progress, interrupts. Start
there. `external.py` offers the same commands for real binaries.
"""
