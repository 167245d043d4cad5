"""Our providers, offered to a real binary.

A binary is told by one variable of its environment where providers listen, and uses those instead of installing any.
They live in the process of the harness: the simulated cloud, its faults, its record of calls and its ids are the same
as for an engine in process, and whatever a binary asks is recorded in the same words.

`ProviderService` (`provider_service.py`) is one provider instance, which is one connection of a binary. `background.py`
serves several while a command runs, and `reattach.py` writes the variable. Start with `background.py`.
"""
