"""`[tool.diffharness]`: where it is found, what it may contain, and the messages about mistakes in it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from harness.configuration import Configuration, ConfigurationError, read_configuration
from harness.engine_settings import EngineSettings

ROOT: Final = Path(__file__).parent.parent.parent.parent


def written(directory: Path, text: str) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "pyproject.toml").write_text(text)
    return directory


def test_the_nearest_project_that_says_something_counts(tmp_path: Path) -> None:
    written(tmp_path, "[tool.diffharness]\njobs = 3\n")
    written(tmp_path / "a", "[project]\nname = 'no settings of ours'\n")
    written(tmp_path / "a" / "b", "[tool.diffharness]\njobs = 4\n")
    (tmp_path / "a" / "c").mkdir()
    assert read_configuration(tmp_path / "a" / "b").jobs == 4
    assert read_configuration(tmp_path / "a" / "c").jobs == 3
    assert read_configuration(tmp_path / "a" / "c").file == tmp_path / "pyproject.toml"


def test_without_a_project_nothing_is_trusted_and_nothing_set(tmp_path: Path) -> None:
    assert read_configuration(tmp_path) == Configuration()


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    lines = (
        'trusted = ["cases", "/elsewhere"]',
        'known = "known.yaml"',
        'engines = ["legacy", "new"]',
        'changes = ["C01"]',
        "jobs = 2",
        "chunk-size = 10",
        "retries = 0",
        "timeout = 1.5",
        "memory = 2048",
        "seed = -1",
        'flavour = "opentofu"',
        'out = "runs"',
    )
    found = read_configuration(written(tmp_path, "\n".join(("[tool.diffharness]", *lines))))
    assert found == Configuration(
        tmp_path / "pyproject.toml",
        (tmp_path / "cases", Path("/elsewhere")),
        tmp_path / "known.yaml",
        ("legacy", "new"),
        ("C01",),
        2,
        10,
        0,
        1.5,
        2048,
        -1,
        "opentofu-1.12",
        tmp_path / "runs",
    )


def test_settings_of_single_engines_stand_beside_the_list(tmp_path: Path) -> None:
    text = """
    [tool.diffharness.engines]
    default = ["tofu", "new"]
    [tool.diffharness.engines."tofu:/opt/tofu"]
    environment = {A = "b"}
    log = "debug"
    timeout = 5
    [tool.diffharness.engines.new]
    """
    found = read_configuration(written(tmp_path, text))
    assert found.engines == ("tofu", "new")
    assert found.engine_settings == {
        "tofu:/opt/tofu": EngineSettings({"A": "b"}, "debug", 5.0),
        "new": EngineSettings(),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.diffharness.engines]\nnew = 1", r"engines.new: must be a table; the list of engines is engines itself"),
        (
            "[tool.diffharness.engines.new]\nlgo = 'x'",
            "engines.new.lgo: unknown key; there are environment, log",
        ),
        ("[tool.diffharness.engines.new]\nlog = 'loud'", "engines.new.log: must be one of trace, debug"),
        ("[tool.diffharness.engines.new]\nenvironment = {A = 1}", "engines.new.environment: must be a table of texts"),
        ("[tool.diffharness.engines.new]\ntimeout = 0", "engines.new.timeout: must be a number of seconds"),
        ("[tool.diffharness]\ntrsuted = []", "tool.diffharness.trsuted: unknown key; there are changes, chunk-size"),
        ("[tool.diffharness]\ntrusted = 'corpus'", "tool.diffharness.trusted: must be a list of texts"),
        ("[tool.diffharness]\ntrusted = ['']", "tool.diffharness.trusted: must be a list of texts"),
        ("[tool.diffharness]\nengines = []", "tool.diffharness.engines: must be a list of at least one text"),
        ("[tool.diffharness]\njobs = 0", "tool.diffharness.jobs: must be a whole number from 1"),
        ("[tool.diffharness]\njobs = true", "tool.diffharness.jobs: must be a whole number from 1"),
        ("[tool.diffharness]\ntimeout = 0", "tool.diffharness.timeout: must be a number of seconds"),
        ("[tool.diffharness]\ntimeout = inf", "tool.diffharness.timeout: must be a number of seconds"),
        ("[tool.diffharness]\nflavour = 'x'", "tool.diffharness.flavour: must be one of terraform, opentofu"),
        ("[tool.diffharness]\nknown = 1", "tool.diffharness.known: must be a path"),
        ("[tool]\ndiffharness = 1", "tool.diffharness: must be a table"),
        ("[tool.diffharness", "not TOML"),
    ],
)
def test_a_mistake_is_told_with_file_and_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(written(tmp_path, text))
    assert str(caught.value).startswith(f"{tmp_path / 'pyproject.toml'}: ")
    assert message in str(caught.value)


def test_this_project_trusts_its_own_corpus() -> None:
    found = read_configuration(ROOT / "tests")
    assert ROOT / "corpus" in found.trusted
    assert found.known == ROOT / "corpus" / "known.yaml"
