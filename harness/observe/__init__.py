"""Observations: what an engine did in one step, in the form of a recording.

`observation.py` reduces results to the published documents, `normalise.py` replaces what differs between any two runs
(identifiers, times, directories) by stable names, and `rules.py` lists every such rule with its reason. The order of
effects that a real binary guarantees is read off what it prints: `apply_graph.py`, `execution_order.py`, and for a
recording `event_order.py`.
"""
