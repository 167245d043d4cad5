"""The case under reduction, in memory: its case.yaml, its files, and the changes that can be made to them.

A `Specimen` (`specimen.py`) is immutable; a `SpecimenChange` makes another one. `syntax.py` finds blocks and arguments
in configuration files, with their positions in the text.
"""
