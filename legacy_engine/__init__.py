"""The graph engine: a configuration becomes a graph by a fixed pipeline of transformers, and a walker visits it.

This is the baseline of every comparison: the behaviour users have today, quirks included. For Terraform 1.11 it
promises the original's own graphs, vertex by vertex and edge by edge, under the original's names.

    api.py             validate, plan, apply, evaluate, and the graphs they walk: what others call
    planning.py        the steps of making a plan, applying.py those of carrying it out, validating.py the check before
    builders.py        which transformers build the graph of which operation: read this first
    transforms/        the transformers, one a module
    nodes/             the vertices: thin, what they do is in shared_nodes.nodes
    capabilities.py    what transformers and the walker may ask of a vertex
    graph.py, walk.py  vertices and edges; visiting them, concurrently, in an order drawn from a seed
"""
