"""Encryption of states and plans: the form of OpenTofu, and what is wrong with a configuration of it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.engines.encryption import encryption_in
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.encryption.encryption import DecryptionError, Encryption
from shared_nodes.encryption.payload import is_encrypted, open_sealed, seal
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.world import World

WRITTEN_BY_OPENTOFU: Final = Path(__file__).parent / "opentofu-1.12.6.tfstate"
"""A state with one object, encrypted by OpenTofu 1.12.6 with the passphrase of `BLOCK`."""

BLOCK: Final = """terraform {
  encryption {
    key_provider "pbkdf2" "k" {
      passphrase = "correct-horse-battery-staple"
      iterations = 200000
    }
    method "aes_gcm" "m" {
      keys = key_provider.pbkdf2.k
    }
    method "unencrypted" "u" {
    }
    state {
      method = method.aes_gcm.m
    }
    plan {
      method = method.aes_gcm.m
    }
  }
}
"""
PLAIN: Final = '{"version": 4, "terraform_version": "1.12.6", "serial": 7, "lineage": "l", "resources": []}'


def build(
    directory: Path, text: str = BLOCK, flavour: Flavour = OPENTOFU_1_12, name: str = "main.tf"
) -> tuple[Encryption, list[Diagnostic]]:
    (directory / name).write_text(text)
    world = World.confined(directory, 1, datetime(2026, 1, 2, tzinfo=UTC))
    return encryption_in(world.files, flavour, StaticInputs(world))


def test_a_state_of_opentofu_can_be_read(tmp_path: Path) -> None:
    encryption, problems = build(tmp_path)
    assert [problem.summary for problem in problems] == ["Unencrypted method configured"]
    state = json.loads(encryption.state_from_text(WRITTEN_BY_OPENTOFU.read_text()))
    assert [resource["name"] for resource in state["resources"]] == ["a"]


def test_what_is_written_has_the_form_of_opentofu(tmp_path: Path) -> None:
    encryption, _ = build(tmp_path)
    text = encryption.state_to_text(PLAIN)
    assert is_encrypted(text)
    ours, theirs = json.loads(text), json.loads(WRITTEN_BY_OPENTOFU.read_text())
    assert list(ours) == list(theirs) == ["serial", "lineage", "meta", "encrypted_data", "encryption_version"]
    assert ours["meta"].keys() == theirs["meta"].keys()
    assert json.loads(encryption.state_from_text(text)) == json.loads(PLAIN)


def test_each_text_has_a_nonce_of_its_own(tmp_path: Path) -> None:
    encryption, _ = build(tmp_path)
    assert encryption.state_to_text(PLAIN) != encryption.state_to_text(PLAIN)


def test_plans_are_encrypted_too(tmp_path: Path) -> None:
    encryption, _ = build(tmp_path)
    content = encryption.plan_to_bytes(b"PK...")
    assert content.startswith(b'{"meta":')
    assert encryption.plan_from_bytes(content) == b"PK..."
    with pytest.raises(DecryptionError, match="the given plan file is encrypted"):
        Encryption().plan_from_bytes(content)


def test_a_plain_state_needs_the_unencrypted_method(tmp_path: Path) -> None:
    encryption, _ = build(tmp_path)
    with pytest.raises(DecryptionError, match="encountered unencrypted payload without unencrypted method configured"):
        encryption.state_from_text(PLAIN)
    fallback = BLOCK.replace(
        "state {\n      method = method.aes_gcm.m\n",
        "state {\n      method = method.aes_gcm.m\n      fallback {\n        method = method.unencrypted.u\n      }\n",
    )
    assert build(tmp_path, fallback)[0].state_from_text(PLAIN) == PLAIN


def test_an_encrypted_state_needs_a_configuration(tmp_path: Path) -> None:
    text = WRITTEN_BY_OPENTOFU.read_text()
    with pytest.raises(DecryptionError, match="can not be read without an encryption configuration"):
        Encryption().state_from_text(text)
    other, _ = build(tmp_path, BLOCK.replace("correct", "incorrect"))
    with pytest.raises(DecryptionError, match="attempted decryption failed for state: decryption failed: cipher"):
        other.state_from_text(text)


@pytest.mark.parametrize(
    ("old", "new", "summary", "detail"),
    [
        ("method.aes_gcm.m", "method.aes_gcm.nope", "Reference to undeclared encryption method", "nope"),
        ("method.aes_gcm.m", "aes_gcm.m", "Invalid encryption method identifier", "method.<type>.<name>"),
        ("key_provider.pbkdf2.k", "key_provider.pbkdf2.x", "Reference to undeclared key provider", "pbkdf2"),
        ("correct-horse-battery-staple", "short", "Unable to build encryption key data", "passphrase is too short"),
        ("200000", "1000", "Unable to build encryption key data", "dangerously low"),
        ("iterations = 200000", 'hash_function = "md5"', "Unable to build encryption key data", "hash function name"),
        ("iterations = 200000", "key_length = 20", "Invalid method configuration", "one of: 16, 24, 32"),
        ("iterations = 200000", "nope = 1", "Unsupported argument", "nope"),
        ("pbkdf2", "vault_of_nothing", 'Error fetching key_provider "vault_of_nothing"', "not found"),
        ("aes_gcm", "rot13", 'Error fetching encryption method "rot13"', "not found"),
        ('"correct-horse-battery-staple"', "terraform_data.a.id", "Dynamic value in static context", "static"),
    ],
)
def test_mistakes_are_reported(tmp_path: Path, old: str, new: str, summary: str, detail: str) -> None:
    found = [problem for problem in build(tmp_path, BLOCK.replace(old, new))[1] if problem.summary == summary]
    assert found
    assert detail in found[0].detail


def test_an_enforced_target_does_not_allow_plain_text(tmp_path: Path) -> None:
    text = BLOCK.replace(
        "state {\n      method = method.aes_gcm.m",
        "state {\n      enforced = true\n      method = method.unencrypted.u",
    )
    assert "Unencrypted method is forbidden" in [problem.summary for problem in build(tmp_path, text)[1]]


def test_the_json_syntax_names_methods_by_strings(tmp_path: Path) -> None:
    tree = {
        "key_provider": {"pbkdf2": {"k": {"passphrase": "correct-horse-battery-staple", "iterations": 200000}}},
        "method": {"aes_gcm": {"m": {"keys": "${key_provider.pbkdf2.k}"}}},
        "state": {"method": "method.aes_gcm.m"},
    }
    text = json.dumps({"terraform": {"encryption": tree}})
    encryption, problems = build(tmp_path, text, name="main.tf.json")
    assert problems == []
    assert "resources" in encryption.state_from_text(WRITTEN_BY_OPENTOFU.read_text())


@pytest.mark.parametrize(
    "text",
    [
        'method "aes_gcm" "m" {\n  keys = key_provider.pbkdf2.k\n}\nstate {\n  method = method.aes_gcm.m\n}\n',
        '{"method": {"aes_gcm": {"m": {"keys": "${key_provider.pbkdf2.k}"}}}, "state": {"method": "method.aes_gcm.m"}}',
    ],
)
def test_the_environment_adds_to_the_block(tmp_path: Path, text: str) -> None:
    """The block has only the key provider; method and target come from TF_ENCRYPTION, in either syntax."""
    key_provider = BLOCK[: BLOCK.index('    method "aes_gcm"')]
    (tmp_path / "main.tf").write_text(key_provider + "  }\n}\n")
    world = World.confined(tmp_path, 1, datetime(2026, 1, 2, tzinfo=UTC))
    world = replace(world, environment={"TF_ENCRYPTION": text})
    encryption, problems = encryption_in(world.files, OPENTOFU_1_12, StaticInputs(world))
    assert problems == []
    assert "resources" in encryption.state_from_text(WRITTEN_BY_OPENTOFU.read_text())


def test_terraform_encrypts_nothing(tmp_path: Path) -> None:
    assert build(tmp_path, flavour=TERRAFORM_1_11) == (Encryption(), [])


@settings(max_examples=50)
@given(st.binary(), st.binary(min_size=32, max_size=32), st.binary(min_size=12, max_size=12), st.binary())
def test_what_is_sealed_can_be_opened_and_nothing_else(
    plain: bytes, key: bytes, nonce: bytes, associated: bytes
) -> None:
    sealed = seal(plain, key, nonce, associated)
    assert open_sealed(sealed, key, associated) == plain
    with pytest.raises(DecryptionError):
        open_sealed(sealed[:-1] + bytes([sealed[-1] ^ 1]), key, associated)
