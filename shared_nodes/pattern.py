"""Regular expressions that are compiled at their first use.

To compile one takes as long as to import a small module. The modules that a command imports name dozens of them, and a
command uses few.
"""

from __future__ import annotations

import re
from typing import Any, cast

__all__ = ["pattern"]


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return something that has the attributes of the compiled expression. It is no instance of `re.Pattern`."""
    return cast("re.Pattern[str]", _Pattern(text, flags))


class _Pattern:
    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Return the attribute, which is found without this from then on."""
        if name.startswith("__"):
            raise AttributeError(name)
        found = self.__dict__[name] = getattr(re.compile(self._text, self._flags), name)
        return found
