"""Everything said to or by a provider that is not about one kind of call.

`configure.py` configures an instance, `meta.py` evaluates `provider_meta` blocks. `diagnostics.py` finds the source
ranges of a provider's diagnostics, and `conformance.py` checks that its answers keep to the contract.
"""
