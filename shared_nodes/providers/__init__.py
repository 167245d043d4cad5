"""Providers: what knows a kind of resource.

Today: what expressions must know of the builtin `terraform` provider, the schema of its types and what it plans for a
new object. The whole contract and further providers come with the engines.
"""
