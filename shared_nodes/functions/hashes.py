"""Hash, password and identifier functions, and `rsadecrypt`.

Strings are hashed as UTF-8 bytes. Functions that use random numbers (`uuid`, `bcrypt`) get them only from the World,
and are unknown wherever the context says that impure results cannot be known yet.
"""

from __future__ import annotations

import base64
import hashlib
import re
import uuid
from functools import partial
from typing import Final

import bcrypt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import load_der_private_key, load_ssh_private_key

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.encoding import decode_base64
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, Parameter
from shared_nodes.values import number as numbers
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.text import quoted
from shared_nodes.values.types import NUMBER, STRING, Type
from shared_nodes.values.value import Value, string, unknown

__all__ = ["LONGEST_BCRYPT_PASSWORD", "bcrypt_hash", "digest_base64", "digest_hex", "functions"]

_DEFAULT_COST: Final = 10
_LOWEST_COST: Final = 4
_HIGHEST_COST: Final = 31
_SHORTEST_SECURE_KEY: Final = 1024
LONGEST_BCRYPT_PASSWORD: Final = 72
"""In bytes."""


def digest_hex(name: str, data: bytes) -> str:
    """The digest in lower-case hexadecimal. `name` is one of hashlib's (`md5`, `sha256`, ...)."""
    return hashlib.new(name, data, usedforsecurity=False).hexdigest()


def digest_base64(name: str, data: bytes) -> str:
    """The raw digest, not its hexadecimal form, in standard base64."""
    return base64.b64encode(hashlib.new(name, data, usedforsecurity=False).digest()).decode()


def _bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _hex_function(name: str) -> Function:
    def implementation(arguments: Arguments, _type: Type) -> Value:
        return string(digest_hex(name, _bytes_of(arguments[0].payload)))

    return Function(name, (Parameter("str", STRING),), STRING, implementation)


def _base64_function(name: str, algorithm: str) -> Function:
    def implementation(arguments: Arguments, _type: Type) -> Value:
        return string(digest_base64(algorithm, _bytes_of(arguments[0].payload)))

    return Function(name, (Parameter("str", STRING),), STRING, implementation)


def _cost_of(arguments: Arguments) -> int:
    if len(arguments) == 1:
        return _DEFAULT_COST
    if len(arguments) > 2:
        raise FunctionError("bcrypt() takes no more than two arguments")
    cost = arguments[1].payload
    if not numbers.is_whole(cost) or not -(1 << 63) <= cost < 1 << 63:
        raise FunctionError(f"value must be a whole number, between {-(1 << 63)} and {(1 << 63) - 1}")
    return numbers.to_int(cost)


def _bcrypt_function(context: FunctionContext) -> Function:
    flavour = context.flavour
    failed = f"error {'occurred' if flavour.misspellings_are_corrected else 'occured'} generating password"
    costs = "inclusive range 4..31" if flavour.libraries_are_recent else "range (4,31)"

    def implementation(arguments: Arguments, _type: Type) -> Value:
        if not context.impure_results_known:
            return unknown(STRING, NOT_NULL)
        cost = _cost_of(arguments)
        password = _bytes_of(arguments[0].payload)
        if len(password) > LONGEST_BCRYPT_PASSWORD:
            raise FunctionError(f"{failed} bcrypt: password length exceeds 72 bytes")
        if cost < _LOWEST_COST:
            cost = _DEFAULT_COST
        if cost > _HIGHEST_COST:
            raise FunctionError(f"{failed} crypto/bcrypt: cost {cost} is outside allowed {costs}")
        return string(bcrypt_hash(password, cost, context.world.random_bytes(16)))

    parameters = (Parameter("str", STRING),)
    return Function("bcrypt", parameters, STRING, implementation, variadic=Parameter("cost", NUMBER))


_BCRYPT_ALPHABET: Final = bytes.maketrans(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
)


def bcrypt_hash(password: bytes, cost: int, salt: bytes) -> str:
    """Hash a password with a salt of 16 bytes, which is encoded in bcrypt's own base64 alphabet. `bcrypt.gensalt` would
    do this, but uses the system's random numbers."""
    encoded = base64.b64encode(salt).rstrip(b"=").translate(_BCRYPT_ALPHABET)
    return bcrypt.hashpw(password, b"$2a$%02d$" % cost + encoded).decode()


def _uuid_function(context: FunctionContext) -> Function:
    def implementation(_arguments: Arguments, _type: Type) -> Value:
        """Sixteen random bytes in the form of a UUID. The original sets no version or variant bits."""
        if not context.impure_results_known:
            return unknown(STRING, NOT_NULL)
        return string(str(uuid.UUID(bytes=context.world.random_bytes(16))))

    return Function("uuid", (), STRING, implementation)


_NAMESPACES: Final = {
    "dns": uuid.NAMESPACE_DNS,
    "url": uuid.NAMESPACE_URL,
    "oid": uuid.NAMESPACE_OID,
    "x500": uuid.NAMESPACE_X500,
}
_CANONICAL_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_BARE_UUID: Final = re.compile(r"[0-9a-fA-F]{32}")
_URN_PREFIX: Final = "urn:uuid:"


def _parse_uuid(text: str) -> uuid.UUID:
    """Parse a UUID. Errors are ValueErrors in the original's wording.

    The accepted spellings are distinguished only by length in bytes; 38 bytes are assumed to be enclosed in something.
    """
    length = len(_bytes_of(text))
    if length == 36 + len(_URN_PREFIX):
        prefix = text[: len(_URN_PREFIX)]
        if prefix.lower() != _URN_PREFIX:
            raise ValueError(f"invalid urn prefix: {quoted(prefix)}")
        pattern, candidate = _CANONICAL_UUID, text[len(_URN_PREFIX) :]
    elif length == 38:
        pattern, candidate = _CANONICAL_UUID, text[1:37]
    elif length == 36:
        pattern, candidate = _CANONICAL_UUID, text
    elif length == 32:
        pattern, candidate = _BARE_UUID, text
    else:
        raise ValueError(f"invalid UUID length: {length}")
    if not pattern.fullmatch(candidate):
        raise ValueError("invalid UUID format")
    return uuid.UUID(candidate)


def _uuidv5(arguments: Arguments, _type: Type) -> Value:
    namespace, name = arguments[0].payload, arguments[1].payload
    space = _NAMESPACES.get(namespace)
    if space is None:
        try:
            space = _parse_uuid(namespace)
        except ValueError as error:
            raise FunctionError(f"uuidv5() doesn't support namespace {namespace} ({error})") from None
    digest = hashlib.sha1(space.bytes + _bytes_of(name), usedforsecurity=False).digest()
    return string(str(uuid.UUID(bytes=digest[:16], version=5)))


_PEM_BLOCK: Final = re.compile(
    r"^-----BEGIN (?P<type>[^\n]*?)-----[ \t\r]*\n(?P<body>.*?)\n?-----END (?P=type)-----[ \t\r]*$",
    re.MULTILINE | re.DOTALL,
)
_PEM_HEADER: Final = re.compile(r"[^\n:]+:[^\n]*\n")
_KEY_FORM: Final = {"RSA PRIVATE KEY": "pkcs1PrivateKey", "PRIVATE KEY": "pkcs8"}


def _pem_block(text: str) -> tuple[str, dict[str, str], bytes] | None:
    """The first well-formed PEM block: its type, headers and content."""
    for match in _PEM_BLOCK.finditer(text):
        body, headers = match["body"] + "\n", {}
        while header := _PEM_HEADER.match(body):
            key, _, value = header[0].partition(":")
            headers[key.strip()] = value.strip()
            body = body[header.end() :]
        content = decode_base64(re.sub(r"[ \t]", "", body))
        if content is not None:
            return match["type"], headers, content
    return None


_UNREADABLE: Final = "invalid ASN1 data in the given private key"
_WRONG_STRUCTURE: Final = "asn1: structure error"


def _asn1_problem(form: str, content: bytes) -> str:
    """The first error of the original's ASN.1 reader.

    Deeper errors are all reported as truncation, since their texts depend on the exact Go structures.
    """
    if len(content) < 2:
        return f"{_UNREADABLE}: truncated tag or length"
    if content[0] != 0x30:
        compound = "true" if content[0] & 0x20 else "false"
        found = f"class:{content[0] >> 6} tag:{content[0] & 0x1F} length:{content[1]} isCompound:{compound}"
        expected = (
            "optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> "
            "stringType:0 timeType:0 set:false omitEmpty:false"
        )
        return f"{_WRONG_STRUCTURE}: tags don't match (16 vs {{{found}}}) {{{expected}}} {form} @2"
    return f"{_UNREADABLE}: data truncated"


def _private_key(text: str) -> object:
    """The key in a PEM text, in the form that the block's type announces. Raises a ValueError that says what is
    wrong."""
    block = _pem_block(text)
    if block is None:
        raise ValueError("invalid private key: ssh: no key found")
    kind, headers, content = block
    if "ENCRYPTED" in headers.get("Proc-Type", ""):
        raise ValueError("invalid private key: ssh: this private key is passphrase protected")
    if kind == "OPENSSH PRIVATE KEY":
        return _openssh_key(content)
    if kind not in (*_KEY_FORM, "EC PRIVATE KEY", "DSA PRIVATE KEY"):
        raise ValueError(f"invalid private key: ssh: unsupported key type {quoted(kind)}")
    try:
        return load_der_private_key(content, None, unsafe_skip_rsa_key_validation=True)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        if kind == "EC PRIVATE KEY":
            problem = "invalid private key: x509: failed to parse EC private key: "
            raise ValueError(problem + _asn1_problem("ecPrivateKey", content)) from None
        if kind == "DSA PRIVATE KEY":
            problem = "invalid private key: ssh: failed to parse DSA key: "
            raise ValueError(problem + _asn1_problem("", content)) from None
        raise ValueError(_asn1_problem(_KEY_FORM[kind], content)) from None


def _openssh_key(content: bytes) -> object:
    armoured = base64.encodebytes(content)
    pem = b"-----BEGIN OPENSSH PRIVATE KEY-----\n" + armoured + b"-----END OPENSSH PRIVATE KEY-----\n"
    try:
        return load_ssh_private_key(pem, None, unsafe_skip_rsa_key_validation=True)
    except TypeError:
        raise ValueError("invalid private key: ssh: this private key is passphrase protected") from None
    except (ValueError, UnsupportedAlgorithm):
        raise ValueError("invalid private key: ssh: invalid openssh private key format") from None


def _decrypt_pkcs1(key: rsa.RSAPrivateKey, ciphertext: bytes) -> bytes | None:
    """The message of a PKCS #1 v1.5 encryption block, or None if it is not one.

    Computed here because the library returns made-up bytes for an invalid block (a defence against padding oracles),
    where the original reports an error.
    """
    private = key.private_numbers()
    modulus = private.public_numbers.n
    size = (modulus.bit_length() + 7) // 8
    encrypted = int.from_bytes(ciphertext, "big")
    if encrypted >= modulus or len(ciphertext) > size:
        return None
    block = pow(encrypted, private.d, modulus).to_bytes(size, "big")
    end = block.find(b"\0", 2)
    if block[:2] != b"\0\2" or end < 10:
        return None
    return block[end + 1 :]


def _rsadecrypt(flavour: Flavour, arguments: Arguments, _type: Type) -> Value:
    ciphertext = decode_base64(arguments[0].payload)
    if ciphertext is None:
        shown = quoted(arguments[0].payload)
        raise ArgumentError(0, f"failed to decode input {shown}: cipher text must be base64-encoded")
    try:
        key = _private_key(arguments[1].payload)
    except ValueError as error:
        reason = str(error)
        if flavour.misspellings_are_corrected and reason.startswith(_WRONG_STRUCTURE):
            reason = _UNREADABLE + reason.removeprefix(_WRONG_STRUCTURE)
        raise ArgumentError(1, reason) from None
    if not isinstance(key, rsa.RSAPrivateKey):
        raise ArgumentError(1, f"invalid private key type %!t({_go_key_type(key)})")
    if flavour.libraries_are_recent and key.key_size < _SHORTEST_SECURE_KEY:
        hint = "see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size"
        raise FunctionError(f"failed to decrypt: crypto/rsa: {key.key_size}-bit keys are insecure ({hint})")
    message = _decrypt_pkcs1(key, ciphertext)
    if message is None:
        raise FunctionError("failed to decrypt: crypto/rsa: decryption error")
    return string(message.decode("utf-8", "replace"))


def _go_key_type(key: object) -> str:
    """The Go type of the key. The original prints the whole key as well; the type says as much without the secret."""
    if isinstance(key, ec.EllipticCurvePrivateKey):
        return "*ecdsa.PrivateKey"
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return "ed25519.PrivateKey"
    return "*dsa.PrivateKey"


def functions(context: FunctionContext) -> tuple[Function, ...]:
    ciphertext, private_key = Parameter("ciphertext", STRING), Parameter("privatekey", STRING)
    rsadecrypt = partial(_rsadecrypt, context.flavour)
    return (
        _base64_function("base64sha256", "sha256"),
        _base64_function("base64sha512", "sha512"),
        _bcrypt_function(context),
        _hex_function("md5"),
        Function("rsadecrypt", (ciphertext, private_key), STRING, rsadecrypt),
        _hex_function("sha1"),
        _hex_function("sha256"),
        _hex_function("sha512"),
        _uuid_function(context),
        Function("uuidv5", (Parameter("namespace", STRING), Parameter("name", STRING)), STRING, _uuidv5),
    )
