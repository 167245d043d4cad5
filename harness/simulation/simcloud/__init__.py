"""simcloud: a simulated cloud, and providers that can fail, drift and refuse in it.

`cloud.py` is what exists and the rules of the place, `faults.py` what shall go wrong, `record.py` who asked what, and
`time.py` waiting that takes no time; `simulation.py` holds them together for one run, and `leaks.py` holds what exists
against what a state knows.

`sim.py` is the provider `dh.test/diffharness/sim` on top of it, `thing.py` the shape of its objects. `simcloud.py` is
the provider `dh.test/diffharness/simcloud`: its types are declared in `resource_types.py`, `data_sources.py`,
`ephemerals.py` and `provider_functions.py`; `behaviour.py` is what a declaration can say, and `objects.py` where its
objects live. Around either stands `faulty.py`, which lets calls go wrong, with `spoiling.py` for their answers.

Everything follows from the case alone: no clock, no randomness, and identifiers that are counted by name.
"""
