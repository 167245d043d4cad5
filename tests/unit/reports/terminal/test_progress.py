"""The lines that an operation prints while it runs."""

from __future__ import annotations

from reports.terminal.progress import import_lines, progress_line
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.plan.change import Action
from shared_nodes.plan.events import Event, EventType

ADDRESS = AbsResource(ROOT_INSTANCE, Resource(ResourceMode.MANAGED, "terraform_data", "a")).instance(None)


def test_only_the_beginning_tells_that_an_object_is_deposed() -> None:
    begun, ended = (
        Event(kind, ADDRESS, Action.DELETE, identifier="x", deposed="0a1b2c3d")
        for kind in (EventType.APPLY_START, EventType.APPLY_COMPLETE)
    )
    assert progress_line(begun, TERRAFORM_1_11) == "terraform_data.a (deposed object 0a1b2c3d): Destroying... [id=x]"
    assert progress_line(ended, TERRAFORM_1_11) == "terraform_data.a: Destruction complete after 0s"


def test_an_import_is_announced_while_planning_and_reported_at_once_while_applying() -> None:
    prepared = Event(EventType.IMPORT_START, ADDRESS, identifier="x")
    assert progress_line(prepared, TERRAFORM_1_11) == "terraform_data.a: Preparing import... [id=x]"
    assert list(import_lines(ADDRESS, "x")) == [
        "terraform_data.a: Importing... [id=x]",
        "terraform_data.a: Import complete [id=x]",
    ]


def test_the_end_of_an_ephemeral_operation_has_words_of_its_own_in_each_product() -> None:
    ended = Event(EventType.EPHEMERAL_COMPLETE, ADDRESS, Action.OPEN)
    assert progress_line(ended, TERRAFORM_1_11) == "terraform_data.a: Opening complete after 0s"
    assert progress_line(ended, OPENTOFU_1_12) == "terraform_data.a: Open complete after 0s"
    failed = Event(EventType.EPHEMERAL_ERRORED, ADDRESS, Action.OPEN)
    assert progress_line(failed, TERRAFORM_1_11) is None
    assert progress_line(failed, OPENTOFU_1_12) == "terraform_data.a: Open complete after 0s"
