"""Operations: the contract every engine fulfils, and the parts of planning and applying that engines share.

`engine.py` is the contract: requests and results. `session.py` opens an operation: it collects schemas and creates
contexts for nodes. `plan_apply.py` drives planning and applying and calls back into the engine for the walk. Start with
`engine.py`.

`graph.py` is the graph that engines order their work with, and `module_evaluator.py` evaluates expressions of a module
without any engine.
"""
