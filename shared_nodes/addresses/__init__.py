"""Addresses: what a name in a configuration refers to, as objects.

`parse_reference` turns a traversal of the syntax tree (`module.m["a"].out.x`) into a `Reference`: a subject (one of
the frozen classes here), the source range that names it, and the steps that remain. Addresses are compared and hashed
as values and printed only at the border. Start reading at `references.py`.
"""
