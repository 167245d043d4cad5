"""Compares observations and decides: equal, or where they differ.

`observations.py` compares two observations of one step, `effect_order.py` the orders of side effects that engines
guarantee, `verdict.py` all runs of a case by several engines. A `Ruling` is the outcome in one word.
"""
