"""What a node may see and change while an operation runs.

A `NodeContext` belongs to one walk: it holds the states, the changes and the instances known so far. A `ModuleScope`
evaluates the expressions of one module instance in it; `named_values.py` supplies the values of its names. Start with
`node_context.py`.
"""
