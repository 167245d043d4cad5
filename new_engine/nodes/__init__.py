"""Nodes: they say what they are called, what they refer to and what else they need, and call `shared_nodes.nodes` when
asked for their result.

    node.py           what all of them have
    variable.py       a variable, of the root or of a module; the rules it must satisfy
    local.py          a local value
    output.py         an output; one that is in the state only
    module_call.py    a module call, which finds the instances of a module; the end of everything in it
    provider.py       a provider configuration
    check.py          a check block; that there is one
    resource.py       a resource block: to be validated, planned, opened, applied, or only read by expressions; and
                      what is to be imported without a block
    instance.py       one instance of a block while it is planned; one object of the state that no block wants
    leg.py            half a change while its place in the order is found; its result while it is carried out
"""
