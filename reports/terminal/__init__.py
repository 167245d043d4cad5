"""Renders plans, states, progress and outcomes for the terminal, in the form known from Terraform.

A *draft* says what happens to a value and its parts, and renders itself. `differences.py` makes drafts from changes and
schemas, `plan_view.py` and `state_view.py` render whole documents, `progress.py` renders events. Everything works on
the published JSON forms, so that plans of any engine can be rendered, even from a file. Start with `plan_view.py`.

Of an observed step `step_output.py` renders what was printed, and `state_file.py` the state that it left.
"""
