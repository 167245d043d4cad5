"""Provisioners: actions that run after an object has been created or before it is destroyed.

A `Provisioner` (`contract.py`) validates its configuration and carries out a `ProvisionRequest`. `local_exec.py` runs
commands on this machine, through the World. `remote.py` has `remote-exec` and `file`, which need a connection to
another machine: their configuration is checked, but no connection is ever made. `registry.py` finds provisioners by
name. Start with `contract.py`.
"""
