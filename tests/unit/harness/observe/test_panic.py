"""Crashes are identified by what is the same in every run."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.observe.panic import Panic, masked_panic, read_panic

OWN: Final = "github.com/opentofu/opentofu/internal"

PLAIN: Final = f"""
panic: operation 6 depends on its own result

goroutine 38 [running]:
example.com/library.(*Thing).Do(0xc0001, {{0x48a3f78, 0x3c18}})
\t/src/library/thing.go:96 +0x39
{OWN}/engine/execgraph.(*writer).add(0xc0002?)
\t/src/engine/writer.go:12 +0x10e6
{OWN}/engine/planning.Plan(...)
\t/src/engine/plan.go:1
created by example.com/workers.Start in goroutine 37
\t/src/workers/start.go:82 +0x79

goroutine 1 [select]:
{OWN}/command.Wait()
"""
REPANICKED: Final = f"""panic: assignment to entry in nil map [recovered, repanicked]

goroutine 7 [running]:
{OWN}/tracing.recoverAndEnd.func1()
\t/src/tracing.go:3
panic({{0x1, 0x2}})
\t/usr/local/go/src/runtime/panic.go:860 +0x13a
{OWN}/checks.(*Rule).Check(0x0)
\t/src/checks.go:90
"""
BANNER: Final = f"""
!!!!!!!!!!!!!!!!!!!!!!!!!!! OPENTOFU CRASH !!!!!!!!!!!!!!!!!!!!!!!!!!!!

We are sorry. Report this.

!!!!!!!!!!!!!!!!!!!!!!!!!!! OPENTOFU CRASH !!!!!!!!!!!!!!!!!!!!!!!!!!!!

runtime error: invalid memory address or nil pointer dereference
goroutine 1 [running]:
runtime/debug.Stack()
\t/usr/local/go/src/runtime/debug/stack.go:26 +0x5e
{OWN}/logging.PanicHandler()
\t/src/logging/panic.go:52 +0x86
panic({{0x3dbd940?, 0x7231fa0?}})
\t/usr/local/go/src/runtime/panic.go:860 +0x13a
{OWN}/configs.(*Block).Validate(0x0, {{0x38?, 0x1}})
\t/src/configs.go:81 +0x122
"""
CALLED: Final = BANNER.replace("runtime error: invalid", "While applying terraform_data.a\n\nruntime error: invalid")
OVERFLOW: Final = """runtime: goroutine stack exceeds 1000000000-byte limit
runtime: sp=0x3c71db6803f8 stack=[0x3c71db680000, 0x3c71fb680000]
fatal error: stack overflow

runtime stack:
runtime.throw({0x45bb660?, 0x36080?})

goroutine 10 gp=0x3c7197c092c0 m=6 mp=0x3c7197bcf008 [running]:
"""
NOTHING: Final = "runtime error: invalid memory address or nil pointer dereference"


@pytest.mark.parametrize(
    ("errors", "message", "frame"),
    [
        (PLAIN, "panic: operation 6 depends on its own result", "engine/execgraph.(*writer).add"),
        (REPANICKED, "panic: assignment to entry in nil map [recovered, repanicked]", "checks.(*Rule).Check"),
        (BANNER, f"panic: {NOTHING}", "configs.(*Block).Validate"),
        (CALLED, f"panic: {NOTHING}", "configs.(*Block).Validate"),
    ],
)
def test_a_crash_is_its_message_and_the_first_own_function(errors: str, message: str, frame: str) -> None:
    assert read_panic(errors) == Panic(message, f"{OWN}/{frame}")


def test_a_crash_of_terraform_is_read_as_well() -> None:
    errors = BANNER.replace("OPENTOFU", "TERRAFORM").replace("opentofu/opentofu", "hashicorp/terraform")
    assert read_panic(errors) == Panic(
        f"panic: {NOTHING}", "github.com/hashicorp/terraform/internal/configs.(*Block).Validate"
    )


@given(st.integers(min_value=0, max_value=2))
def test_an_endless_recursion_has_one_name_wherever_it_was_interrupted(turn: int) -> None:
    ring = [f"{OWN}/lang.{name}(0x1)\n\t/src/lang.go:1" for name in ("Evaluate", "Check", "Value")]
    stack = "\n".join([f"{OWN}/lang.Apply()", *(ring[turn:] + ring[:turn]) * 3])
    assert read_panic(OVERFLOW + stack) == Panic("fatal error: stack overflow", f"{OWN}/lang.Check")


def test_a_stack_without_own_code_has_no_frame() -> None:
    assert read_panic("panic: x\n\ngoroutine 1 [running]:\nexample.com/a.B()\n") == Panic("panic: x", "")
    assert read_panic("panic: x\n") == Panic("panic: x", "")


@pytest.mark.parametrize("errors", ["", "Error: no panic here", "goroutine 1 [running]:\nmain.main()\n"])
def test_other_texts_are_no_crash(errors: str) -> None:
    assert read_panic(errors) is None


def test_addresses_and_goroutines_are_masked_in_the_message() -> None:
    errors = "panic: (*pkg.T)(0xc000123abc) held by goroutine 77, 3 times\n"
    assert read_panic(errors) == Panic("panic: (*pkg.T)(0x?) held by goroutine ?, 3 times", "")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("operation 6 depends on its own result", "operation 14 depends on its own result"),
        ('no metadata for module.m["x"].terraform_data.a', "no metadata for module.app.terraform_data.vm[14]"),
        ("no module.a", 'no module.b["x"].module.c[0]'),
        ('unsupported attribute "colour"', 'unsupported attribute "size"'),
        ("at 0xc0001", "at 0xbeef"),
    ],
)
def test_crashes_for_one_reason_have_one_masked_message(one: str, other: str) -> None:
    assert masked_panic(f"panic: {one}") == masked_panic(f"panic: {other}")


def test_crashes_for_two_reasons_do_not() -> None:
    assert masked_panic("panic: value is marked") != masked_panic("panic: value is null")
    assert "special case for terraform_remote_state" in masked_panic("panic: special case for terraform_remote_state")


@given(st.text())
def test_masking_twice_changes_nothing_and_any_text_can_be_read(text: str) -> None:
    assert masked_panic(masked_panic(text)) == masked_panic(text)
    read_panic(text)
