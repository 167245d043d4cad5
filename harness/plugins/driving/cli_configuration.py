"""The part of the command line configuration that says where provider plugins come from.

It is the file that `TF_CLI_CONFIG_FILE` names, or the one in the home directory. Only its `provider_installation` block
matters here. The file is written in an older dialect, in which the keys of a block may be quoted; apart from that its
syntax is that of configurations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Final

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.lang.json_static import static_value
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.source import Source
from shared_nodes.lang.tree import Block, Body
from shared_nodes.record import record
from shared_nodes.values.value import Value

__all__ = ["CliConfiguration", "Mirror", "read_cli_configuration"]

_OVERRIDES: Final = re.compile(r"\bdev_overrides\s*\{")
_FILES: Final = (".tofurc", ".terraformrc")


@record
class Mirror:
    """A directory with packages, for the sources that the patterns include and do not exclude."""

    path: Path
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def serves(self, source: ProviderSource) -> bool:
        wanted = not self.include or any(_matches(pattern, source) for pattern in self.include)
        return wanted and not any(_matches(pattern, source) for pattern in self.exclude)


@record
class CliConfiguration:
    overrides: Mapping[ProviderSource, Path] = field(default_factory=dict)
    """Directories with programs that replace a provider, whatever is installed."""

    mirrors: tuple[Mirror, ...] = ()
    """In order of precedence."""


def read_cli_configuration(
    environment: Mapping[str, str], home: Path | None, directory: Path, default_host: str
) -> CliConfiguration:
    """Read the configuration. Without a `provider_installation` block, the usual directories for plugins of one's own
    are the mirrors. A file that cannot be read counts as absent: the original has reported it before."""
    implied = CliConfiguration(mirrors=tuple(map(Mirror, _implied_mirrors(home, directory))))
    file = _find_file(environment, home)
    try:
        text = "" if file is None else file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return implied
    body, _ = parse_body(Source(str(file), _OVERRIDES.sub("dev_overrides = {", text)))
    installation = next((block for block in body.blocks if block.type == "provider_installation"), None)
    return implied if installation is None else _read_installation(installation.body, directory, default_host)


def _find_file(environment: Mapping[str, str], home: Path | None) -> Path | None:
    for variable in ("TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG"):
        if environment.get(variable):
            return Path(environment[variable])
    if home is None:
        return None
    return next((home / name for name in _FILES if (home / name).is_file()), None)


def _implied_mirrors(home: Path | None, directory: Path) -> Iterator[Path]:
    yield directory / "terraform.d" / "plugins"
    if home is not None:
        yield home / ".terraform.d" / "plugins"


def _read_installation(body: Body, directory: Path, default_host: str) -> CliConfiguration:
    overrides: dict[ProviderSource, Path] = {}
    attribute = body.attributes.get("dev_overrides")
    if attribute is not None:
        value, _ = static_value(attribute.expression)
        for name, path in (value.payload if isinstance(value.payload, dict) else {}).items():
            source = _source(name, default_host)
            if source is not None and isinstance(path.payload, str):
                overrides[source] = directory / path.payload
    mirrors = [_read_mirror(block, directory) for block in body.blocks if block.type == "filesystem_mirror"]
    return CliConfiguration(overrides, tuple(mirror for mirror in mirrors if mirror is not None))


def _read_mirror(block: Block, directory: Path) -> Mirror | None:
    values = {name: static_value(attribute.expression)[0] for name, attribute in block.body.attributes.items()}
    path = values["path"].payload if "path" in values else None
    if not isinstance(path, str):
        return None
    return Mirror(directory / path, _texts(values.get("include")), _texts(values.get("exclude")))


def _texts(value: Value | None) -> tuple[str, ...]:
    parts = () if value is None or not isinstance(value.payload, tuple) else value.payload
    return tuple(part.payload for part in parts if isinstance(part.payload, str))


def _source(name: str, default_host: str) -> ProviderSource | None:
    parts = name.split("/")
    if len(parts) == 2:
        parts = [default_host, *parts]
    return ProviderSource(*parts) if len(parts) == 3 else None


def _matches(pattern: str, source: ProviderSource) -> bool:
    """Whether a pattern such as `example.com/*/*` or `hashicorp/*` matches. Without a host it is one for any host."""
    wanted = pattern.split("/")
    own = [source.host, source.namespace, source.type][-len(wanted) :]
    return len(wanted) in (2, 3) and all(part in ("*", have) for part, have in zip(wanted, own, strict=True))
