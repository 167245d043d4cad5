"""Keys from passphrases, by PBKDF2. Salt and parameters are stored as metadata with what is encrypted."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Final

from shared_nodes.record import record
from shared_nodes.values.json import JsonError, JsonNumber, Tree, dumps, loads

__all__ = ["KeyMetadata", "Passphrase", "derive_key", "metadata_from_text", "metadata_to_text"]

_HASHES: Final = ("sha256", "sha512")
_FEWEST_ITERATIONS: Final = 200_000
_SHORTEST: Final = 16


@record
class Passphrase:
    """A passphrase, and how new keys are derived from it."""

    text: bytes
    key_length: int = 32
    iterations: int = 600_000
    hash_function: str = "sha512"
    salt_length: int = 32

    def problem(self) -> str | None:
        """Return why no key can be derived; None if one can."""
        if not self.text:
            return "no passphrase provided and no chained provider defined"
        if len(self.text) < _SHORTEST:
            return f"passphrase is too short (minimum {_SHORTEST} characters)"
        if self.key_length <= 0:
            return "the key length must be larger than zero"
        if self.iterations <= 0:
            return "the number of iterations must be larger than zero"
        if self.iterations < _FEWEST_ITERATIONS:
            return f"the number of iterations is dangerously low (<{_FEWEST_ITERATIONS}), refusing to generate key"
        if self.salt_length <= 0:
            return "the salt length must be larger than zero"
        if not self.hash_function:
            return "invalid key provider configuration: please specify a hash function"
        if self.hash_function not in _HASHES:
            return f"invalid key provider configuration: invalid hash function name: {self.hash_function}"
        return None

    def metadata(self, salt: bytes) -> KeyMetadata:
        return KeyMetadata(salt, self.iterations, self.hash_function, self.key_length)


@record
class KeyMetadata:
    """What is needed to derive a key again, except for the passphrase."""

    salt: bytes
    iterations: int
    hash_function: str
    key_length: int


def derive_key(passphrase: Passphrase, metadata: KeyMetadata) -> bytes:
    import hashlib

    return hashlib.pbkdf2_hmac(
        metadata.hash_function, passphrase.text, metadata.salt, metadata.iterations, metadata.key_length
    )


def metadata_to_text(metadata: KeyMetadata) -> str:
    """Encode as OpenTofu does: JSON in base64."""
    tree: Tree = {
        "salt": base64.b64encode(metadata.salt).decode(),
        "iterations": JsonNumber(str(metadata.iterations)),
        "hash_function": metadata.hash_function,
        "key_length": JsonNumber(str(metadata.key_length)),
    }
    return base64.b64encode(dumps(tree).encode()).decode()


def metadata_from_text(text: str) -> KeyMetadata | None:
    """Decode metadata. None if it is damaged, or of another kind of key."""
    try:
        tree = loads(base64.b64decode(text, validate=True).decode())
        if not isinstance(tree, Mapping):
            return None
        found = KeyMetadata(
            base64.b64decode(str(tree["salt"]), validate=True),
            _whole_number(tree["iterations"]),
            str(tree["hash_function"]),
            _whole_number(tree["key_length"]),
        )
    except (ValueError, KeyError, JsonError):
        return None
    is_usable = found.iterations > 0 and found.key_length > 0 and found.hash_function in _HASHES
    return found if is_usable else None


def _whole_number(tree: Tree) -> int:
    """Return a number. ValueError if it is none."""
    if not isinstance(tree, JsonNumber):
        raise ValueError("not a number")
    return int(tree.text)
