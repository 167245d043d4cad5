"""Vertices: they hold addresses and what the build learnt, and call `shared_nodes.nodes` when their turn comes.

Capabilities by letter (see `capabilities.py`): M in a module, I one instance, R can be referred to, F refers to others,
P uses a provider, V is a provider, C creates, D destroys, B knows about create-before-destroy, T can be targeted, X
executes, E expands, A holds dependencies, S holds an object of the state, Y temporary value, K mere expander.

    resource.py            what all vertices of resources share             M R F P
    validate_resource.py   a block, checked                                 M R F P X
    plan_resource.py       a block, expanded into instances to plan         M R F P B T E A K
    plan_instance.py         one instance                                   M I R F P S X
    plan_orphan.py           one that is not wanted any more                M I R F P S X
    plan_deposed.py          one deposed object                             M I P X
    plan_destroy.py          one instance in destroy mode                   M I R P S D X
    apply_resource.py      a block, its instances registered again          M R F P T X K
    apply_instance.py        one instance, created or updated               M I R F P S C B A X
    destroy_instance.py      one object, destroyed                          M I P S D B X
    forget_instance.py       one object, only dropped from the state        M I R P S X
    ephemeral.py           an ephemeral block, opened and closed            M R F P X
    variable.py            root and module variables, validations           M R F Y E K X
    local.py               local values                                     M R F Y E K X
    output.py              output values                                    M R F Y E K X
    check.py               check blocks                                     M F E X
    module.py              module calls, expanded and closed                M R F X K
    provider.py            provider configurations, opened and closed       M F V X
"""
