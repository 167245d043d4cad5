"""What both engines must share, so that a difference between them is a difference of execution, never of a helper.

The language core is here: source text to tree (`lang`), types and values (`values`), the functions of the language
(`functions`), diagnostics, flavours, and the `World` that holds everything non-deterministic. It answers as
Terraform 1.11.4 does, its mistakes included; `docs/quirks.md` names those. Configuration (`config`), `state`, `plan`,
`providers` and `provisioners` are here too, and the logic of single `nodes`; no engine keeps a copy of its own.

Nothing in this package imports from an engine, from the harness or from the reports.
"""
