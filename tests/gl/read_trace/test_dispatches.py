"""Tests reads of compute passes: through buffers, images and shared memory, and double writes to one place."""

from __future__ import annotations

from types import MappingProxyType

import moderngl
import numpy as np
import pytest

from tests.checkout import ROOT
from texelscope import layouts, pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.plan import (
    BufferBinding,
    Dispatch,
    ImageBinding,
    Pass,
    Plan,
    ProgramSource,
    Sampler,
    SourceFile,
    StoredTensor,
)
from texelscope.pipeline.read_trace.dispatch_recorder import DispatchRecorder
from texelscope.pipeline.read_trace.recorder import ReadRecorder

_SHAPE = (1, 4, 3, 2)
_X = np.arange(24, dtype=np.float32).reshape(_SHAPE)
# Four lanes a texel: y of a texel is x of the one before. The tile is an array of two axes.
TURNED = """#version 430
#define load(from, i) from[i]
layout(local_size_x = 3, local_size_y = 2) in;
layout(std430) readonly buffer Numbers { vec4 x[]; };
layout(rgba32f) readonly uniform image2D i_x;
layout(std430) buffer Result { vec4 y[]; };
uniform sampler2D t_x;
shared vec4 tile[2][3];
void main() {
    int i = int(gl_LocalInvocationIndex);
    vec4 mine = load(x, i);
    tile[i / 3][i % 3] = mine;
    barrier();
    int from = (i + 5) % 6;
    y[i] = tile[from / 3][from % 3] + 0.0 * imageLoad(i_x, ivec2(i % 2, i / 2));
    y[i] += 0.0 * texelFetch(t_x, ivec2(0, 1), 0);
}
"""
RACE = """#version 430
layout(local_size_x = 8) in;
layout(std430) readonly buffer Numbers { float x[]; };
layout(std430) writeonly buffer Result { float y[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < 24u) y[i < 20u ? i : i - 4u] = x[i];
}
"""


# A block of more than one member, which reads cannot be followed in, and an image that has another word for itself.
PARAMETERS = """#version 430
layout(local_size_x = 8) in;
layout(std430) readonly buffer Numbers { float first; float x[]; };
layout(std430) writeonly buffer Result { float y[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < 23u) y[22u - i] = x[i] + first;
}
"""
RESTRICTED = """#version 430
layout(local_size_x = 2, local_size_y = 3) in;
layout(rgba32f) readonly restrict uniform image2D i_x;
layout(rgba32f) writeonly restrict uniform image2D i_y;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(i_y, at, imageLoad(i_x, ivec2(1 - at.x, at.y)));
}
"""


def _session(gl: moderngl.Context, text: str, layout: str, dispatch: Dispatch) -> DebugSession:
    stored = {key: StoredTensor(key, key, _SHAPE, layouts.layout(layout)) for key in "xy"}
    program = ProgramSource(text, (SourceFile(0, "a.comp", text),), stage="compute")
    samplers = (Sampler("t_x", "x"),) if "t_x" in text else ()
    each = Pass("y", "Shader", ("y",), samplers, program, dispatch=dispatch)
    session = DebugSession(Plan("p", MappingProxyType(stored), (each,), ("x",), ("y",), initial_inputs={"x": _X}), gl)
    session.run()
    return session


def test_reads_through_shared_memory_are_those_of_the_same_layer_drawn(gl: moderngl.Context) -> None:
    """Others brought them there; expected are the same, and nothing is called wrong."""
    with pipeline.open(ROOT / "examples" / "convolution_twice" / "pipeline.toml", context=gl) as session:
        session.run()
        drawn, dispatched = (session.taps(name, (0, 5, 10, 12)) for name in ("drawn", "dispatched"))
        assert dispatched.read_elements() == drawn.read_elements()
        assert (dispatched.unexpected(), dispatched.missing()) == ({}, {})
        lines = {tap.key: tap.site.line for tap in dispatched.reads}
        assert lines == {"image": 36, "weight": 42, "bias": 31}
        (first,) = {tap.value[0] for tap in dispatched.reads if tap.elements == (5,) and tap.key == "bias"}
        assert first == session.tensor("bias")[5]
        before = session.tensor("dispatched")
        corner = session.taps("dispatched", (0, 0, 0, 0))
        assert corner.unexpected() == {}
        assert corner.idle["weight"] == corner.read_elements()["weight"] - corner.expected["weight"]  # type: ignore[index]
        np.testing.assert_array_equal(session.tensor("dispatched"), before)


def test_a_vector_is_read_where_it_lies_and_an_image_by_its_texel(gl: moderngl.Context) -> None:
    bound = (BufferBinding("Numbers", "x"), BufferBinding("Result", "y"))
    dispatch = Dispatch((1, 1, 1), bound, (ImageBinding("i_x", "x"),))
    with _session(gl, TURNED, "channel_tiles_rgba", dispatch) as session:
        assert session.shader_errors == {}
        taps = session.taps("y", (0, 2, 0, 0))
        assert [(tap.site.line, tap.tx, tap.ty, len(tap.elements)) for tap in taps.reads] == [
            (11, 1, 2, 4), (15, 0, 0, 4), (16, 0, 1, 4),
        ]  # fmt: skip
        assert taps.reads[-1].value == tuple(session.texels("x")[1, 0])


def test_reads_of_a_restricted_image_are_followed(gl: moderngl.Context) -> None:
    dispatch = Dispatch((1, 1, 1), images=(ImageBinding("i_x", "x"), ImageBinding("i_y", "y")))
    with _session(gl, RESTRICTED, "channel_tiles_rgba", dispatch) as session:
        assert session.shader_errors == {}
        taps = session.taps("y", (0, 2, 2, 1))
        assert [(tap.site.line, tap.tx, tap.ty) for tap in taps.reads] == [(7, 0, 2)]


def test_who_writes_is_known_where_reads_cannot_be_followed(gl: moderngl.Context) -> None:
    dispatch = Dispatch((3, 1, 1), (BufferBinding("Numbers", "x"), BufferBinding("Result", "y")))
    with _session(gl, PARAMETERS, "linear", dispatch) as session:
        (shader_pass,) = session.plan.passes
        recorder = DispatchRecorder(session, follows_reads=False)
        assert recorder.writer(shader_pass, 4, 0, 0) == (18, 0, 0)
        recorder.release()
        with pytest.raises(UnsupportedError, match="a block of one array of numbers"):
            session.taps("y", 4)


def test_two_invocations_that_write_one_place_are_found(gl: moderngl.Context) -> None:
    """With their numbers and the line; what nobody writes has no reads."""
    dispatch = Dispatch((3, 1, 1), (BufferBinding("Numbers", "x"), BufferBinding("Result", "y")))
    with _session(gl, RACE, "linear", dispatch) as session:
        recorder = ReadRecorder(session)
        races = recorder.races(session.plan.passes[0])
        recorder.release()
        assert sorted(race.lane for race in races) == [16, 17, 18, 19]
        assert {(race.file, race.line) for race in races} == {("a.comp", 7)}
        assert {(race.first[0], race.second[0]) for race in races} == {(i, i + 4) for i in range(16, 20)}
        with pytest.raises(UnsupportedError, match=r"got none that writes element 23\. It keeps"):
            session.taps("y", 23)
