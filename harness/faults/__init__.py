"""Injects every possible fault into every call of a case, and checks that engines agree and recover: `sweep.py`."""
