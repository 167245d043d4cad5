"""Recordings of cases by real binaries (`recording.py`), and the list of cases that agree with theirs (`agreeing.py`)."""
