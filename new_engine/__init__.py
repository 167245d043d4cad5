"""The promise engine: evaluation discovers what depends on what, planning writes down an order, applying follows it.

This is the candidate of every comparison: the model upstream is moving to, with the behaviour users have today. It
promises the results of the graph engine, quirks included, whatever the schedule; a report whenever something waits for
itself; and a plan that holds its whole order as data, so that applying decides nothing.

Five nouns:

    promise           a result to come; a cycle of promises that wait for each other is found and named
    node              one thing of the configuration or the state, evaluated once, after everything it waits for
    leg               half a change: what creates or updates an object, or what destroys or forgets it
    operation         one step of a leg; its operands and what it waits for define the whole order
    execution graph   all operations of a plan: pure data, saved with it

To read it, begin with `concurrency/promises.py`, which is a small library of its own; then `discovery/`, and follow a
plan from `plan.py`.

    api.py                 validate, plan, apply, and graphs for inspection: the entry points
    validate.py            validating a configuration by itself
    plan.py                the two passes of a plan: discover, then decide
    apply.py               following the execution graph of a plan
    planned_execution.py   what the engine saves with a plan
    effect_order.py        the order of effects that an execution graph guarantees
    drawing.py             graphs for inspection

    applying/              what each operation does; whether a saved graph matches its plan
    planning/              which nodes are needed, in which order legs run, and the execution graph that follows
    discovery/             all nodes, what each waits for, and their evaluation
    nodes/                 the nodes, which are thin: shared_nodes does the work
    execgraph/             the execution graph: opcodes, builder, checks, JSON, and how one is followed
    compat/                intended changes of behaviour, each off by default
    concurrency/           promises, and a limit for calls to the outside

Imports go down this list, from each folder only to folders below it.
"""
