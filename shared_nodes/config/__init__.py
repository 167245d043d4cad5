"""Configuration: the module tree that a directory declares, and the values given for its variables.

Start at `loading.py`, which reads the tree in stages, and `blocks.py`, which says what comes out. `files.py` finds and
parses files, `reader.py` collects the blocks of one module, `overrides.py` and `override_reader.py` amend them; each
block type has a module that reads it (`resource_block.py`, `module_call.py`, `statements.py` ...). Rules across modules
are in `provider_passing.py`, `module_arguments.py` and `requirements.py`. `inputs.py` gathers variable values.
Everything wrong is a diagnostic in the original's words, at the original's place.
"""
