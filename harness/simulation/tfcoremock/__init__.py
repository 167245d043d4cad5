"""A mock of hashicorp/tfcoremock, the provider that Terraform's and OpenTofu's equivalence tests are written for.

definition.py   resource types: the two fixed ones, and what a type is made of
dynamic.py      types that a configuration brings along in dynamic_resources.json
planning.py     what is planned; computed.py: what becomes of it
objects.py      the JSON files that are the cloud of this provider
release.py      what differs between its releases
provider.py     the provider
"""
