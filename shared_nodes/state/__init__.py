"""State: what is known to exist, as of the last run.

A `State` maps each resource to a `ResourceState`, which holds an `InstanceState` per instance key, which holds
`InstanceObject` values (`model.py`). `reading.py` reads a state file, including old formats (`old_formats.py`), and
`file.py` writes version 4. `stored_providers.py` parses the addresses of providers in it, and `adoption.py` takes over
states of another product. `store.py` manages a file on disk: locking, atomic replacement, backup, and the journal of a
run (`journal.py`). `document.py` builds the published JSON form. Start with `model.py`.
"""
