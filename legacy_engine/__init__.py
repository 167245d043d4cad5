"""The graph engine: a fixed pipeline of steps builds a graph from a configuration, and a walker visits it.

This is the baseline of every comparison: the behaviour users have today, quirks included. For Terraform 1.11 it builds
the original's own graphs, vertex by vertex and edge by edge, under the original's names.

Three nouns: a *vertex* is one thing to look at or to change; a *transform* is one step that adds vertices, edges or
information to the graph; the *walk* visits every vertex once, after all vertices it waits for.

To read it, begin with `pipelines.py`, which lists the steps of each graph, then follow a plan from `plan.py`.

    api.py             validate, plan, apply, evaluate, and the graphs they walk: the entry points
    validate.py        validating a configuration by itself
    plan.py            making a plan
    apply.py           applying one
    pipelines.py       which steps build the graph of which operation
    walk.py            visits a graph concurrently, in an order drawn from a seed
    effect_order.py    the order of effects that a graph guarantees
    transforms/        the steps that build a graph
    nodes/             the vertices, and the capabilities that steps and walker ask them for

Imports go from this folder to `transforms/` and on to `nodes/`. The other engine has the same file names for the same
jobs.
"""
