"""Vertices: they hold addresses and what was learnt while the graph was built, and call `shared_nodes` to do the work.

A vertex inherits one small class per capability (`capabilities.py`), and steps and walker ask for capabilities only. By
letter: M in a module, I one instance, R can be referred to, F refers to others, P uses a provider, V is a provider, C
creates, D destroys, B knows about create-before-destroy, X executes, E expands, A holds dependencies, S holds an object
of the state, Y temporary value, K mere expander.

    capabilities.py    the classes of capabilities
    node.py            base classes of vertices about resources             M R F P; instances also I S
    references.py      which vertex a reference leads to
    resource.py        resource blocks
                         ValidateResource                                   M R F P X
                         PlanResource                                       M R F P B E A K
                         ApplyResource                                      M R F P B X K
                         EphemeralResource, CloseEphemeral                  M R F P E; P X
                         EvalResource, ImportWithoutBlock                   M R F P; M R F P X
    instance.py        single objects
                         PlanInstance, PlanOrphan, OpenInstance             M I R F P S X
                         PlanDeposed                                        M I R F P S X
                         OrderedPlanDeposed, PlanDestroy                    M I R F P S D X
                         ApplyInstance                                      M I R F P S C B A X
                         DestroyInstance, DestroyDeposed                    M I R F P S D B X
                         ForgetInstance, ForgetDeposed                      M I R F P S X
    values.py          variables, their rules, locals, outputs              M R F Y E K X
    check.py           check blocks                                         M F E X
    module.py          module calls, expanded and closed                    M R F X K
    provider.py        provider configurations, opened and closed           M F V X
"""
