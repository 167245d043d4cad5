"""Tapes: provider sessions that were recorded once and are replayed without the provider.

A case with tapes needs neither the plugin nor the network, credentials or time it took: every engine, and every real
binary, gets the answers that the provider gave when it was recorded, and a request that was not recorded is an error
that says what is different. A tape is data, so replaying it runs no program.

A `Tape` (`tape.py`) is one provider with its schema (`tape_schemas.py`) and its exchanges: requests and answers in the
form of `calls.py` and `tape_values.py`. A `RecordingProvider` makes one, without its secrets (`secrets.py`), and a
`ReplayedProvider` answers from one. Start with `tape.py`.
"""
