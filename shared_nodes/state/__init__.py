"""State: what is known to exist, as of the last run.

`model.py` holds the nouns (`State`, `ResourceState`, `InstanceState`, `InstanceObject`); `file.py` reads and writes the
version 4 file; `store.py` keeps a file on disk: locking, atomic replacement, backup.
"""
