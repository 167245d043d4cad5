"""Plans: what a run would change.

`change.py` holds the nouns: an `Action`, a `ResourceChange`, an `OutputChange`, the `Changes` of one plan; `plan.py`
the `Plan` itself. `document.py` makes the published JSON form, with `configuration.py` for what it says about the
configuration, `relevant.py` for which attributes mattered and `drift.py` for what had changed outside.
`event_stream.py` writes the published stream of events, and `file.py` saves a plan for another process to apply.
"""
