"""The node logic that engines share: what is done for one object of a configuration, whichever engine does it.

Each function takes all it needs as arguments, most of it in a `NodeContext`, and returns its result with diagnostics.
None depends on graphs, walkers or promises: what an engine decides (order, dependencies, forced create_before_destroy,
which instances there are) is passed in.

    values/       variables, locals, outputs, module calls
    resource/     managed, data and ephemeral instances: plan, apply, destroy, forget, refresh, provisioners
    provider/     configuration of providers, provider_meta, checks of what providers answer
    body/         bodies of blocks, decoded by a schema
    checks/       conditions and check blocks
    statements/   moved, import and removed blocks
    references.py what each block refers to

Start with `context/node_context.py` (what a node can see and change) and `context/scope.py` (how expressions get their
values), then read `resource/plan.py`.
"""
