"""Transformers: each takes the graph a step further, and knows nothing of the others.

A transformer is a function `transform(graph, build)` that changes the graph and returns what is wrong with the
configuration, in a module named after what it adds. In which order they run for which operation is in `builders.py`.
"""
