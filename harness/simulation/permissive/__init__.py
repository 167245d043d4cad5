"""A stand-in for providers that are not available: it derives its schema from the configuration and refuses nothing.

A `Use` (`uses.py`) records which attributes expressions read from resources and in which shape; `derive` (`derived.py`)
combines these with what blocks configure and what a state contains into a schema; `PermissiveProvider` (`provider.py`)
implements the contract. Start with `derived.py`.
"""
