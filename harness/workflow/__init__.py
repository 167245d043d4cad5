"""Workflows: tasks connected by transitions, where the outcome of a task decides what runs next.

A *workflow* has tasks; a *transition* of a task names the tasks that follow if its condition holds. The *conductor* is
a pure state machine: it is informed how executions ended and answers what to start. A *runner* performs the actions.

model.py           Workflow, Task, Transition: validated and frozen
reading.py         reads them from YAML; every mistake has file, line and key
expressions.py     conditions and published values
graph.py           static analysis: entry points, shared tasks, ambiguous joins
conductor.py       decides what runs next. Start here
runner.py          performs actions as the conductor decides, event-driven, in virtual time
trace.py           conducts a workflow with preset outcomes (outcomes_file.py) and writes the trace as recordings do
"""
