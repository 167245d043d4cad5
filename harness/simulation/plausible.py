"""Plausible texts: what may stand where nothing is known of a value but its name, and how expressions use it.

A name such as `cidr_block` and a call such as `base64decode(x)` ask for a certain form of text. A use decides before a
name. Texts are the same in every run, and differ between objects as far as their form allows.
"""

from __future__ import annotations

import base64
import hashlib
import re
import uuid
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from shared_nodes.lang import tree

__all__ = ["Form", "form_of_name", "used_forms", "write_text"]


class Form(StrEnum):
    ACCOUNT = "account"
    ARN = "arn"
    BASE64 = "base64"
    BOOLEAN = "boolean"
    CIDR = "cidr"
    CIDR_6 = "cidr_6"
    CSV = "csv"
    DOMAIN = "domain"
    EMAIL = "email"
    IP = "ip"
    JSON = "json"
    NUMBER = "number"
    REGION = "region"
    TIME = "time"
    URL = "url"
    UUID = "uuid"
    ZONE = "zone"


_NAMES: Final = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        (r"ipv6_cidr|cidr_ipv6", Form.CIDR_6),
        (r"cidr|address_(space|prefix)$|ip_range$", Form.CIDR),
        (r"(^|_)ips?$|ip_address$|ipv4_address$|(^|_)gateway_ip$", Form.IP),
        (r"(^|_)arns?$", Form.ARN),
        (r"(^|_)account(_id)?$|caller_account", Form.ACCOUNT),
        (r"(^|_)region$", Form.REGION),
        (r"(availability_)?zone(_name)?s?$", Form.ZONE),
        (r"email(_address)?$", Form.EMAIL),
        (r"(^|_)(url|uri|endpoint)$", Form.URL),
        (r"domain(_name)?$|fqdn$|hostname$|dns_name$", Form.DOMAIN),
        (r"certificate_authority_data$|ca_certificate$|client_(key|certificate)$|_base64$|_b64$", Form.BASE64),
        (r"(^|_)json$|policy_document$", Form.JSON),
        (r"(^|_)(port|count|size|capacity|number|length|ttl|timeout|days|seconds|minutes|hours|weight)$", Form.NUMBER),
        (r"(^|_)(enabled?|disabled)$", Form.BOOLEAN),
        (r"_at$|timestamp$|(^|_)(date|expiration|expiry)$", Form.TIME),
        (r"(^|_)(uuid|guid)$|(tenant|subscription)_id$", Form.UUID),
    )
)

_FUNCTIONS: Final = {
    **dict.fromkeys(("base64decode", "base64gunzip", "textdecodebase64"), Form.BASE64),
    **dict.fromkeys(("jsondecode", "yamldecode"), Form.JSON),
    **dict.fromkeys(("cidrhost", "cidrnetmask", "cidrsubnet", "cidrsubnets", "cidrcontains"), Form.CIDR),
    **dict.fromkeys(("timeadd", "timecmp"), Form.TIME),
    **dict.fromkeys(("abs", "ceil", "floor", "log", "parseint", "pow", "signum", "tonumber"), Form.NUMBER),
    "csvdecode": Form.CSV,
    "tobool": Form.BOOLEAN,
}
"""The form that a function needs its first argument to have."""

_SECOND: Final = {"formatdate": Form.TIME, "timecmp": Form.TIME}
_EVERY: Final = {"max": Form.NUMBER, "min": Form.NUMBER}
_OF_BOOLEANS: Final = ("alltrue", "anytrue")
_LONGEST_LABEL: Final = 63
"""Limit of one part of a domain. An id at the beginning stays whole, so that it is recognised."""

_ARITHMETIC: Final = frozenset("+-*/%<>") | {"<=", ">="}
_LOGIC: Final = frozenset({"&&", "||"})


def form_of_name(name: str) -> Form | None:
    """Return the form that a name suggests."""
    return next((form for pattern, form in _NAMES if pattern.search(name.lower())), None)


def used_forms(node: tree.Expression) -> Iterator[tuple[tree.Expression, Form]]:
    """Return the operands of one expression that need a certain form. Those of its parts are not looked at."""
    match node:
        case tree.Call():
            name = node.name.removeprefix("core::")
            if name in _FUNCTIONS and node.arguments:
                yield node.arguments[0], _FUNCTIONS[name]
            if name in _SECOND and len(node.arguments) > 1:
                yield node.arguments[1], _SECOND[name]
            yield from ((argument, _EVERY[name]) for argument in node.arguments if name in _EVERY)
            if name in _OF_BOOLEANS and node.arguments:
                yield from ((each, Form.BOOLEAN) for each in _elements(node.arguments[0]))
        case tree.Binary() if node.operator in _ARITHMETIC:
            yield from ((operand, Form.NUMBER) for operand in (node.left, node.right))
        case tree.Binary() if node.operator in _LOGIC:
            yield from ((operand, Form.BOOLEAN) for operand in (node.left, node.right))
        case tree.Unary():
            yield node.operand, Form.NUMBER if node.operator == "-" else Form.BOOLEAN
        case tree.Conditional():
            yield node.condition, Form.BOOLEAN


def _elements(node: tree.Expression) -> tuple[tree.Expression, ...]:
    """Return what the elements of a list are computed by, where its expression says so."""
    match node:
        case tree.For() if node.key is None:
            return (node.value,)
        case tree.TupleConstructor():
            return node.items
    return ()


def write_text(form: Form, owner: str) -> str:
    """Return a text of this form. `owner` makes it different from those of other objects where that is possible."""
    digest = hashlib.sha256(owner.encode(errors="surrogatepass")).digest()
    slug = re.sub(r"[^a-z0-9]+", "-", owner.lower()).strip("-")[:_LONGEST_LABEL].strip("-") or "x"
    match form:
        case Form.ARN:
            return f"arn:aws:service:eu-west-1:123456789012:thing/{slug}"
        case Form.BASE64:
            return base64.b64encode(owner.encode(errors="replace")).decode()
        case Form.CIDR:
            return f"10.{digest[0]}.0.0/16"
        case Form.CIDR_6:
            return f"2001:db8:{digest[0]:x}{digest[1]:02x}:{digest[2]:x}00::/56"
        case Form.IP:
            return f"10.{digest[0]}.{digest[1]}.{digest[2] % 253 + 1}"
        case Form.DOMAIN:
            return f"{slug}.example.com"
        case Form.EMAIL:
            return f"{slug}@example.com"
        case Form.URL:
            return f"https://{slug}.example.com"
        case Form.UUID:
            return str(uuid.UUID(bytes=digest[:16], version=4))
    return _CONSTANT[form]


_CONSTANT: Final = {
    Form.ACCOUNT: "123456789012",
    Form.BOOLEAN: "true",
    Form.CSV: "name,value\na,1\n",
    Form.JSON: "{}",
    Form.NUMBER: "1",
    Form.REGION: "eu-west-1",
    Form.TIME: "2024-05-06T07:08:09Z",
    Form.ZONE: "eu-west-1a",
}
