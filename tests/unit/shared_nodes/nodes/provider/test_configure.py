"""Configuring a provider."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import trio

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.provider import BUILTIN, AbsProviderConfig, ProviderInstance
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.nodes.provider.configure import ConfigureRequest, configure_provider
from shared_nodes.providers.builtin import BuiltinProvider
from shared_nodes.providers.contract import Problems
from shared_nodes.providers.schema import ProviderSchema, SchemaAttribute, SchemaBlock
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.paths import AttributeStep
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, object_of, string
from tests.unit.shared_nodes.nodes.block_runner import BlockRunner

_ADDRESS = ProviderInstance(AbsProviderConfig(BUILTIN))
_REFUSAL = replace(error("Refused", "Not this one."), attribute=(AttributeStep("region"),))


class _Picky(BuiltinProvider):
    """A provider with an argument of its own, which it validates."""

    configured: Value | None = None
    refuses = False

    @property
    def schema(self) -> ProviderSchema:
        return ProviderSchema(SchemaBlock({"region": SchemaAttribute(type=STRING, optional=True)}))

    async def validate_provider_config(self, config: Value) -> Problems:  # noqa: ARG002 (the contract's signature)
        return [_REFUSAL] if self.refuses else []

    async def configure(self, config: Value) -> Problems:
        self.configured = config
        return []


def _configured(
    directory: Path, text: str, operation: Operation, *, refuses: bool = False
) -> tuple[_Picky, list[Diagnostic]]:
    context: NodeContext = BlockRunner(directory).context(f'variable "r" {{}}\n{text}', operation)
    context.variables[ROOT_INSTANCE, "r"] = string("here").mark(SENSITIVE)
    provider = _Picky(context.world)
    provider.refuses = refuses
    block = context.config.module.providers.get(("terraform", None))
    problems = trio.run(configure_provider, context, ConfigureRequest(_ADDRESS, provider, block))
    return provider, problems


_BLOCK = 'provider "terraform" {\n  region = var.r\n}'


def test_a_provider_gets_its_arguments_without_marks(tmp_path: Path) -> None:
    provider, problems = _configured(tmp_path, _BLOCK, Operation.PLAN)
    assert not problems
    assert provider.configured == object_of({"region": string("here")})


def test_validating_configures_nothing(tmp_path: Path) -> None:
    provider, problems = _configured(tmp_path, _BLOCK, Operation.VALIDATE, refuses=True)
    assert provider.configured is None
    assert [problem.summary for problem in problems] == ["Refused"]


def test_an_empty_block_is_not_validated(tmp_path: Path) -> None:
    assert not _configured(tmp_path, 'provider "terraform" {}', Operation.VALIDATE, refuses=True)[1]


def test_a_refusal_points_at_the_argument(tmp_path: Path) -> None:
    provider, [problem] = _configured(tmp_path, _BLOCK, Operation.PLAN, refuses=True)
    assert provider.configured is None
    assert problem.subject is not None
    assert problem.subject.text == "var.r"
    assert problem.address == 'provider["terraform.io/builtin/terraform"]'


def test_without_a_block_it_is_said_that_one_is_needed(tmp_path: Path) -> None:
    _, problems = _configured(tmp_path, "", Operation.PLAN, refuses=True)
    assert [problem.summary for problem in problems] == ["Refused", "Invalid provider configuration"]
    assert problems[1].detail.startswith('Provider "terraform.io/builtin/terraform" requires explicit configuration. ')
