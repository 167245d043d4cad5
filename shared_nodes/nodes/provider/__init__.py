"""The parts of talking to a provider that do not depend on the kind of call.

`configure.py` configures instances, `choice.py` decides which of them manages an object, and `meta.py` evaluates
`provider_meta` blocks. `diagnostics.py` finds the source
ranges of the diagnostics of a provider, and `conformance.py` checks that its answers keep to the contract.
"""
