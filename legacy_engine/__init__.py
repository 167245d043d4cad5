"""The graph engine: a configuration becomes a graph by a fixed pipeline of transformers, and a walker visits it.

This is the baseline of every comparison: the behaviour users have today, quirks included. Only its language core is
built so far, and that is `shared_nodes`: there is no graph, and no validate, plan or apply, in this package yet.
"""
