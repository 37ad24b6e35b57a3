"""Barriers around what a compute shader writes to shared memory: only where all invocations come by."""

from tests.faults.subjects import shader_text
from texelscope.pipeline.diagnose.evidence.variants import with_barriers
from texelscope.pipeline.plan import ProgramSource, SourceFile


def _program(text: str) -> ProgramSource:
    return ProgramSource(text, (SourceFile(0, "a.comp", text),), stage="compute")


def test_a_barrier_stands_around_the_loop_that_invocations_take_a_different_number_of_times() -> None:
    """Not within it, and within the loop around it, of which all make the same turns; lines stay."""
    text = shader_text("seen/conv_shared.comp")
    made = with_barriers(_program(text))
    assert made is not None
    was, now = text.split("\n"), made.every.fragment.split("\n")
    changed = [number for number, (old, new) in enumerate(zip(was, now, strict=True), 1) if old != new]
    assert [was[number - 1].strip() for number in changed] == [
        "for (int i = int(gl_LocalInvocationIndex); i < WIDE * HIGH; i += INVOCATIONS) {", "}",
    ]  # fmt: skip
    assert [(says, line) for _, says, line in made.single] == [
        ("after the write to 'tile'", ("a.comp", changed[1])),
        ("before the write to 'tile'", ("a.comp", changed[0])),
    ]


def test_a_condition_on_shared_memory_is_none_that_all_invocations_share() -> None:
    text = """#version 430
layout(local_size_x = 4) in;
shared int part[4];
uniform int u_n;
void main() {
    for (int i = 0; i < u_n; i++) {
        if (part[0] > 1) { part[i] = 2; }
    }
}
"""
    made = with_barriers(_program(text))
    assert made is not None
    line = made.every.fragment.split("\n")[6]
    assert line.strip().startswith("{ memoryBarrierShared(); barrier(); if (part[0] > 1)")
    assert line.endswith("memoryBarrierShared(); barrier(); }")


def test_without_shared_memory_there_is_none() -> None:
    assert with_barriers(_program("#version 430\nlayout(local_size_x = 4) in;\nvoid main() {}\n")) is None
