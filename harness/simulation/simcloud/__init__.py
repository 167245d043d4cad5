"""simcloud: a simulated cloud, and providers whose calls can fail, drift and be refused in it.

A `Simulation` (`simulation.py`) is the world of one run: the `Cloud` (`cloud.py`) with everything that exists, the
`Fault` plan (`faults.py`), the `Record` of calls (`record.py`) and a virtual clock (`time.py`). `leaks.py` compares
what exists with what a state contains.

Two providers work on it. `sim.py` is `dh.test/diffharness/sim`, whose objects are defined in `thing.py`. `simcloud.py`
is `dh.test/diffharness/simcloud`, whose types are declared in `resource_types.py`, `data_sources.py`, `ephemerals.py`
and `provider_functions.py` in terms of `behaviour.py`, and whose objects are stored by `objects.py`. Either is wrapped
in `faulty.py`, which injects faults into calls (`spoiling.py` alters their answers), and in `recorded.py`, which
records them.

Everything is determined by the case alone: there is no clock, no randomness, and identifiers are numbered per name.
Start with `simulation.py`, or with docs/simcloud.md to write a case.
"""
