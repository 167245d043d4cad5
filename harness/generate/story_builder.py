"""A story under construction: the configuration, and the versions, steps and faults so far."""

from __future__ import annotations

from dataclasses import field

from harness.case.case import Step
from harness.generate.choices import GenerationContext
from harness.generate.file_layout import arrange_files
from harness.generate.model import ModelModule
from harness.generate.printing import print_configuration
from harness.generate.profiles import Profile
from harness.simulation.simcloud.faults import Fault
from shared_nodes.record import record

__all__ = ["StoryBuilder"]


@record(frozen=False)
class StoryBuilder:
    context: GenerationContext
    root: ModelModule
    profile: Profile
    versions: dict[str, dict[str, str]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    kills: dict[int, Fault] = field(default_factory=dict)
    killed_version: str = ""
    """The version during whose apply a process is killed."""

    def publish_version(self) -> str:
        name = f"v{len(self.versions) + 1}"
        self.versions[name] = arrange_files(self.context, print_configuration(self.root))
        return name

    @property
    def current_version(self) -> str:
        return f"v{len(self.versions)}"
