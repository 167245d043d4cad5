"""Nodes: they have names, references and other needs, and call `shared_nodes` when they are evaluated.

Nodes import neither the table that finds them nor the evaluation that runs them. They see both through protocols.

    node.py       the base class, and the two protocols: read this first
    values.py     variables and their rules, locals, outputs
    module.py     a module call, which finds the instances of a module; the end of everything in it
    provider.py   a provider configuration
    check.py      a check block; the report of its instances
    instance.py   one instance of a block while it is planned or opened; one object of the state that no block wants
    resource.py   a resource block: validated, planned, opened, applied, or only read by expressions; imports without
                  a block
    leg.py        half a change while its place in the order is found; its result while it is carried out
"""
