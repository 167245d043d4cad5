"""Provisioners: what is run when an object has been created, or before it is destroyed.

`contract.py` says what a provisioner is. `local_exec.py` runs commands on this machine, through the World. `remote.py`
has `remote-exec` and `file`, which need a connection to another machine: their configuration is checked, but nothing
connects. `registry.py` finds them by name.
"""
