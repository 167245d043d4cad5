"""Configuration: the module tree that a directory declares, and the values given for its variables.

A `ConfigTree` is a tree of `Module` objects, and a `Module` holds the decoded blocks of one directory by name. Three
layers build it:

- syntax/     bodies, constants, references and names, read without values
- blocks/     one reader per block type, the data it returns, and how an override amends it
- the rest    `files.py` finds and parses files, `reader.py` collects the blocks of a module, `override_files.py`
              applies overrides, `loading.py` reads the whole tree and runs the checks across modules
              (`provider_passing.py`, `requirements.py`); `provider_configurations.py` resolves which provider
              configuration serves a resource, and `inputs.py` collects variable values

Every mistake is a diagnostic with the original's wording and source range. Start with `loading.py`, and with
`blocks/model.py`, which defines the result.
"""
