"""Finding out what depends on what: nodes are compiled from the configuration, and evaluated when they are needed.

Three nouns. A `NodeTable` has all nodes of an operation and finds them by name. `Dependencies` are the edges between
them, read off the same references that evaluation waits for. An `Evaluation` evaluates each node once, after everything
it waits for.

    compile.py        from blocks and objects to nodes
    node_table.py     all nodes, and what each name leads to
    dependencies.py   what each node waits for, and what follows for resources
    evaluation.py     each node once, when it is first needed
"""
