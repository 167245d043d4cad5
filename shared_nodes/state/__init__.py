"""State: what is known to exist, as of the last run.

`model.py` holds the nouns (`State`, `ResourceState`, `InstanceState`, `InstanceObject`); `file.py` writes the version 4
file and `reading.py` reads it; `store.py` keeps a file on disk: locking, atomic replacement, backup, and the journal of
a run (`journal.py`); `document.py` makes the published JSON form.
"""
