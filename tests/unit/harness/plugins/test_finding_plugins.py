"""Where plugins are found, and what is refused."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

pytest.importorskip("h2")
pytest.importorskip("msgpack")
pytest.importorskip("google.protobuf")

from harness.plugins.driving import locate
from harness.plugins.driving.cli_configuration import CliConfiguration, Mirror, read_cli_configuration
from harness.plugins.driving.handshake import PluginStartError, parse_handshake, plugin_environment
from harness.plugins.driving.locate import InstalledPlugin, LocatedPlugin, RunningElsewhere, locate_plugin
from harness.plugins.driving.lock_file import LockedProvider, read_lock_file
from harness.plugins.driving.package_hashes import has_any_hash, package_hash
from harness.plugins.driving.schema_cache import CachedSchema, SchemaCache
from harness.plugins.wire.address import Address
from harness.plugins.wire.methods import Major
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.world import Files, World

SOURCE = ProviderSource("registry.terraform.io", "hashicorp", "time")
PLATFORM = locate._PLATFORM


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    return tmp_path / "home"


def find(home: Path, environment: Mapping[str, str] | None = None, *constraints: str) -> LocatedPlugin | None:
    world = World(Files(home.parent / "work", home=home), environment or {})
    return locate_plugin(SOURCE, constraints, world, TERRAFORM_1_11)


def package(root: Path, version: str) -> Path:
    place = root / str(SOURCE) / version / PLATFORM
    place.mkdir(parents=True)
    (place / f"terraform-provider-time_v{version}").write_text(f"program {version}")
    return place


def lock(home: Path, version: str, *hashes: str) -> None:
    listed = "".join(f'    "{one}",\n' for one in hashes)
    text = f'provider "{SOURCE}" {{\n  version = "{version}"\n  hashes = [\n{listed}  ]\n}}\n'
    (home.parent / "work" / ".terraform.lock.hcl").write_text(text)


def problem(found: LocatedPlugin | None) -> str:
    assert isinstance(found, Diagnostic)
    return f"{found.summary}: {found.detail}"


def test_without_anything_there_is_nothing(home: Path) -> None:
    assert find(home) is None


def test_a_plugin_that_runs_already_is_first(home: Path) -> None:
    package(home / ".terraform.d" / "plugins", "1.0.0")
    entry = {"Protocol": "grpc", "ProtocolVersion": 5, "Addr": {"Network": "unix", "String": "/tmp/s"}}
    text = json.dumps({str(SOURCE): entry})
    assert find(home, {"TF_REATTACH_PROVIDERS": text}) == RunningElsewhere(Address("unix", "/tmp/s"), Major.FIVE)


@pytest.mark.parametrize("text", ["nonsense", "[]", '{"registry.terraform.io/hashicorp/time": 7}', "{}"])
def test_a_variable_without_meaning_is_ignored(home: Path, text: str) -> None:
    assert find(home, {"TF_REATTACH_PROVIDERS": text}) is None


def test_the_newest_package_of_a_mirror_that_is_allowed(home: Path) -> None:
    mirror = home / ".terraform.d" / "plugins"
    old, new = package(mirror, "0.9.0"), package(mirror, "0.13.1")
    package(mirror, "1.0.0-beta")
    assert find(home, {}, "< 1.0.0-a") == InstalledPlugin(new)
    assert find(home, {}, "~> 0.9.0") == InstalledPlugin(old)
    assert find(home, {}, "> 2.0") is None


def test_overrides_precede_packages_and_are_remarked_on(home: Path) -> None:
    package(home / ".terraform.d" / "plugins", "1.0.0")
    rc = home / "rc"
    rc.write_text(
        'provider_installation {\n  dev_overrides {\n    "hashicorp/time" = "/somewhere"\n  }\n  direct {}\n}\n'
    )
    found = find(home, {"TF_CLI_CONFIG_FILE": str(rc)})
    assert isinstance(found, InstalledPlugin)
    assert found.package == Path("/somewhere")
    assert "registry.terraform.io/hashicorp/time in /somewhere" in found.remarks[0].detail


def test_the_locked_package_must_have_a_recorded_checksum(home: Path) -> None:
    place = package(home.parent / "work" / ".terraform" / "providers", "0.13.1")
    lock(home, "0.13.1", package_hash(place))
    assert find(home) == InstalledPlugin(place)
    lock(home, "0.13.1", "h1:other", "zh:" + "0" * 64)
    assert "does not match any of the checksums recorded in the dependency lock file" in problem(find(home))
    lock(home, "0.13.2", package_hash(place))
    assert "there is no package for registry.terraform.io/hashicorp/time 0.13.2" in problem(find(home))
    lock(home, "0.13.1", package_hash(place))
    assert 'doesn\'t match the updated version constraints "~> 0.12.0"' in problem(find(home, {}, "~> 0.12.0"))


def test_the_data_directory_can_be_elsewhere(home: Path) -> None:
    place = package(home / "data" / "providers", "0.13.1")
    lock(home, "0.13.1", package_hash(place))
    assert find(home, {"TF_DATA_DIR": str(home / "data")}) == InstalledPlugin(place)


def test_an_archive_is_known_by_either_checksum(home: Path, tmp_path: Path) -> None:
    place = package(tmp_path / "unpacked", "1.2.3")
    archive = home / ".terraform.d" / "plugins" / str(SOURCE) / f"terraform-provider-time_1.2.3_{PLATFORM}.zip"
    archive.parent.mkdir(parents=True)
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(place / "terraform-provider-time_v1.2.3", "terraform-provider-time_v1.2.3")
    assert package_hash(archive) == package_hash(place)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    assert has_any_hash(archive, {f"zh:{digest}"})
    assert not has_any_hash(place, {f"zh:{digest}"})
    lock(home, "1.2.3", f"zh:{digest}")
    assert find(home) == InstalledPlugin(archive)


def test_a_checksum_is_that_of_the_original(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_text("two\n")
    (tmp_path / "terraform-provider-fake_v1.0.0").write_text("one\n")
    # As terraform init records it for a package with these files.
    assert package_hash(tmp_path) == "h1:RfzqLme+RAhYVXnGdIzmOIgRdD7AM/CXGGMBjgWrX/Q="


def test_mirrors_serve_what_they_include(tmp_path: Path) -> None:
    rc = tmp_path / "rc"
    rc.write_text(
        'provider_installation {\n  filesystem_mirror {\n    path = "/m"\n'
        '    include = ["example.com/*/*", "hashicorp/*"]\n'
        '    exclude = ["hashicorp/aws"]\n  }\n  filesystem_mirror {\n    path = "rest"\n  }\n}\n'
    )
    read = read_cli_configuration({"TF_CLI_CONFIG_FILE": str(rc)}, None, tmp_path, "registry.terraform.io")
    first, second = read.mirrors
    assert (first.path, second) == (Path("/m"), Mirror(tmp_path / "rest"))
    assert first.serves(SOURCE)
    assert first.serves(ProviderSource("example.com", "a", "b"))
    assert not first.serves(ProviderSource("registry.terraform.io", "hashicorp", "aws"))
    assert not first.serves(ProviderSource("registry.terraform.io", "other", "time"))


@pytest.mark.parametrize("text", ["", "}{", "provider_installation", "provider_installation { filesystem_mirror {} }"])
def test_a_strange_configuration_is_no_obstacle(tmp_path: Path, text: str) -> None:
    (tmp_path / ".terraformrc").write_text(text)
    assert isinstance(read_cli_configuration({}, tmp_path, tmp_path, "h"), CliConfiguration)


def test_lock_files_are_read() -> None:
    text = '# note\nprovider "a/b/c" {\n  version = "1.0"\n  hashes = ["h1:x", 7]\n}\nprovider "d/e/f" {}\nother {}\n'
    assert read_lock_file(text) == {"a/b/c": LockedProvider("1.0", frozenset({"h1:x"}))}
    assert read_lock_file("{{{") == {}


# The handshake


def test_a_handshake_names_address_and_protocol() -> None:
    read = parse_handshake("1|6|unix|/tmp/x|grpc|\n", Path("/p"))
    assert (read.address, read.major) == (Address("unix", "/tmp/x"), Major.SIX)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("garbage", "Unrecognized remote plugin message: garbage\nThis usually means"),
        ("1|7|unix|/x|grpc|", "Incompatible API version with plugin. Plugin version: 7, Client versions: [5 6]"),
        ("2|6|unix|/x|grpc|", "Incompatible core API version"),
        ("1|six|unix|/x|grpc|", "Error parsing protocol version"),
        ("1|6|pipe|/x|grpc|", "Unknown address type"),
        ("1|6|unix|/x", 'Unsupported plugin protocol "netrpc"'),
        ("||||", "Incompatible core API version"),
    ],
)
def test_any_other_line_is_refused(line: str, message: str) -> None:
    with pytest.raises(PluginStartError) as caught:
        parse_handshake(line, Path("/nowhere"))
    assert str(caught.value).startswith(message)


def test_a_plugin_sees_the_environment_without_what_is_for_the_engine() -> None:
    given = {
        "HOME": "/h",
        "AWS_REGION": "x",
        "TF_LOG": "trace",
        "PLUGIN_CLIENT_CERT": "c",
        "TF_REATTACH_PROVIDERS": "{}",
    }
    made = plugin_environment(given, Path("/s"))
    assert {"HOME", "AWS_REGION", "TF_PLUGIN_MAGIC_COOKIE"} <= made.keys()
    assert not {"TF_LOG", "PLUGIN_CLIENT_CERT", "TF_REATTACH_PROVIDERS"} & made.keys()
    assert made["PLUGIN_UNIX_SOCKET_DIR"] == "/s"


# The cache of schemas


def test_a_schema_is_found_by_the_content_of_the_program(tmp_path: Path) -> None:
    program, copy = tmp_path / "a", tmp_path / "b"
    program.write_bytes(b"program")
    copy.write_bytes(b"program")
    cache, schema = SchemaCache(tmp_path / "cache"), CachedSchema(Major.FIVE, b"answer")
    assert cache.find(program) is None
    cache.store(program, schema)
    assert cache.find(copy) == schema
    copy.write_bytes(b"changed program")
    assert cache.find(copy) is None


def test_a_spoilt_or_missing_cache_is_no_obstacle(tmp_path: Path) -> None:
    program = tmp_path / "a"
    program.write_bytes(b"program")
    cache = SchemaCache(tmp_path / "cache")
    cache.store(program, CachedSchema(Major.SIX, b"answer"))
    (stored,) = (path for path in (tmp_path / "cache").rglob("*") if path.is_file())
    for content in (b"", b"short", stored.read_bytes()[:-1], stored.read_bytes() + b"more"):
        stored.write_bytes(content)
        assert cache.find(program) is None
    assert SchemaCache(None).find(program) is None
    SchemaCache(Path(os.devnull) / "x").store(program, CachedSchema(Major.SIX, b""))
