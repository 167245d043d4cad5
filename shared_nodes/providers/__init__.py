"""Providers: the code that manages one kind of remote objects.

A `Provider` (`contract.py`) is asynchronous and mirrors the plugin protocol; its `ProviderSchema` (`schema.py`)
describes the shape of the blocks it accepts. `defaults.py` has default answers for calls a provider does not support,
`registry.py` reports providers that are not available, and `builtin/` is the `terraform` provider, which every
configuration can use. Start with `contract.py`.
"""
