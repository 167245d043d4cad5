"""Engines by name, and everything an operation of one needs.

`registry.py` finds engines in process, `external.py` real binaries. An `EngineSession` (`session.py`) runs a command
from loading to applying: start there. `providers.py` holds the available providers, `scheduling.py` makes runs depend
on a seed alone.
"""
