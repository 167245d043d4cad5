"""What both engines must share, so that a difference between them is a difference of execution, never of a helper.

The language core is here: source text to tree (`lang`), types and values (`values`), the functions of the language
(`functions`), diagnostics, flavours, and the `World` that holds everything non-deterministic. It answers as
Terraform 1.11.4 does, its mistakes included; `docs/quirks.md` names those. The models of state, plan and providers and
the logic of single nodes will live here too, and no engine may keep a copy of its own.

Nothing in this package imports from an engine, from the harness or from the reports.
"""
