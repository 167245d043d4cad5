"""String functions: chomp endswith indent join lower replace split startswith strcontains strrev substr title trim
trimprefix trimspace trimsuffix upper.

Characters mean three different things here, as in the original: grapheme clusters for substr and strrev, code points
for split, trim and the case functions, and bytes nowhere that would show. Results are in normal form C, so that
`strrev` of a lone accent and a letter gives one accented letter.

Case mapping is Unicode's simple one, from one code point to one: "ß" has no capital, a final sigma no form of its own.
Python's str methods use the full mapping.

No result is longer than `MAX_RESULT`; the original would take all the memory there is, and die.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.function import ArgumentError, Arguments, Function, FunctionError, PanicError, Parameter
from shared_nodes.functions.numbers import whole_number
from shared_nodes.functions.regexes import replace_matches
from shared_nodes.functions.sizes import check_size, repeated
from shared_nodes.values.text import graphemes
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, Type
from shared_nodes.values.value import Value, boolean, list_of, string, unknown
