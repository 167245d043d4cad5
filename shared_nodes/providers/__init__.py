"""Providers: what knows a kind of resource.

`schema.py` describes the shape of blocks, `contract.py` what an engine may ask of a provider, `registry.py` which
providers there are. `builtin/` is the `terraform` provider, which every configuration can use.
"""
