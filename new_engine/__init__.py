"""The promise engine: evaluation discovers its own dependencies, planning emits an execution graph, apply follows it.

This is the candidate of every comparison: by default it must be indistinguishable from the graph engine. Only its
language core is built so far, and that is `shared_nodes`: there are no promises, and no validate, plan or apply, in
this package yet.
"""
