"""How a command ends that is given a case which cannot be read."""

from __future__ import annotations

import click

__all__ = ["UnreadableCaseError"]


class UnreadableCaseError(click.ClickException):
    """The message says which file, which line, and what is wrong there."""

    exit_code = 2
    """As for a run of nothing but such cases."""
