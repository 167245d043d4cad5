"""Hash, password and identifier functions, and `rsadecrypt`, compared with recorded answers."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import bcrypt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.functions import hashes
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.hashes import digest_base64, digest_hex
from shared_nodes.lang.function import ArgumentError, Function, FunctionError
from shared_nodes.values import number as numbers
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, integer, number, string, unknown
from shared_nodes.world import World


def table(
    seed: int = 1, *, impure_results_known: bool = True, flavour: Flavour = TERRAFORM_1_11
) -> dict[str, Function]:
    world = World.confined(Path(), seed, datetime(2024, 1, 1, tzinfo=UTC))
    context = FunctionContext(world, flavour, impure_results_known=impure_results_known)
    return {function.name: function for function in hashes.functions(context)}


FUNCTIONS: Final = table()

DIGESTS: Final = [
    ("md5", "é", "66ddcd97cfdeabb2f6fb8a999b4bc76f"),
    ("sha1", "日本", "44da6bbcf285cdb317aa91174217990d1b94d64d"),
    ("sha256", "日本", "cf2abf0c5be326cb922a70f8163f91079c4d9aa8655c60ead89ad545c9de2e92"),
    ("base64sha256", "hello world", "uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek="),
]


@pytest.mark.parametrize(("name", "text", "expected"), DIGESTS)
def test_digests_are_of_the_utf8_bytes(name: str, text: str, expected: str) -> None:
    assert FUNCTIONS[name].call([string(text)]) == string(expected)


def test_digest_helpers_take_any_bytes() -> None:
    assert digest_hex("md5", b"\xff") == "00594fd4f42ba43fc1ca0427a0576295"
    assert base64.b64decode(digest_base64("sha512", b"\xff")).hex() == digest_hex("sha512", b"\xff")


NAMED: Final = [
    ("dns", "www.terraform.io", "a5008fae-b28c-5ba5-96cd-82b4c53552d6"),
    ("oid", "1.3.6.1.4", "af9d40a5-7a36-5c07-b23a-851cd99fbfa5"),
    ("x500", "CN=a", "c4756781-662d-5713-b245-06d2e6262fc5"),
    ("urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8", "x", "05b16a01-46c6-56dd-bd6e-c6dfb4a1427a"),
    ("URN:UUID:6ba7b810-9dad-11d1-80b4-00c04fd430c8", "x", "05b16a01-46c6-56dd-bd6e-c6dfb4a1427a"),
    ("6ba7b8109dad11d180b400c04fd430c8", "x", "05b16a01-46c6-56dd-bd6e-c6dfb4a1427a"),
    ("(6ba7b810-9dad-11d1-80b4-00c04fd430c8)", "x", "05b16a01-46c6-56dd-bd6e-c6dfb4a1427a"),
]


@pytest.mark.parametrize(("namespace", "name", "expected"), NAMED)
def test_uuidv5_knows_many_spellings_of_a_namespace(namespace: str, name: str, expected: str) -> None:
    assert FUNCTIONS["uuidv5"].call([string(namespace), string(name)]) == string(expected)


UNNAMED: Final = [
    ("DNS", "invalid UUID length: 3"),
    ("urx:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8", 'invalid urn prefix: "urx:uuid:"'),
    ("6ba7b8109dad11d180b400c04fd430cg", "invalid UUID format"),
    ("6ba7b810x9dad-11d1-80b4-00c04fd430c8", "invalid UUID format"),
    ("6ba7b810-9dad-11d1-80b4-00c04fd430cz", "invalid UUID format"),
    ("ééééééééé-9dad-11d1-80b4-00c04fd4", "invalid UUID length: 42"),
    ("a", "invalid UUID length: 1"),
]


@pytest.mark.parametrize(("namespace", "reason"), UNNAMED)
def test_uuidv5_explains_what_is_no_namespace(namespace: str, reason: str) -> None:
    with pytest.raises(FunctionError) as caught:
        FUNCTIONS["uuidv5"].call([string(namespace), string("x")])
    assert caught.value.message == f"uuidv5() doesn't support namespace {namespace} ({reason})"


def test_randomness_is_the_worlds_alone() -> None:
    assert table(7)["uuid"].call([]) == table(7)["uuid"].call([])
    assert table(7)["uuid"].call([]) != table(8)["uuid"].call([])
    words = [string("secret"), integer(4)]
    assert table(7)["bcrypt"].call(words) == table(7)["bcrypt"].call(words)


def test_uuid_has_no_version_bits() -> None:
    """The original prints sixteen random bytes; a quarter of all would have the variant bits of version 4 by chance."""
    uuid = table(3)["uuid"]
    versions = {uuid.call([]).payload[14] for _ in range(200)}
    assert len(versions) == 16


@pytest.mark.parametrize("name", ["uuid", "bcrypt"])
def test_impure_results_are_unknown_while_planning(name: str) -> None:
    arguments = [string("x" * 100)] if name == "bcrypt" else []
    assert table(impure_results_known=False)[name].call(arguments) == unknown(STRING, NOT_NULL)


@pytest.mark.parametrize(
    ("text", "cost", "prefix"),
    [
        ("secret", 4, "$2a$04$"),
        ("secret", 3, "$2a$10$"),
        ("", 4, "$2a$04$"),
        ("é" * 36, 4, "$2a$04$"),
        ("a\0b", 4, "$2a$04$"),
    ],
)
def test_bcrypt(text: str, cost: int, prefix: str) -> None:
    hashed = FUNCTIONS["bcrypt"].call([string(text), integer(cost)]).payload
    assert hashed.startswith(prefix)
    assert len(hashed) == 60
    assert bcrypt.checkpw(text.encode(), hashed.encode())


WHOLE: Final = "value must be a whole number, between -9223372036854775808 and 9223372036854775807"
GENERATING: Final = "error occured generating password "


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([string("a"), integer(32)], GENERATING + "crypto/bcrypt: cost 32 is outside allowed range (4,31)"),
        ([string("a"), integer(100)], GENERATING + "crypto/bcrypt: cost 100 is outside allowed range (4,31)"),
        ([string("é" * 36 + "a")], GENERATING + "bcrypt: password length exceeds 72 bytes"),
        ([string("a"), number(numbers.from_float(4.5))], WHOLE),
        ([string("a"), number(numbers.from_float(1e30))], WHOLE),
        ([string("a"), number(numbers.PositiveInfinity)], WHOLE),
        ([string("a"), integer(4), integer(5)], "bcrypt() takes no more than two arguments"),
    ],
    ids=["cost 32", "cost 100", "73 bytes", "fraction", "too large", "infinity", "three arguments"],
)
def test_bcrypt_errors(arguments: list[Value], message: str) -> None:
    with pytest.raises(FunctionError) as caught:
        FUNCTIONS["bcrypt"].call(arguments)
    assert caught.value.message == message


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 1024)


@pytest.mark.parametrize("form", [PrivateFormat.TraditionalOpenSSL, PrivateFormat.PKCS8, PrivateFormat.OpenSSH])
def test_rsadecrypt_takes_keys_of_every_form(key: rsa.RSAPrivateKey, form: PrivateFormat) -> None:
    pem = key.private_bytes(Encoding.PEM, form, NoEncryption()).decode()
    encrypted = base64.b64encode(key.public_key().encrypt("müde".encode(), padding.PKCS1v15())).decode()
    assert FUNCTIONS["rsadecrypt"].call([string(encrypted), string(pem)]) == string("müde")
    for bad in ("", "aGVsbG8=", base64.b64encode(b"\xff" * 128).decode(), base64.b64encode(bytes(200)).decode()):
        with pytest.raises(FunctionError, match="failed to decrypt: crypto/rsa: decryption error"):
            FUNCTIONS["rsadecrypt"].call([string(bad), string(pem)])


def test_rsadecrypt_wants_an_rsa_key() -> None:
    curve = ec.generate_private_key(ec.SECP256R1())
    pem = curve.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    with pytest.raises(ArgumentError, match="invalid private key type"):
        FUNCTIONS["rsadecrypt"].call([string("YQ=="), string(pem)])


def pem_of(kind: str, headers: str = "") -> str:
    return f"-----BEGIN {kind}-----\n{headers}AAAA\n-----END {kind}-----\n"


@pytest.mark.parametrize(
    ("private_key", "problem"),
    [
        ("", "invalid private key: ssh: no key found"),
        (pem_of("RSA PRIVATE KEY"), "asn1: structure error: tags don't match (16 vs {class:0 tag:0 length:0 "),
        (pem_of("PRIVATE KEY"), "asn1: structure error: tags don't match (16 vs {class:0 tag:0 length:0 "),
        (pem_of("EC PRIVATE KEY"), "invalid private key: x509: failed to parse EC private key: asn1: structure error"),
        (pem_of("DSA PRIVATE KEY"), "invalid private key: ssh: failed to parse DSA key: asn1: structure error"),
        (pem_of("OPENSSH PRIVATE KEY"), "invalid private key: ssh: invalid openssh private key format"),
        (pem_of("PUBLIC KEY"), 'invalid private key: ssh: unsupported key type "PUBLIC KEY"'),
        (
            pem_of("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n"),
            "invalid private key: ssh: this private key is passphrase protected",
        ),
    ],
    ids=["nothing", "PKCS 1", "PKCS 8", "EC", "DSA", "OpenSSH", "public", "encrypted"],
)
def test_rsadecrypt_explains_bad_keys(private_key: str, problem: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        FUNCTIONS["rsadecrypt"].call([string("aGVsbG8="), string(private_key)])
    assert caught.value.index == 1
    assert caught.value.message.startswith(problem)


def test_rsadecrypt_wants_base64() -> None:
    with pytest.raises(ArgumentError) as caught:
        FUNCTIONS["rsadecrypt"].call([string("!!"), string("x")])
    assert (caught.value.index, caught.value.message) == (
        0,
        'failed to decode input "!!": cipher text must be base64-encoded',
    )


def message_of(function: Function, *arguments: Value) -> str:
    with pytest.raises(FunctionError) as failure:
        function.call(arguments)
    return failure.value.message


def test_opentofu_words_some_errors_differently() -> None:
    functions = table(flavour=OPENTOFU_1_12)
    assert message_of(functions["bcrypt"], string("secret"), integer(32)) == (
        "error occurred generating password crypto/bcrypt: cost 32 is outside allowed inclusive range 4..31"
    )
    unreadable = string("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n")
    expected = "invalid ASN1 data in the given private key: tags don't match (16 vs {class:0 tag:0 length:0"
    assert message_of(functions["rsadecrypt"], string("aGk="), unreadable).startswith(expected)


def test_opentofu_refuses_short_rsa_keys() -> None:
    key = """-----BEGIN RSA PRIVATE KEY-----
MIIBOwIBAAJBALa/46nDkDGwm8uM8Y2UG7gDGu+hbl2eP3hD5lJ7YpFJ3E3Ee1iB
QCF+4Glg+Ry0jukcDskkIlDaM86byt4D0v8CAwEAAQJAeOaYGi6sDYOWfmJ/R7ft
Yp6DSndVCZBw0wKwtG62dgD0joZf6m+z7pSIVC56slmj7xUZEePjxKNWuJBHKwSm
oQIhAO+5Ee0SCGIyvuJWjmmlIDuIiKOTD7DEQpeIX62ZcsTxAiEAwyh+HBP9vqqy
v9GJtjmcKkcjo/KFa/FW60JNbYUFVu8CIQDgv286B3UKs67YvvPHwkNk7U3FpgPI
40fXj8i8FihO0QIgFDIWitVOxvJnOQ54D9F6Za2i9I5eXENHWWUtGg5P9SUCIQCm
MadYUb8NGU6noa3/48WD2c+j/dG5UCqQxElcJ0Vsfw==
-----END RSA PRIVATE KEY-----
"""
    message = message_of(table(flavour=OPENTOFU_1_12)["rsadecrypt"], string("aGk="), string(key))
    hint = "see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size"
    assert message == f"failed to decrypt: crypto/rsa: 512-bit keys are insecure ({hint})"
    assert message_of(FUNCTIONS["rsadecrypt"], string("aGk="), string(key)) == (
        "failed to decrypt: crypto/rsa: decryption error"
    )
