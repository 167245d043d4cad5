"""Configuration: the module tree that a directory declares, and the values given for its variables.

A `ConfigTree` is a tree of `Module` objects, and a `Module` holds the decoded blocks of one directory by name.
`loading.py` reads the tree in phases: `files.py` finds and parses files, `reader.py` collects the blocks of one module,
`overrides.py` and `override_reader.py` amend them. Each block type has a module that reads it (`resource_block.py`,
`module_call.py`, `statements.py` ...). The checks across modules are in `provider_passing.py`, `module_arguments.py`
and `requirements.py`. `inputs.py` collects variable values.

Every mistake is a diagnostic with the original's wording and source range. Start with `loading.py`, and with
`blocks.py`, which defines the result.
"""
