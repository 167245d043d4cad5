"""What differs between two observations of one step, told in sentences: a module for each kind of thing that can.

- `parting.py`: what every one of them is given.
- `values.py`: plans, states, counts, the content of the simulated cloud.
- `diagnostics.py`: what an engine said.
- `events.py`: what an engine did, and the calls it made.
- `order.py`: what an engine would do in any schedule.
"""
