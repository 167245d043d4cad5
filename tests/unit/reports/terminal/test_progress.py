"""The lines that an operation prints while it runs."""

from __future__ import annotations

from reports.terminal.progress import progress_line
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.plan.change import Action
from shared_nodes.plan.events import Event, EventType


def test_only_the_beginning_tells_that_an_object_is_deposed() -> None:
    address = AbsResource(ROOT_INSTANCE, Resource(ResourceMode.MANAGED, "terraform_data", "a")).instance(None)
    begun, ended = (
        Event(kind, address, Action.DELETE, identifier="x", deposed="0a1b2c3d")
        for kind in (EventType.APPLY_START, EventType.APPLY_COMPLETE)
    )
    assert progress_line(begun, TERRAFORM_1_11) == "terraform_data.a (deposed object 0a1b2c3d): Destroying... [id=x]"
    assert progress_line(ended, TERRAFORM_1_11) == "terraform_data.a: Destruction complete after 0s"
