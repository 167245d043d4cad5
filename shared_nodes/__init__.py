"""Everything both engines share, so that a difference between them is a difference of execution, never of a helper.

The model answers as Terraform 1.11.4 does, mistakes included (`docs/quirks.md` lists them). The language comes first:
source text to syntax tree and evaluation (`lang`), types and values (`values`), functions (`functions`). On top of it
are the nouns of a run: `addresses`, `config`, `providers`, `state`, `plan`, `provisioners`, and the logic of single
`nodes`. No engine keeps a copy of any of it. Products differ only in a `Flavour`, and everything non-deterministic is
asked of a `World`.

Nothing in this package imports an engine, the harness or the reports. Start with `engine.py`, the contract of an
engine.
"""
