"""Configuration: what the files of a module declare, and expressions in that setting.

`module.py` reads declarations from parsed files; `content.py` sorts bodies by a schema; `block_checks.py`,
`variable.py`, `type_constraint.py`, `static_reference.py` and `version_constraint.py` hold the static rules.
Everything wrong is a diagnostic in the original's words.
"""
