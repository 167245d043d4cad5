"""Everything both engines share, so that a difference between them is a difference of execution, never of a helper.

The model answers as Terraform 1.11.4 does, mistakes included (`docs/quirks.md` lists them). Products differ only in a
`Flavour`, and everything non-deterministic comes from a `World`. No engine keeps a copy of anything here.

Folders are layers: each imports only those above it in this list.

    flavour, world ...   what a product does differently, and the only access to the outside world
    values, lang         types and values; source text, evaluation, functions as data, diagnostics
    addresses            what names in a configuration refer to
    functions            the functions of the language
    config               the module tree that a directory declares
    providers            the contract of a provider, and its schema
    state, plan          what exists, and what a run would change
    provisioners, providers/builtin
    context              what a node may see and change while an operation runs
    nodes                what is done for one object of a configuration
    operations           the contract of an engine, and the driver of planning and applying

Nothing in this package imports an engine, the harness or the reports. Start with `operations/engine.py`, the contract
of an engine.
"""
