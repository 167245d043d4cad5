"""Engines as the harness sees them: found by name, and run through the chain of operations a command consists of."""
