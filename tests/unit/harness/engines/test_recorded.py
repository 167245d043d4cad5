"""Names of recorded engines."""

from __future__ import annotations

import pytest

from harness.engines.external import is_external
from harness.engines.recorded import is_recorded, recorded_system, require_recorded
from harness.engines.registry import EngineNotFoundError


def test_a_recorded_engine_names_its_system() -> None:
    assert is_recorded("recorded:opentofu-main")
    assert recorded_system("recorded:opentofu-main") == "opentofu-main"
    assert not is_recorded("opentofu-main")
    require_recorded("recorded:opentofu-1.13.0_dev")


@pytest.mark.parametrize("name", ["recorded:", "recorded:../x", "recorded:a/b", "recorded: x"])
def test_what_cannot_be_part_of_a_file_name_names_no_recording(name: str) -> None:
    assert not is_external(name), "a slash alone does not make it the path of a binary"
    with pytest.raises(EngineNotFoundError, match=r"does not name a recording; recorded:opentofu-main answers"):
        require_recorded(name)
