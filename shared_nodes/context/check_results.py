"""Results of rules: pre- and postconditions, validations of variables, assertions of check blocks.

Each checkable object of the configuration (a resource, an output, a check block, a variable) has instances, and each
instance has rules by kind. Expanding a block reports its instances; evaluating a rule reports its status. A rule
without a report is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from enum import StrEnum

from shared_nodes.config.tree import ConfigTree
from shared_nodes.record import record
from shared_nodes.state.model import CheckedObject, CheckResult

__all__ = ["CheckKind", "CheckRule", "CheckStatus", "Checks", "declared_checks"]


class CheckKind(StrEnum):
    """The kind of a checkable object, as the state file spells it."""

    RESOURCE = "resource"
    OUTPUT = "output"
    CHECK = "check"
    VARIABLE = "var"


class CheckStatus(StrEnum):
    UNKNOWN = "unknown"
    PASS = "pass"
    FAIL = "fail"
    ERROR = "error"


_WORST_FIRST = (CheckStatus.ERROR, CheckStatus.FAIL, CheckStatus.UNKNOWN)


def _worst_status(statuses: Iterable[CheckStatus]) -> CheckStatus:
    found = set(statuses)
    return next((status for status in _WORST_FIRST if status in found), CheckStatus.PASS)


@record
class CheckRule:
    """One rule of one instance: `precondition`, `postcondition`, `assertion`, `data` or `validation`, and its index."""

    kind: str
    index: int


@record(frozen=False)
class _Object:
    rules: dict[CheckRule, CheckStatus] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    @property
    def status(self) -> CheckStatus:
        return _worst_status(self.rules.values())


@record(frozen=False)
class _Checkable:
    kind: CheckKind
    rule_counts: dict[str, int]
    objects: dict[str, _Object] | None = None


@record(frozen=False)
class Checks:
    """All checkable objects and the status of their rules. Keys are printed addresses: `config_address` without any
    instance keys, `address` with all of them."""

    _checkables: dict[str, _Checkable] = field(default_factory=dict)

    def declare(self, kind: CheckKind, config_address: str, rule_counts: dict[str, int]) -> None:
        """Add a checkable object with the number of its rules of each kind. An object without rules is not kept."""
        if any(rule_counts.values()):
            self._checkables.setdefault(config_address, _Checkable(kind, rule_counts))

    def status_of(self, config_address: str, address: str) -> CheckStatus:
        """Return the status of one instance so far."""
        checkable = self._checkables.get(config_address)
        if checkable is None or checkable.objects is None or address not in checkable.objects:
            return CheckStatus.UNKNOWN
        return checkable.objects[address].status

    def report_objects(self, config_address: str, addresses: Iterable[str]) -> None:
        checkable = self._checkables.get(config_address)
        if checkable is None:
            return
        checkable.objects = checkable.objects or {}
        for address in addresses:
            if address not in checkable.objects:
                rules = {
                    CheckRule(kind, index): CheckStatus.UNKNOWN
                    for kind, count in checkable.rule_counts.items()
                    for index in range(count)
                }
                checkable.objects[address] = _Object(rules)

    def report(
        self, config_address: str, address: str, rule: CheckRule, status: CheckStatus, failure: str | None = None
    ) -> None:
        checkable = self._checkables.get(config_address)
        if checkable is None:
            return
        self.report_objects(config_address, [address])
        assert checkable.objects is not None
        checked = checkable.objects[address]
        checked.rules[rule] = status
        if failure is not None:
            checked.failures.append(failure)

    def results(self) -> tuple[CheckResult, ...]:
        """Return all results, sorted by kind and address; objects and failures are sorted too."""
        return tuple(
            self._result(address, self._checkables[address])
            for address in sorted(self._checkables, key=lambda key: (self._checkables[key].kind, key))
        )

    @staticmethod
    def _result(address: str, checkable: _Checkable) -> CheckResult:
        if checkable.objects is None:
            return CheckResult(checkable.kind, address, CheckStatus.UNKNOWN, None)
        objects = tuple(
            CheckedObject(name, checked.status, tuple(sorted(checked.failures)))
            for name, checked in sorted(checkable.objects.items())
        )
        status = _worst_status(checked.status for checked in checkable.objects.values())
        return CheckResult(checkable.kind, address, status, objects)


def declared_checks(config: ConfigTree) -> Checks:
    """Return everything in a configuration that has rules, with no objects yet."""
    checks = Checks()
    for node in config.walk():
        module, prefix = node.module, node.path.prefix
        for resource, block in module.resources.items():
            lifecycle = block.lifecycle
            counts = {"precondition": len(lifecycle.preconditions), "postcondition": len(lifecycle.postconditions)}
            checks.declare(CheckKind.RESOURCE, prefix(str(resource)), counts)
        for name, output in module.outputs.items():
            checks.declare(CheckKind.OUTPUT, prefix(f"output.{name}"), {"precondition": len(output.preconditions)})
        for name, check in module.checks.items():
            counts = {"assertion": len(check.asserts), "data": int(check.data is not None)}
            checks.declare(CheckKind.CHECK, prefix(f"check.{name}"), counts)
        for name, variable in module.variables.items():
            checks.declare(CheckKind.VARIABLE, prefix(f"var.{name}"), {"validation": len(variable.validations)})
    return checks
