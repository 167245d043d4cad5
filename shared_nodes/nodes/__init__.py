"""THE SHARED NODE LOGIC: what is done for one thing of a configuration, whichever engine does it.

One module a noun: a variable, a local value, an output, a check, a provider configuration, a managed instance (plan,
apply, destroy, forget), a data instance, a provisioner; and moves, imports, removals. Each function takes all it needs
as arguments, most of it in a `NodeContext`, and returns its result with diagnostics. None knows of graphs, walkers or
promises: what an engine has to decide (order, dependencies, forced create_before_destroy, which instances there are)
comes in as an argument.

Start reading at `context.py` (what a node can see and change) and `scope.py` (how expressions get their values), then
`managed_plan.py`.
"""
