"""Plans: what a run would change.

A `Plan` (`plan.py`) holds the `Changes` of a run, one `ResourceChange` per object and one `OutputChange` per output
(`change.py`), together with the states it was made from. `document.py` builds the published JSON form, with
`configuration.py` for the configuration and `drift.py` for what changed outside. `options.py` and `targets.py` hold
what the command line requests. `event_stream.py` writes the published stream of events, `order.py` describes the order
of side effects, and `file.py` saves a plan for another process to apply. Start with `change.py` and `plan.py`.
"""
