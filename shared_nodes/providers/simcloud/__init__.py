"""simcloud: a simulated cloud, and providers that can fail, drift and refuse in it.

`cloud.py` is what exists and the rules of the place, `faults.py` what shall go wrong, `record.py` who asked what;
`simulation.py` holds the three together for one run. `sim.py` is the provider `dh.test/diffharness/sim` on top of it,
`thing.py` the shape of its objects.

Everything follows from the case alone: no clock, no randomness, and identifiers that are counted by name.
"""
