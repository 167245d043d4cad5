"""Which files of a directory are configuration, as both binaries answered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.lang.file_names import CONFIGURATION_SUFFIXES, configuration_names, is_override

FILE_NAMES = st.builds(
    "{}{}".format, st.sampled_from(["a", "b", "override", ".h"]), st.sampled_from(CONFIGURATION_SUFFIXES)
)


@pytest.mark.parametrize(
    ("names", "terraform", "opentofu"),
    [
        ("a.tf a.tofu", "a.tf", "a.tofu"),
        ("a.tf b.tofu", "a.tf", "a.tf b.tofu"),
        ("a.tf a.tf.json a.tofu.json", "a.tf a.tf.json", "a.tf a.tofu.json"),
        ("a.tf.json a.tofu", "a.tf.json", "a.tf.json a.tofu"),
        ("override.tf override.tofu", "override.tf", "override.tofu"),
        (".a.tf .a.tofu #b.tf# c.tofu~ d.tf~", "", ""),
        (".a.tofu a.tf", "a.tf", "a.tf"),
        ("a.tfvars a.tofuvars a.tf.txt a.json", "", ""),
        ("x.tf.tf x.tf.tofu", "x.tf.tf", "x.tf.tofu"),
    ],
)
def test_names(names: str, terraform: str, opentofu: str) -> None:
    assert configuration_names(names.split(), TERRAFORM_1_11) == terraform.split()
    assert configuration_names(names.split(), OPENTOFU_1_12) == opentofu.split()


@pytest.mark.parametrize("suffix", CONFIGURATION_SUFFIXES)
def test_overrides(suffix: str) -> None:
    assert is_override(f"override{suffix}")
    assert is_override(f"a_override{suffix}")
    assert not is_override(f"aoverride{suffix}")
    assert not is_override("override.txt")


@given(st.lists(FILE_NAMES, unique=True))
def test_no_file_is_hidden_by_one_that_is_not_read(names: list[str]) -> None:
    read = configuration_names(names, OPENTOFU_1_12)
    hidden = {name for name in names if not name.startswith(".")} - set(read)
    assert {name.replace(".tf", ".tofu") for name in hidden} <= set(read)
