"""Syntax shared by all blocks: what can be read from a body or an expression without values.

`content.py` splits a body by a `ContentSchema`; `literals.py` reads names, constants and bare words, and
`static_reference.py` plain references. `version_constraint.py`, `provider_names.py` and `module_source.py` parse the
text of these arguments. Start with `content.py`.
"""
