"""A mock of hashicorp/tfcoremock, the provider for which Terraform's and OpenTofu's equivalence tests are written.

- definition.py   resource types: the two fixed ones, and the elements of a type
- dynamic.py      types that a configuration declares in dynamic_resources.json
- planning.py     planned changes; computed.py: values of computed attributes; integers.py: checks of whole numbers
- objects.py      the JSON files that serve as this provider's cloud
- release.py      differences between its releases
- provider.py     the provider; start here
"""
