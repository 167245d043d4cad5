"""The encrypted form of a file: JSON with the encrypted content and the metadata of its keys.

The content is encrypted by AES-GCM; its random nonce precedes it. Serial and lineage of a state stay readable.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import Final

from shared_nodes.record import record
from shared_nodes.values.json import JsonError, Tree, dumps, kind_of, loads

__all__ = [
    "DecryptionError",
    "Payload",
    "is_encrypted",
    "open_sealed",
    "payload_obstacle",
    "payload_to_text",
    "read_payload",
    "seal",
]

_VERSION: Final = "v0"
_NONCE_LENGTH: Final = 12
_BYTES: Final = "[]uint8"


class DecryptionError(Exception):
    """The content cannot be decrypted. The message says why."""


@record
class Payload:
    data: bytes
    metadata: Mapping[str, str]
    """The metadata of keys, by the address of their key provider or its alias."""


def seal(plain: bytes, key: bytes, nonce: bytes, associated: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return nonce + AESGCM(key).encrypt(nonce, plain, associated)


def open_sealed(data: bytes, key: bytes, associated: bytes) -> bytes:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if not data:
        raise DecryptionError("decryption failed: cannot decrypt empty data")
    if len(data) < _NONCE_LENGTH:
        raise DecryptionError("decryption failed: cannot decrypt data because it is too small (likely data corruption)")
    try:
        return AESGCM(key).decrypt(data[:_NONCE_LENGTH], data[_NONCE_LENGTH:], associated)
    except InvalidTag as failure:
        raise DecryptionError("decryption failed: cipher: message authentication failed") from failure


def payload_to_text(payload: Payload, readable: Mapping[str, Tree] | None = None) -> str:
    """Encode a payload. `readable` are the fields of a state that stay readable; a state is indented."""
    tree: dict[str, Tree] = {
        **(readable or {}),
        "meta": dict(sorted(payload.metadata.items())),
        "encrypted_data": base64.b64encode(payload.data).decode(),
        "encryption_version": _VERSION,
    }
    return dumps(tree) if readable is None else dumps(tree, indent=2) + "\n"


def is_encrypted(text: str) -> bool:
    return '"encryption_version"' in text and _read_version(text) != ""


def _read_version(text: str) -> str:
    try:
        tree = loads(text)
    except JsonError:
        return ""
    version = tree.get("encryption_version") if isinstance(tree, dict) else ""
    return version if isinstance(version, str) else ""


def payload_obstacle(tree: Tree) -> str:
    """Return what keeps JSON from being recognised as encrypted or not, in the original's words; empty if nothing
    does."""
    if tree is None:
        return ""
    if not isinstance(tree, dict):
        return f"json: cannot unmarshal {kind_of(tree)} into Go value of type encryption.basedata"
    for name, value in tree.items():
        for found, wanted in _unexpected(name, value):
            return f"json: cannot unmarshal {kind_of(found)} into Go struct field basedata.{name} of type {wanted}"
    return ""


def _unexpected(name: str, value: Tree) -> Iterator[tuple[Tree, str]]:
    """Return the parts of a field that have another type than they should, with the name of that type."""
    if value is None:
        return
    if name == "meta" and not isinstance(value, dict):
        yield value, "encryption.keyProviderMetamap"
    elif name == "meta" and isinstance(value, dict):
        yield from ((part, _BYTES) for part in value.values() if not _may_be_bytes(part))
    elif name == "encrypted_data" and not _may_be_bytes(value):
        yield value, _BYTES
    elif name == "encryption_version" and not isinstance(value, str):
        yield value, "string"


def _may_be_bytes(tree: Tree) -> bool:
    return tree is None or isinstance(tree, str | list)


def read_payload(text: str) -> Payload:
    """Read an encrypted text. DecryptionError if it has another version or is damaged."""
    version = _read_version(text)
    if version != _VERSION:
        raise DecryptionError(f"invalid encrypted payload version: {version} != {_VERSION}")
    tree = loads(text)
    assert isinstance(tree, dict), "only an object has a version"
    metadata = tree.get("meta")
    try:
        data = base64.b64decode(str(tree.get("encrypted_data", "")), validate=True)
    except ValueError as failure:
        raise DecryptionError(f"invalid data format for decryption: {failure}") from failure
    return Payload(data, {name: str(text) for name, text in metadata.items()} if isinstance(metadata, dict) else {})
