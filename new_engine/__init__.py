"""The promise engine: evaluation discovers what depends on what, planning writes down an order, applying follows it.

This is the candidate of every comparison: the model upstream is moving to, with the behaviour users have today. It
promises what the graph engine does, quirks included, whatever the schedule; that nothing ever waits for itself without
being told so; and that a plan holds its whole order as data, so that applying decides nothing.

Five nouns:

    promise           a result to come; whoever needs it waits for it, and a circle of waiters is found and named
    node              one thing of the configuration or the state, looked at once, after all it waits for
    leg               half a change: what creates or updates an object, or what destroys or forgets it
    operation         one step of a leg; what it takes and waits for is all that is known about order
    execution graph   all operations of a plan: pure data, saved with it

To read it, begin with `promises.py`, which is a small library of its own; then `compiled.py` and `evaluation.py`, and
follow a plan from `planning.py`.

    api.py             validate, plan, apply: what others call
    promises.py        results that cannot wait for each other forever
    compiled.py        every block a node, every name a way to it; evaluates nothing
    nodes/             the nodes: thin, what they do is in shared_nodes.nodes
    providers.py       which provider configuration serves whom
    cycles.py          nodes that wait for each other, or for themselves
    evaluation.py      each node once, when first asked for
    validating.py      the look at a configuration by itself
    planning.py        the two passes of a plan: discover, then decide
      targets.py       what targets and exclusions leave of it
      unused.py        what an apply has no use for
      replace_order.py which objects are replaced by creating first
      building.py      the second pass: from changes to the execution graph
      legs.py          which legs a change has
      connecting.py    in which order legs run, beyond what is referred to
    execgraph/         the execution graph: table of opcodes, builder, checks, JSON, and how one is followed
    applying/          what each operation does
    limiting.py        how many calls to the outside there are at a time
    analysis.py        what a configuration says about dependencies before anything is evaluated
    compat.py          changes of behaviour on purpose, each off unless asked for; what they need: `marks.py`,
                       `deferral.py`, `scale_in.py`, `unchanged.py`, `wording.py`
"""
