"""Cases as they are written: `case.yaml`, its configurations, its recordings.

`case.py` reads a `Case`; start there. A case has `steps` (`steps.py`), or `tasks` with actions (`actions.py`,
`story.py`). `recordings.py` finds the recordings of each product, `case_cloud.py` reads what a case says about the
simulated cloud, `plain_directory.py` makes a case of a directory that has only a configuration, and `trust.py` decides
whether a case may run commands. No engine runs here.
"""
