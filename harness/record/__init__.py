"""Recordings of cases by real binaries (`recording.py`), and the list of agreeing cases (`agreeing.py`)."""
