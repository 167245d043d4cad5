"""Runs cases through several engines and reports where the engines behave differently.

A *case* (`case`) is a configuration with steps or a workflow. An engine (`engines`) runs it under a schedule (`play`),
against simulated providers (`simulation`), and what it does becomes *observations* (`observe`). Observations of two
engines, or of an engine and a recording, are compared (`compare`), and differences become *findings* with an
explanation (`findings`). `execute` does this for many cases, `generate` and `reduce` find and shrink new ones,
`mutants` and `trials` measure what would be missed. Start with `execute`, or with `cli` for the commands.
"""
