"""Our providers, offered to a real binary.

One variable of its environment says to a binary where providers listen, and it uses those instead of installing any.
They live in the process of the harness: the simulated cloud, its faults, its record of calls and its ids are the same
as for an engine in process, and whatever a binary asks is recorded in the same words.

`ProviderService` (`provider_service.py`) is one provider instance, which is one connection of a binary. `background.py`
serves several while a command runs, and `reattach.py` writes the variable. Start with `background.py`.
"""
