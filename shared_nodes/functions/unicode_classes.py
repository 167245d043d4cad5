"""Classes of characters that a pattern names, such as `\\p{Greek}`, as content of a class in brackets for RE2.

RE2 knows the categories and scripts by the exact names of Unicode. Newer releases of the original's library also accept
the long names of categories and ignore case, spaces, hyphens and underscores; as a consequence, scripts whose own name
contains an underscore or another capital have become unknown to them. Unassigned characters have become a category,
which RE2 lacks.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

import re2

__all__ = ["unicode_class"]

_NAME: Final = re.compile(r"[A-Za-z_]+")

_LONG_NAMES: Final = {
    "Casedletter": "Lc",
    "Closepunctuation": "Pe",
    "Cntrl": "Cc",
    "Combiningmark": "M",
    "Connectorpunctuation": "Pc",
    "Control": "Cc",
    "Currencysymbol": "Sc",
    "Dashpunctuation": "Pd",
    "Decimalnumber": "Nd",
    "Digit": "Nd",
    "Enclosingmark": "Me",
    "Finalpunctuation": "Pf",
    "Format": "Cf",
    "Initialpunctuation": "Pi",
    "Letter": "L",
    "Letternumber": "Nl",
    "Lineseparator": "Zl",
    "Lowercaseletter": "Ll",
    "Mark": "M",
    "Mathsymbol": "Sm",
    "Modifierletter": "Lm",
    "Modifiersymbol": "Sk",
    "Nonspacingmark": "Mn",
    "Number": "N",
    "Openpunctuation": "Ps",
    "Other": "C",
    "Otherletter": "Lo",
    "Othernumber": "No",
    "Otherpunctuation": "Po",
    "Othersymbol": "So",
    "Paragraphseparator": "Zp",
    "Privateuse": "Co",
    "Punct": "P",
    "Punctuation": "P",
    "Separator": "Z",
    "Spaceseparator": "Zs",
    "Spacingmark": "Mc",
    "Surrogate": "Cs",
    "Symbol": "S",
    "Titlecaseletter": "Lt",
    "Unassigned": "Cn",
    "Uppercaseletter": "Lu",
}

_VISIBLE: Final = r"\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}"
"""All assigned characters but those of the category `C`, which are controls and the like."""


def unicode_class(name: str, *, is_negated: bool, with_long_names: bool) -> str | None:
    """The characters of a class, or all others, as content of brackets. None if there is no class of this name."""
    if with_long_names:
        name = _canonical(name)
        name = _LONG_NAMES.get(name, name)
        if name in ("Ascii", "Assigned", "C", "Cn", "Lc"):
            return _special_class(name, is_negated)
    if not _is_known(name):
        return None
    return rf"\P{{{name}}}" if is_negated else rf"\p{{{name}}}"


def _canonical(name: str) -> str:
    compact = name.translate({ord(ignored): None for ignored in "_- "})
    return compact[:1].upper() + compact[1:].lower() if compact.isascii() else compact


def _special_class(name: str, is_negated: bool) -> str:
    """A class that RE2 lacks, or understands differently. Each is described together with its complement, because
    brackets cannot contain negated brackets."""
    match name, is_negated:
        case "Ascii", False:
            return r"\x{0}-\x{7f}"
        case "Ascii", True:
            return r"\x{80}-\x{10ffff}"
        case ("Assigned", False) | ("Cn", True):
            return _VISIBLE + r"\p{C}"
        case ("Cn", False) | ("Assigned", True):
            return _unassigned()
        case "C", False:
            return r"\p{C}" + _unassigned()
        case "C", True:
            return _VISIBLE
        case "Lc", False:
            return r"\p{Lu}\p{Ll}\p{Lt}"
    return rf"\p{{Lm}}\p{{Lo}}\p{{M}}\p{{N}}\p{{P}}\p{{S}}\p{{Z}}\p{{C}}{_unassigned()}"


@cache
def _unassigned() -> str:
    """Characters without a category, found by asking RE2 for those that have one."""
    everything = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x110000)))).encode()
    pattern = re2.compile(rf"[^{_VISIBLE}\p{{C}}]+".encode())
    runs = (everything[start:end].decode() for start, end in (match.span() for match in pattern.finditer(everything)))
    return "".join(rf"\x{{{ord(run[0]):x}}}-\x{{{ord(run[-1]):x}}}" for run in runs)


@lru_cache(maxsize=256)
def _is_known(name: str) -> bool:
    """Whether there is a category or script of this name. RE2 and Go share the list, as of Unicode 15."""
    if not _NAME.fullmatch(name):
        return False
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(rf"\p{{{name}}}", options)
    except re2.error:
        return False
    return True
