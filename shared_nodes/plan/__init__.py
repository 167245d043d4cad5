"""Plans: what a run would change.

`change.py` holds the nouns: an `Action`, a `ResourceChange`, an `OutputChange`, the `Changes` of one plan, and the
`Plan` itself. `document.py` writes the published JSON form; `file.py` saves a plan for another process to apply.
"""
