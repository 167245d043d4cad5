"""Runs cases: one engine, one schedule, and an observation of everything the engine did.

`CaseRunner` (`case_runner.py`) runs a case from its beginning to its end; read it first. A `Schedule` says in which
order, with how much concurrency, and how a plan gets from planning to applying. Steps run one after the other; `tasks`
are run by `story_runner.py`. One step is run by `step_runner.py` in the `StepContext` of an engine, or by
`external_step.py` where the engine is a real binary.
"""
