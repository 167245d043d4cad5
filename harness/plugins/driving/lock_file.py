"""The dependency lock file: which version of a provider a directory uses, and the checksums of its packages."""

from __future__ import annotations

from collections.abc import Mapping

from shared_nodes.lang.json_static import static_value
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.source import Source
from shared_nodes.lang.tree import Attribute, Body
from shared_nodes.record import record

__all__ = ["LOCK_FILE", "LockedProvider", "read_lock_file"]

LOCK_FILE = ".terraform.lock.hcl"


@record
class LockedProvider:
    version: str
    hashes: frozenset[str]


def read_lock_file(text: str) -> Mapping[str, LockedProvider]:
    """Return what is locked, by the source of the provider. Entries without a version are left out."""
    body, _ = parse_body(Source(LOCK_FILE, text))
    found = {block.labels[0]: _locked(block.body) for block in body.blocks if block.type == "provider" and block.labels}
    return {source: locked for source, locked in found.items() if locked.version}


def _locked(body: Body) -> LockedProvider:
    version = _constant(body.attributes.get("version"))
    hashes = _constant(body.attributes.get("hashes"))
    texts = [part.payload for part in hashes] if isinstance(hashes, tuple) else []
    return LockedProvider(
        version if isinstance(version, str) else "", frozenset(text for text in texts if isinstance(text, str))
    )


def _constant(attribute: Attribute | None) -> object:
    return None if attribute is None else static_value(attribute.expression)[0].payload
