"""Shared memory is shown from barrier to barrier: what it holds, who wrote it and who read it."""

from __future__ import annotations

from types import MappingProxyType

import moderngl
import numpy as np
import pytest

from tests.checkout import ROOT
from texelscope import layouts, pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.plan import BufferBinding, Dispatch, Pass, Plan, ProgramSource, SourceFile, StoredTensor

X = np.arange(24, dtype=np.float32).reshape(1, 4, 3, 2) + 0.5
EXAMPLE = ROOT / "examples" / "convolution_twice" / "pipeline.toml"
# Two work groups, which bring twelve numbers each into an array of two axes, count them, and turn their order around.
TURNED = """#version 430
#define ROWS 3
layout(local_size_x = 12) in;
layout(std430) readonly buffer Numbers { float x[]; };
layout(std430) writeonly buffer Result { float y[]; };
shared float tile[ROWS][4];
shared uvec2 seen[2];
shared int count;
void main() {
    uint own = gl_LocalInvocationIndex;
    if (own == 0u) { count = 12; seen[1] = uvec2(7u, 9u); }
    tile[own / 4u][own % 4u] = x[gl_GlobalInvocationID.x];
    barrier();
    uint other = 11u - own;
    float mine = tile[other / 4u][other % 4u];
    barrier();
    tile[own / 4u][own % 4u] = mine * 2.0;
    y[gl_GlobalInvocationID.x] = mine;
}
"""


def session_of(gl: moderngl.Context, text: str) -> DebugSession:
    stored = {key: StoredTensor(key, key, X.shape, layouts.layout("linear")) for key in "xy"}
    program = ProgramSource(text, (SourceFile(0, "a.comp", text),), stage="compute")
    dispatch = Dispatch((2, 1, 1), (BufferBinding("Numbers", "x"), BufferBinding("Result", "y")))
    each = Pass("y", "Shader", ("y",), (), program, dispatch=dispatch)
    session = DebugSession(Plan("p", MappingProxyType(stored), (each,), ("x",), ("y",), initial_inputs={"x": X}), gl)
    session.run()
    return session


def test_each_phase_has_its_contents_and_accesses(gl: moderngl.Context) -> None:
    with session_of(gl, TURNED) as session:
        assert session.shader_errors == {}
        before = session.tensor("y")
        memory = session.shared_memory("y", 17)  # of the second work group
        np.testing.assert_array_equal(session.tensor("y"), before)
    assert (memory.group, memory.size, memory.invocation) == ((1, 0, 0), (12, 1, 1), 5)
    assert [(each.name, each.type, each.axes) for each in memory.variables] == [
        ("tile", "float", 2), ("seen", "uvec2", 1), ("count", "int", 0),
    ]  # fmt: skip
    brought, turned, ended = memory.phases
    mine = X.reshape(-1)[12:]
    np.testing.assert_array_equal(brought.contents["tile"].reshape(-1), mine)
    assert brought.contents["tile"].shape == (3, 4, 1)
    assert brought.contents["count"].item() == 12
    assert brought.contents["seen"][1].tolist() == [7, 9]
    np.testing.assert_array_equal(turned.contents["tile"], brought.contents["tile"])
    np.testing.assert_array_equal(ended.contents["tile"].reshape(-1), mine[::-1] * 2.0)
    written = {(each.element, each.invocation) for each in brought.accesses if each.name == "tile" and each.writes}
    assert written == {(i, i) for i in range(12)}
    read = {(each.element, each.invocation) for each in turned.accesses if not each.writes}
    assert read == {(11 - i, i) for i in range(12)}
    assert [each.barrier.line if each.barrier else None for each in memory.phases] == [13, 16, None]
    assert memory.hazards == ()


def test_a_missing_barrier_shows_as_a_hazard(gl: moderngl.Context) -> None:
    with session_of(gl, TURNED.replace("    barrier();\n", "", 1)) as session:
        (hazard,) = session.shared_memory("y", 0).hazards
    assert (hazard.name, hazard.wrote.line, hazard.touched.line) == ("tile", 12, 14)


def test_the_contents_are_what_a_real_kernel_brings(gl: moderngl.Context) -> None:
    """Each of three input channels is brought with a border of one texel, two barriers a turn."""
    with pipeline.open(EXAMPLE, context=gl) as session:
        session.run()
        memory = session.shared_memory("dispatched", (0, 2, 45, 60))
        image = np.pad(session.tensor("image")[0], ((0, 0), (1, 1), (1, 1)))
    assert (memory.group, memory.place_of(memory.invocation)) == ((7, 5, 2), (4, 5, 0))
    for channel in range(3):
        tile = memory.phases[2 * channel].contents["tile"].reshape(10, 10)
        np.testing.assert_array_equal(tile, image[channel, 40:50, 56:66])


def test_what_has_no_shared_memory_says_so(gl: moderngl.Context) -> None:
    with pipeline.open(EXAMPLE, context=gl) as session:
        session.run()
        with pytest.raises(UnsupportedError, match="shared memory of 'drawn': expected a compute shader"):
            session.shared_memory("drawn", 0)
    plain = TURNED.split("shared")[0] + "void main() { uint i = gl_GlobalInvocationID.x; y[i] = x[i]; }\n"
    with (
        session_of(gl, plain) as session,
        pytest.raises(UnsupportedError, match="expected shared variables of numbers or vectors, got none"),
    ):
        session.shared_memory("y", 0)
