"""Operations: the contract every engine fulfils, and the parts of planning and applying that engines share.

`engine.py` says what an engine is asked and what it answers. `session.py` opens an operation: it collects schemas and
makes contexts for nodes. `plan_apply.py` drives planning and applying and calls back into the engine for the walk.
Start with `engine.py`.

`module_evaluator.py` evaluates expressions of a module without any engine.
"""
