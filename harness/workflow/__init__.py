"""Stories as transitions: what runs after what, decided by how things ended.

model.py           Workflow, Task, Transition: what was written, checked and frozen
reading.py         from YAML, every mistake with file, line and key; steps.py makes the same from a list of steps
expressions.py     conditions and published values
graph.py           what can be said before anything runs: entry points, shared tasks, joins that cannot be
conductor.py       how executions ended in, what to run next out; pure. Read this first
runner.py          performs actions (actions.py) as the conductor says, event-driven, in virtual time
trace.py           conducts with outcomes known beforehand (outcomes.py), and writes it down as the recordings are
"""
