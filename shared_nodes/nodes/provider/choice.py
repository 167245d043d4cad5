"""Which instance of its provider configuration manages an object.

A resource or a module call refers to a configuration with several instances by a key, which is evaluated for each of
its own instances. An object that its block does not declare any more keeps the instance that the state has recorded.
"""

from __future__ import annotations

from typing import Final

from shared_nodes.addresses.key import InstanceKey, key_text
from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.config.provider_configurations import ProviderChoice
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.scope import ModuleScope
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.tree import Expression
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import STRING

__all__ = ["ProviderUser", "choose_instance"]

_Outcome = tuple[ProviderInstance | None, list[Diagnostic]]


@record
class ProviderUser:
    """An object that needs a provider. `repetition` is that of its block, if the block declares the instance. If
    `is_removed` is set, no key is evaluated for it, and the recorded instance is used."""

    address: AbsResourceInstance
    choice: ProviderChoice
    recorded: ProviderInstance | None = None
    repetition: Repetition | None = None
    deposed: str | None = None
    is_removed: bool = False


def choose_instance(context: NodeContext, user: ProviderUser) -> _Outcome:
    """Return the provider instance of an object, or None and the reason why there is none."""
    choice = user.choice
    if choice.is_recorded:
        return _check_present(user, None if user.recorded is None else user.recorded.key)
    if choice.key is None:
        return _check_present(user, None)
    scope = _scope_of_key(context, user)
    if scope is None:
        return _choose_recorded(user)
    key, problems = _evaluate_key(scope, choice.key, user.address)
    return (None, problems) if key is None else _check_present(user, key)


def _scope_of_key(context: NodeContext, user: ProviderUser) -> ModuleScope | None:
    """Return what the key is evaluated in: the instance of the resource, or of the call that has the key. None if the
    configuration does not declare that instance."""
    called = user.choice.called
    if called is None:
        data = None if user.repetition is None else user.repetition.data(user.address.key)
        return None if data is None else context.scope(user.address.module).with_repetition(data)
    instance = ModuleInstance(user.address.module.steps[: len(called.names)])
    if user.is_removed or not context.expander.has_module(instance):
        return None
    return context.scope(instance.parent).with_repetition(context.expander.module_data(instance))


def _choose_recorded(user: ProviderUser) -> _Outcome:
    config, recorded = user.choice.config, user.recorded
    if recorded is None or recorded.config != config:
        was = "" if recorded is None else str(recorded.config)
        detail = f"Provider from configuration {config} does not match provider from state {was} for resource "
        return None, [error("Unable to use fallback provider from state", f"{detail}{user.address}")]
    return _check_present(user, recorded.key)


def _evaluate_key(
    scope: ModuleScope, expression: Expression, address: AbsResourceInstance
) -> tuple[str | None, list[Diagnostic]]:
    value, problems = scope.evaluate(expression)
    if has_errors(problems):
        return None, problems
    detail = ""
    if SENSITIVE in value.marks:
        detail = "A provider instance key must not be derived from a sensitive value."
    elif EPHEMERAL in value.marks:
        detail = "A provider instance key must not be derived from an ephemeral value."
    elif value.is_null:
        detail = "A provider instance key must not be null."
    elif not value.is_known:
        detail = (
            f"The provider instance key for {address} depends on values that cannot be determined until apply, and so "
            f"{scope.flavour.product} cannot select a provider instance to create a plan for this resource instance."
        )
    else:
        try:
            return str(convert(value.without_marks(), STRING).payload), []
        except ConversionError as failure:
            detail = f"The given instance key is unsuitable: {failure.explain(scope.flavour)}."
    return None, [error("Invalid provider instance key", detail, expression.range)]


def _check_present(user: ProviderUser, key: InstanceKey) -> _Outcome:
    instances = user.choice.configuration.instances
    chosen = ProviderInstance(user.choice.config, key)
    is_present = key is None if instances is None else key in instances
    return (chosen, []) if is_present else (None, [_missing_instance(user, chosen)])


_REASONS: Final = {
    (True, False): (
        "This occurs when an element is removed from the provider configuration's for_each collection while objects "
        "created by that the associated provider instance still exist in the state. Re-add the for_each element to "
        "destroy {address}, after which you can remove the provider configuration again.\n\nThis is commonly caused by "
        "using the same for_each collection both for a resource (or its containing module) and its associated provider "
        "configuration. To successfully remove an instance of a resource it must be possible to remove the "
        "corresponding element from the resource's for_each collection while retaining the corresponding element in "
        "the provider's for_each collection."
    ),
    (True, True): (
        "This occurs when an element is removed from the provider configuration's for_each collection while objects "
        "created by that the associated provider instance still exist in the state. Re-add the for_each element to "
        "destroy this deposed object for {address}, after which you can remove the provider configuration again."
    ),
    (False, False): (
        "This suggests that you've added for_each to this provider configuration while there are existing instances of "
        "{resource} that need to be destroyed by the original single-instance provider configuration.\n\nTo proceed, "
        "return to your previous single-instance configuration for {config} and ensure that {address} has been "
        "destroyed or forgotten before using for_each with this provider, or change the resource configuration to "
        "still declare an instance with the key {key}."
    ),
    (False, True): (
        "This suggests that you've added for_each to this provider configuration while there are existing deposed "
        "objects of {address} that need to be destroyed by the original single-instance provider configuration."
        "\n\nTo proceed, return to your previous single-instance configuration for {config} and ensure that all "
        "deposed instances of {address} have been destroyed before using for_each with this provider."
    ),
}
"""Why an instance is missing, by whether it has a key, and whether the object is deposed."""


def _missing_instance(user: ProviderUser, chosen: ProviderInstance) -> Diagnostic:
    address, deposed = user.address, user.deposed
    subject = str(address) if deposed is None else f"{address}'s deposed object {deposed}"
    reason = _REASONS[chosen.key is not None, deposed is not None].format(
        address=address,
        resource=address.containing,
        config=chosen.config,
        key=key_text(address.key) or "%!s(<nil>)",
    )
    detail = f"To work with {subject} its original provider instance at {chosen} is required, but it has been removed."
    return error("Provider instance not present", f"{detail} {reason}")
