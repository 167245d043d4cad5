"""Transforms: the steps that build a graph. Each does one thing, and none calls another.

A transform is a function of a graph and a `BuildContext` that changes the graph and returns what is wrong with the
configuration. `pipelines.py` lists which of them run for which operation, in which order.

    build_context.py   what a transform knows besides the graph
    vertices.py        vertices for what the configuration declares
    objects.py         vertices for what the state has and for what the plan changes
    attach.py          blocks, schemas and objects for the vertices
    expansion.py       the beginning and the end of each module
    providers.py       which vertex uses which provider configuration
    references.py      edges from references, and the dependencies that follow from them
    destroy_order.py   the order of destroying, creating and updating
    prune.py           drops what is not needed
    targets.py         drops what is not targeted
    close.py           closes ephemeral resources, providers and the root module
"""
