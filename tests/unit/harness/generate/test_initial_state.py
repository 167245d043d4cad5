"""States that exist before the first step."""

from __future__ import annotations

import json

from harness.generate.choices import GenerationContext, SeededChooser
from harness.generate.configuration_generator import generate_configuration
from harness.generate.initial_state import generate_initial_state


def test_objects_of_the_state_exist_in_the_cloud_unless_the_story_lost_them() -> None:
    kinds = set[str]()
    for seed in range(40):
        context = GenerationContext(SeededChooser(str(seed)))
        initial = generate_initial_state(context, generate_configuration(context, 6))
        assert initial.state is not None
        state = json.loads(initial.state)
        assert state["version"] == 4
        live = {one["id"] for one in initial.cloud}
        for resource in state["resources"]:
            for instance in resource["instances"]:
                kinds |= {"deposed"} & instance.keys() | {str(instance.get("status"))}
                attributes = instance.get("attributes") or instance["attributes_flat"]
                is_lost = resource["type"].startswith("simcloud_") and attributes["id"] not in live
                assert not is_lost or "gone since the first state" in context.used_features
    assert {"deposed", "tainted", "None"} <= kinds
