"""Explanations of findings in sentences: what both sides did, where they parted, and why, where that is known.

`explain.py` is the entry point. It gives each finding a `FindingContext` (`context.py`) and selects the module for what
differs: `values.py` for documents, `diagnostics.py`, `events.py` for events and calls, `order.py` for effect orders.
"""
