"""C: changes that are intended elsewhere, made without being requested. Each is one switch of `new_engine.compat`, so
the mistake is always the same: the switch is on by default.

C08 is missing: it drops what no file, plan or expression ever shows, so nothing outside the engine can observe it.
"""

from __future__ import annotations

from typing import Final

from harness.mutants.catalogue.mutant import Mutant

__all__ = ["MUTANTS"]

MUTANTS: Final = (
    Mutant(
        "C01",
        "Some errors are worded differently.",
        "new_engine.compat.profile",
        """
        +changes = [*changes, "C01"]
         return CompatProfile(**{_FIELDS[change]: True for change in changes})
        """,
        phase="validate",
        field="diagnostics",
        areas=("intended-changes",),
    ),
    Mutant(
        "C02",
        "A block that refers to itself is rejected during validation.",
        "new_engine.compat.profile",
        """
        +changes = [*changes, "C02"]
         return CompatProfile(**{_FIELDS[change]: True for change in changes})
        """,
        phase="validate",
        field="diagnostics",
        areas=("intended-changes",),
    ),
    Mutant(
        "C03",
        "Dependencies are recorded by instance and by the branch taken, not by the names in a block.",
        "new_engine.compat.profile",
        """
        +changes = [*changes, "C03"]
         return CompatProfile(**{_FIELDS[change]: True for change in changes})
        """,
        phase="apply",
        field="state",
        areas=("intended-changes",),
    ),
    Mutant(
        "C04",
        "A block with an unknown number of instances is deferred instead of failing the plan.",
        "new_engine.compat.profile",
        """
        +changes = [*changes, "C04"]
         return CompatProfile(**{_FIELDS[change]: True for change in changes})
        """,
        phase="plan",
        field="diagnostics",
        areas=("intended-changes",),
    ),
    Mutant(
        "C05",
        "Unchanged objects are not listed in the plan.",
        "new_engine.compat.profile",
        """
        +changes = [*changes, "C05"]
         return CompatProfile(**{_FIELDS[change]: True for change in changes})
        """,
        phase="plan",
        field="plan",
        areas=("intended-changes",),
    ),
    Mutant(
        "C06",
        "An empty provider block in a module is used instead of the configuration that the call passes.",
        "new_engine.compat.profile",
        """
        +changes = [*changes, "C06"]
         return CompatProfile(**{_FIELDS[change]: True for change in changes})
        """,
        phase="apply",
        field="state",
        areas=("intended-changes",),
    ),
    Mutant(
        "C07",
        "When instances are removed, dependents are updated before the instances are destroyed.",
        "new_engine.compat.profile",
        """
        +changes = [*changes, "C07"]
         return CompatProfile(**{_FIELDS[change]: True for change in changes})
        """,
        phase="apply",
        field="order",
        areas=("intended-changes",),
    ),
    Mutant(
        "C09",
        "A provisioner that refers to its own object by name is rejected as a cycle.",
        "new_engine.compat.profile",
        """
        +changes = [*changes, "C09"]
         return CompatProfile(**{_FIELDS[change]: True for change in changes})
        """,
        phase="plan",
        field="diagnostics",
        areas=("intended-changes",),
    ),
)
