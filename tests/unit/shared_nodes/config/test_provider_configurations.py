"""Which provider configuration serves which request."""

from __future__ import annotations

from pathlib import Path

from shared_nodes.addresses.module import ROOT_PATH, ModulePath
from shared_nodes.addresses.provider import BUILTIN, AbsProviderConfig
from shared_nodes.config.loading import load_configuration
from shared_nodes.config.provider_configurations import ProviderConfigurations, ProviderRequest
from shared_nodes.world import Files
from tests.unit.shared_nodes.config.recordings import write

INNER = ModulePath(("m",))
REQUIRED = 'terraform {\n  required_providers {\n    t = { source = "terraform.io/builtin/terraform" }\n  }\n}\n'
ALIASED = (
    "terraform {\n  required_providers {\n    t = {\n"
    '      source = "terraform.io/builtin/terraform"\n      configuration_aliases = [t.x]\n    }\n  }\n}\n'
)


def configurations(directory: Path, root: str, inner: str) -> ProviderConfigurations:
    write(directory, {"main.tf": root, "m/main.tf": inner})
    tree, problems = load_configuration(Files(directory))
    assert tree is not None, problems
    return ProviderConfigurations(tree)


def resolve(known: ProviderConfigurations, *, alias: str | None = None, is_recorded: bool = False) -> str | None:
    found = known.resolve(ProviderRequest(AbsProviderConfig(BUILTIN, INNER, alias), is_recorded=is_recorded))
    return None if found is None else str(found.config)


def test_a_module_inherits_the_default_configuration_of_its_caller(tmp_path: Path) -> None:
    known = configurations(tmp_path, 'module "m" {\n  source = "./m"\n}\n', REQUIRED)
    assert resolve(known) == str(AbsProviderConfig(BUILTIN, ROOT_PATH))


def test_what_the_state_records_is_not_replaced_by_what_is_inherited(tmp_path: Path) -> None:
    known = configurations(tmp_path, 'module "m" {\n  source = "./m"\n}\n', REQUIRED)
    assert resolve(known, is_recorded=True) is None


def test_a_configuration_with_an_alias_is_never_inherited(tmp_path: Path) -> None:
    known = configurations(tmp_path, 'module "m" {\n  source = "./m"\n}\n', REQUIRED)
    assert resolve(known, alias="x") is None


def test_a_configuration_that_is_passed_on_is_that_of_the_caller(tmp_path: Path) -> None:
    root = (
        REQUIRED + 'provider "t" {\n  alias = "y"\n}\nmodule "m" {\n  source = "./m"\n  providers = { t.x = t.y }\n}\n'
    )
    known = configurations(tmp_path, root, ALIASED)
    assert resolve(known, alias="x") == str(AbsProviderConfig(BUILTIN, ROOT_PATH, "y"))
