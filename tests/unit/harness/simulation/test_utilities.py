"""The models of local, null and random: plans, values and refusals are those of the originals, in both engines."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import stat
from pathlib import Path
from typing import Any

import bcrypt
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from harness.cli.engine.group import engine as engine_command
from harness.simulation.utilities.keepers import KEEPERS
from shared_nodes.values.types import STRING
from shared_nodes.values.value import map_of, null, string


@pytest.fixture(params=["legacy", "new"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Directory:
    """A directory in which an engine is used."""

    def __init__(self, path: Path, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path, self.engine = path, engine
        monkeypatch.chdir(path)

    def configure(self, text: str, **versions: str) -> None:
        required = "".join(
            f'{name} = {{ source = "hashicorp/{name}", version = "{version}" }}\n' for name, version in versions.items()
        )
        head = f"terraform {{\n required_providers {{\n{required}}}\n}}\n" if versions else ""
        (self.path / "main.tf").write_text(head + text)

    def run(self, *words: str, fails: bool = False) -> str:
        result = CliRunner().invoke(engine_command, [self.engine, words[0], ".", *words[1:]])
        assert (result.exit_code != 0) is fails, result.output
        return result.output

    def change(self, address: str, *words: str) -> Any:
        self.run("plan", "--plan-json", "plan.json", *words)
        changes = json.loads((self.path / "plan.json").read_text())["resource_changes"]
        return next(one["change"] for one in changes if one["address"] == address)

    def apply(self, text: str, **versions: str) -> Any:
        """Return the attributes of the only object afterwards."""
        self.configure(text, **versions)
        self.run("apply")
        state = json.loads((self.path / "terraform.tfstate").read_text())
        return state["resources"][0]["instances"][0]["attributes"]

    def problems(self, text: str) -> list[str]:
        self.configure(text)
        found = json.loads(self.run("validate", "--json", fails=True))["diagnostics"]
        return [f"{one['summary']}: {one['detail']}" for one in found if one["severity"] == "error"]


@pytest.fixture
def directory(tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch) -> Directory:
    return Directory(tmp_path, engine, monkeypatch)


# local


def test_a_file_is_made_found_and_removed(directory: Directory) -> None:
    made = directory.apply('resource "local_file" "f" {\n filename = "a/b.txt"\n content = "hello"\n}')
    file = directory.path / "a" / "b.txt"
    assert file.read_text() == "hello"
    assert made["id"] == hashlib.sha1(b"hello").hexdigest() == made["content_sha1"]
    assert made["content_base64sha256"] == base64.b64encode(hashlib.sha256(b"hello").digest()).decode()
    assert (made["file_permission"], made["directory_permission"]) == ("0777", "0777")
    assert "No changes." in directory.run("plan")
    file.write_text("changed")
    assert directory.change("local_file.f")["actions"] == ["create"]
    file.write_text("hello")
    change = directory.change("local_file.f", "--destroy")
    assert change["actions"] == ["delete"]
    directory.run("destroy")
    assert not file.exists()


def test_every_change_of_a_file_is_a_replacement(directory: Directory) -> None:
    directory.apply('resource "local_file" "f" {\n filename = "f"\n content = "a"\n}')
    directory.configure('resource "local_file" "f" {\n filename = "f"\n content = "b"\n}')
    change = directory.change("local_file.f")
    assert (change["actions"], change["replace_paths"]) == (["delete", "create"], [["content"]])
    assert {name for name, unknown in change["after_unknown"].items() if unknown} == {
        *("id", "content_md5", "content_sha1", "content_sha256", "content_base64sha256"),
        *("content_sha512", "content_base64sha512"),
    }
    directory.run("apply")
    assert (directory.path / "f").read_text() == "b"


def test_a_release_without_checksums_has_none(directory: Directory) -> None:
    made = directory.apply('resource "local_file" "f" {\n filename = "f"\n content = "a"\n}', local="2.2.3")
    assert made.keys() == {
        *("content", "content_base64", "directory_permission", "file_permission", "filename", "id"),
        *("sensitive_content", "source"),
    }


def test_a_sensitive_file_is_for_its_owner_only_and_hides_its_content(directory: Directory) -> None:
    made = directory.apply('resource "local_sensitive_file" "f" {\n filename = "f"\n content_base64 = "aGk="\n}')
    assert ((directory.path / "f").read_text(), made["file_permission"]) == ("hi", "0700")
    assert stat.S_IMODE((directory.path / "f").stat().st_mode) & 0o077 == 0
    state = json.loads((directory.path / "terraform.tfstate").read_text())
    paths = state["resources"][0]["instances"][0]["sensitive_attributes"]
    assert sorted(path[0]["value"] for path in paths) == ["content", "content_base64"]


def test_a_file_is_read_as_data(directory: Directory) -> None:
    (directory.path / "in").write_bytes(b"x\n")
    directory.configure('data "local_file" "d" {\n filename = "in"\n}\noutput "o" {\n value = data.local_file.d\n}')
    directory.run("apply")
    found = json.loads((directory.path / "terraform.tfstate").read_text())["outputs"]["o"]["value"]
    assert (found["content"], found["content_base64"]) == ("x\n", "eAo=")
    (directory.path / "in").unlink()
    assert "open in: no such file or directory" in directory.run("plan", fails=True)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("", "No attribute specified when one (and only one) of [sensitive_content,content_base64,source] is required"),
        (
            'content = "a"\n source = "b"',
            "2 attributes specified when one (and only one) of [content,sensitive_content,content_base64] is required",
        ),
        (
            'content = "a"\n file_permission = "9"',
            "bad mode permission: string length should be 3 or 4 digits: 9",
        ),
        (
            'content = "a"\n file_permission = "888"',
            "bad mode permission: string must be expressed in octal numeric notation: 888",
        ),
        ('content = "a"\n id = "x"', "Cannot set value for this attribute as the provider has marked it as read-only."),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(directory: Directory, arguments: str, problem: str) -> None:
    found = directory.problems(f'resource "local_file" "f" {{\n filename = "f"\n {arguments}\n}}')
    assert any(problem in text for text in found), found


# null


def test_a_null_resource_is_replaced_by_its_triggers(directory: Directory) -> None:
    made = directory.apply('resource "null_resource" "n" {\n triggers = { a = "1" }\n}')
    assert re.fullmatch(r"\d{1,19}", made["id"])
    directory.configure('resource "null_resource" "n" {\n triggers = { a = "2" }\n}')
    change = directory.change("null_resource.n")
    assert (change["actions"], change["replace_paths"]) == (["delete", "create"], [["triggers"]])
    directory.configure('resource "null_resource" "n" {\n triggers = { a = "1", b = null }\n}')
    change = directory.change("null_resource.n")
    assert (change["actions"], change["after"]["id"]) == (["update"], made["id"])


def test_a_null_data_source_repeats_its_inputs(directory: Directory) -> None:
    directory.configure(
        'data "null_data_source" "d" {\n inputs = { a = "1" }\n}\noutput "o" {\n value = data.null_data_source.d\n}'
    )
    warned = directory.run("apply")
    found = json.loads((directory.path / "terraform.tfstate").read_text())["outputs"]["o"]["value"]
    assert (found["outputs"], found["has_computed_default"], found["id"]) == ({"a": "1"}, "default", "static")
    assert "Warning: Deprecated" in warned


# random


def test_a_result_is_kept_until_a_keeper_changes(directory: Directory) -> None:
    text = 'resource "random_pet" "p" {\n keepers = { a = "1" }\n prefix = "pre"\n length = 3\n}'
    made = directory.apply(text)
    assert re.fullmatch(r"pre-[a-z]+-[a-z]+-[a-z]+", made["id"])
    assert "No changes." in directory.run("plan")
    directory.configure(text.replace('"1"', '"2"'))
    change = directory.change("random_pet.p")
    assert (change["actions"], change["replace_paths"]) == (["delete", "create"], [["keepers"]])
    assert change["after_unknown"]["id"] is True


def test_an_id_has_every_form(directory: Directory) -> None:
    made = directory.apply('resource "random_id" "i" {\n byte_length = 5\n prefix = "x"\n}')
    drawn = base64.urlsafe_b64decode(made["id"] + "=" * (-len(made["id"]) % 4))
    assert len(drawn) == 5
    assert made["hex"] == f"x{drawn.hex()}"
    assert made["dec"] == f"x{int.from_bytes(drawn)}"
    assert made["b64_std"] == f"x{base64.b64encode(drawn).decode()}"
    assert made["b64_url"] == f"x{made['id']}"


def test_integers_are_in_range_and_a_seed_repeats_them(directory: Directory) -> None:
    text = 'resource "random_integer" "i" {\n min = 10\n max = 12\n seed = "s"\n}'
    first = directory.apply(text)
    assert 10 <= first["result"] <= 12
    assert first["id"] == str(first["result"])
    directory.run("destroy")
    assert directory.apply(text)["result"] == first["result"]
    directory.run("destroy")
    directory.configure('resource "random_integer" "i" {\n min = 2\n max = 1\n}')
    assert "smaller than or equal to maximum" in directory.run("apply", fails=True)


def test_passwords_fulfil_their_minima_and_come_with_a_hash(directory: Directory) -> None:
    made = directory.apply(
        'resource "random_password" "p" {\n length = 9\n min_numeric = 4\n min_special = 3\n override_special = "_"\n}'
    )
    text = made["result"]
    assert (len(text), made["id"], made["number"], made["numeric"]) == (9, "none", True, True)
    assert sum(character.isdigit() for character in text) >= 4
    assert text.count("_") >= 3
    assert bcrypt.checkpw(text.encode(), made["bcrypt_hash"].encode())
    state = json.loads((directory.path / "terraform.tfstate").read_text())["resources"][0]["instances"][0]
    assert (state["schema_version"], len(state["sensitive_attributes"])) == (3, 2)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("length = 0", "Attribute length value must be at least 1, got: 0"),
        (
            "length = 2\n min_upper = 3",
            "Attribute length value must be at least sum of min_upper + min_lower + min_numeric + min_special, got: 2",
        ),
        (
            "length = 2\n special = false\n upper = false\n lower = false\n numeric = false",
            "At least one attribute out of [special,upper,lower,numeric] must be specified as true",
        ),
        ("length = 1.5", "Value 1.5 is not an integer."),
    ],
)
def test_strings_that_cannot_be_are_refused(directory: Directory, arguments: str, problem: str) -> None:
    assert any(problem in text for text in directory.problems(f'resource "random_string" "s" {{\n {arguments}\n}}'))


def test_number_and_numeric_must_agree(directory: Directory) -> None:
    directory.configure('resource "random_string" "s" {\n length = 4\n number = false\n numeric = true\n}')
    assert "Number and numeric are both configured with different values" in directory.run("plan", fails=True)
    made = directory.apply('resource "random_string" "s" {\n length = 40\n number = false\n}')
    assert (made["numeric"], any(character.isdigit() for character in made["result"])) == (False, False)


def test_shuffles_repeat_elements_only_when_all_were_drawn(directory: Directory) -> None:
    made = directory.apply('resource "random_shuffle" "s" {\n input = ["a", "b", "c"]\n result_count = 7\n}')
    assert sorted(made["result"][:3]) == sorted(made["result"][3:6]) == ["a", "b", "c"]
    assert (len(made["result"]), made["id"]) == (7, "-")


def test_bytes_exist_since_their_release(directory: Directory) -> None:
    made = directory.apply('resource "random_bytes" "b" {\n length = 3\n}', random="~> 3.6.0")
    assert base64.b64decode(made["base64"]).hex() == made["hex"]
    directory.configure('resource "random_bytes" "b" {\n length = 3\n}', random="3.5.1")
    assert "random_bytes" in directory.run("validate", fails=True)


@pytest.mark.parametrize(
    ("block", "identifier", "expected"),
    [
        ('"random_id" "x" {\n byte_length = 3\n prefix = "p"\n}', "p,AAEC", {"hex": "p000102", "id": "AAEC"}),
        ('"random_integer" "x" {\n min = 1\n max = 9\n}', "5,1,9", {"result": 5, "seed": None}),
        ('"random_string" "x" {\n length = 3\n}', "abc", {"result": "abc", "special": True}),
        ('"random_password" "x" {\n length = 3\n}', "abc", {"result": "abc", "id": "none"}),
        (
            '"random_uuid" "x" {\n}',
            "AABBCCDD-0011-2233-4455-66778899AABB",
            {"result": "aabbccdd-0011-2233-4455-66778899aabb"},
        ),
        ('"random_bytes" "x" {\n length = 3\n}', "AAEC", {"hex": "000102"}),
    ],
)
def test_results_can_be_imported(directory: Directory, block: str, identifier: str, expected: dict[str, Any]) -> None:
    kind = block.split('"')[1]
    made = directory.apply(f'resource {block}\nimport {{\n to = {kind}.x\n id = "{identifier}"\n}}')
    assert {name: made[name] for name in expected} == expected


def test_what_has_no_import_says_so(directory: Directory) -> None:
    directory.configure('resource "null_resource" "n" {\n}\nimport {\n to = null_resource.n\n id = "1"\n}')
    assert "Resource Import Not Implemented" in directory.run("plan", fails=True)


TEXTS = st.dictionaries(st.sampled_from("abc"), st.none() | st.sampled_from("xy"))


@given(prior=st.none() | TEXTS, config=st.none() | TEXTS)
def test_new_null_values_never_replace(
    prior: dict[str, str | None] | None, config: dict[str, str | None] | None
) -> None:
    """Keepers behave as if a null value that was not there before did not exist."""

    def value(texts: dict[str, str | None] | None) -> Any:
        if texts is None:
            return null(KEEPERS.schema.type or STRING)
        return map_of(STRING, {key: null(STRING) if text is None else string(text) for key, text in texts.items()})

    known = prior or {}
    wanted = {key: text for key, text in (config or {}).items() if text is not None or key in known}
    assert KEEPERS.replaces is not None
    assert KEEPERS.replaces(value(config), value(config), value(prior)) is (wanted != known)


def test_errors_have_a_place_and_numbers_the_precision_of_a_plugin(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refresh-only plan of an object with numbers can be applied, because they are not those of the state."""
    directory = Directory(tmp_path, engine, monkeypatch)
    directory.configure('resource "random_integer" "a" {\n  min = 2\n  max = 1\n}\n', random="3.9.0")
    assert 'in resource "random_integer" "a"' in directory.run("apply", fails=True)
    directory.apply('resource "random_pet" "a" {}\n', random="3.9.0")
    directory.run("plan", "--plan-json", "plan.json", "-refresh-only")
    assert json.loads((tmp_path / "plan.json").read_text())["applyable"] is True
