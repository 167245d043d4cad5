"""Names of providers: the local names a module uses, and the source addresses they denote."""

from __future__ import annotations

from typing import Final

from shared_nodes.addresses.provider import BUILTIN, ProviderSource
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.source import Range
from shared_nodes.pattern import pattern
from shared_nodes.values.text import quoted

__all__ = [
    "check_local_name",
    "display_source",
    "implied_provider",
    "implied_source",
    "invalid_part",
    "is_vendor_source",
    "parse_source",
    "vendor_source",
]

_PART: Final = pattern(r"[^\W_](?:[\w-]*[^\W_])?\Z")
_PORT: Final = pattern(r":(\d*)\Z")


def implied_provider(resource_type: str) -> str:
    """Return the provider of a resource type that names none: the type's name up to the first underscore."""
    return resource_type.split("_", maxsplit=1)[0]


def implied_source(local_name: str, flavour: Flavour) -> ProviderSource:
    """Return the source of an undeclared local name: `terraform` is built in, all others are the vendor's own
    providers."""
    return BUILTIN if local_name == "terraform" else vendor_source(local_name, flavour)


def vendor_source(local_name: str, flavour: Flavour) -> ProviderSource:
    return ProviderSource(flavour.registry, "hashicorp", local_name.lower())


def is_vendor_source(source: ProviderSource, flavour: Flavour) -> bool:
    return source.host == flavour.registry and source.namespace == "hashicorp"


def check_local_name(name: str, subject: Range) -> list[Diagnostic]:
    reason = invalid_part(name)
    if reason is not None:
        detail = f"{name} is an invalid provider local name: {reason}"
    elif name != name.lower():
        detail = (
            f"Provider names must be normalized. Replace {quoted(name)} with {quoted(name.lower())} to fix this error."
        )
    else:
        return []
    return [error("Invalid provider local name", detail, subject)]


def invalid_part(part: str) -> str | None:
    """Explain why this is not a valid part of a source address; None if it is valid."""
    if not part:
        return "must have at least one character"
    if "." in part:
        return "dots are not allowed"
    if "--" in part:
        return "cannot use multiple consecutive dashes"
    if not _PART.match(part) or "_" in part:
        return "must contain only letters, digits, and dashes, and may not use leading or trailing dashes"
    return None


def parse_source(text: str, subject: Range, flavour: Flavour) -> ProviderSource | Diagnostic:
    """Parse `[hostname/][namespace/]name`. Messages quote an empty string where the original omits to fill in the
    part."""
    parts = text.split("/")
    if len(parts) > 3 or not all(parts):
        detail = 'The "source" attribute must be in the format "[hostname/][namespace/]name"'
        return error("Invalid provider source string", detail, subject)
    name = parts[-1]
    reason = invalid_part(name)
    if reason is not None:
        detail = f'Invalid provider type {quoted(name)} in source {quoted(text)}: {reason}"'
        return error("Invalid provider type", detail, subject)
    namespace = parts[-2] if len(parts) > 1 else "hashicorp"
    reason = None if namespace == "-" else invalid_part(namespace)
    if reason is not None:
        detail = f'Invalid provider namespace "" in source {quoted(text)}: {reason}"'
        return error("Invalid provider namespace", detail, subject)
    host = parts[0] if len(parts) == 3 else flavour.registry
    reason = _bad_host(host)
    if reason is not None:
        detail = f'Invalid provider source hostname namespace "" in source {quoted(text)}: {reason}"'
        return error("Invalid provider source hostname", detail, subject)
    source = ProviderSource(host.lower().removesuffix(":443"), namespace.lower(), name.lower())
    return (_refuse_prefix(source, subject, flavour) if len(parts) > 1 else None) or source


def _bad_host(host: str) -> str | None:
    port = _PORT.search(host)
    if port is not None:
        if port[1] and int(port[1]) > 65535:
            return "port number is greater than 65535"
        host = host[: port.start()]
    for label in host.split("."):
        if not label:
            return "hostname contains empty label (two consecutive periods)"
        if label.startswith("xn--"):
            form = "specified in punycode format; service hostnames must be given in unicode"
            return f"hostname label {quoted(label)} {form}"
        if label.startswith("-") or label.endswith("-"):
            return f"idna: invalid label {quoted(label)}"
        for character in label:
            if not (character.isalnum() or character == "-"):
                return f"idna: disallowed rune U+{ord(character):04X}"
    return None


def _refuse_prefix(source: ProviderSource, subject: Range, flavour: Flavour) -> Diagnostic | None:
    """Refuse names with a prefix that is used only for repositories of providers."""
    long, short = "terraform-provider-", "terraform-"
    if source.type.startswith(long):
        suggestion = ProviderSource(source.host, source.namespace, source.type.removeprefix(long))
        detail = (
            f'Provider source {quoted(display_source(source, flavour))} has a type with the prefix "{long}", which '
            "isn't valid. Although that prefix is often used in the names of version control repositories for "
            f"{flavour.product} providers, provider source strings should not include it.\n\nDid you mean "
            f"{quoted(display_source(suggestion, flavour))}?"
        )
        return error("Invalid provider type", detail, subject)
    if source.type.startswith(short):
        detail = (
            f'Provider source {quoted(str(source))} has a type with the prefix "{short}", which isn\'t allowed because '
            f"it would be redundant to name a {flavour.product} provider with that prefix. If you are the author of "
            "this provider, rename it to not include the prefix."
        )
        return error("Invalid provider type", detail, subject)
    return None


def display_source(source: ProviderSource, flavour: Flavour) -> str:
    """Format as users write it: without the default registry."""
    return str(source).removeprefix(f"{flavour.registry}/")
