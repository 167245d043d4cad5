"""Addresses: what names in a configuration refer to, as immutable objects.

`module` and `key` describe the module tree and instance keys, `resource` and `provider` what modules contain. A
*subject* is anything an expression can name; `references.parse_reference` turns a traversal of the syntax tree
(`module.m["a"].out.x`) into a `Reference`: a subject, the source range that names it, and the remaining steps. `parse`
reads the addresses of command line options and of `moved`, `removed` and `import` blocks.

Addresses are compared and hashed as values, and become text only for output. Start with `references.py`.
"""
