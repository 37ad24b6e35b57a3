"""Dispatched passes: buffers and images beside textures, copied when needed, checked before anything runs."""

from __future__ import annotations

from types import MappingProxyType

import moderngl
import numpy as np
import pytest

from texelscope import layouts
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.gl import passes
from texelscope.pipeline.gl.dispatching.twins import BUFFER
from texelscope.pipeline.gl.textures import TextureStore
from texelscope.pipeline.plan import (
    BufferBinding,
    Dispatch,
    ImageBinding,
    Pass,
    Plan,
    ProgramSource,
    Sampler,
    SourceFile,
    Storage,
    StoredTensor,
)

_SHAPE = (1, 2, 3, 4)
_X = np.arange(24, dtype=np.float32).reshape(_SHAPE) / 8 - 1
_HEAD = "#version 430 core\nlayout(local_size_x = 8) in;\n"

DOUBLE = f"""{_HEAD}layout(std430) readonly buffer Numbers {{ float x[]; }};
layout(std430) writeonly buffer Result {{ float y[]; }};
uniform float u_by;
void main() {{
    uint i = gl_GlobalInvocationID.x;
    if (i < 24u) y[i] = u_by * x[i];
}}
"""
TO_DEEP = f"""{_HEAD}layout(std430) readonly buffer Numbers {{ float x[]; }};
layout(r32f) writeonly uniform image3D i_deep;
void main() {{
    int i = int(gl_GlobalInvocationID.x);
    if (i < 24) imageStore(i_deep, ivec3(i % 4, i / 4 % 3, i / 12), vec4(x[i] + 1.0));
}}
"""
TO_ROW = f"""{_HEAD}uniform sampler3D t_deep;
uniform sampler2D t_flat;
layout(r32f) uniform image1D i_row;
void main() {{
    int i = int(gl_GlobalInvocationID.x);
    if (i >= 24) return;
    float sum = texelFetch(t_deep, ivec3(i % 4, i / 4 % 3, i / 12), 0).x + texelFetch(t_flat, ivec2(i % 4, i / 4), 0).x;
    imageStore(i_row, i, vec4(sum));
}}
"""
DEEP_TO_DEEP = f"""{_HEAD}layout(r32f) readonly uniform image3D i_from;
layout(r32f) writeonly uniform image3D i_deep;
void main() {{
    int i = int(gl_GlobalInvocationID.x);
    ivec3 p = ivec3(i % 4, i / 4 % 3, i / 12);
    if (i < 24) imageStore(i_deep, p, imageLoad(i_from, p) + 1.0);
}}
"""
IN_PLACE = f"""{_HEAD}layout(std430) buffer Data {{ float data[]; }};
void main() {{
    uint i = gl_GlobalInvocationID.x;
    if (i < 12u) data[i] = max(data[i], 0.0);
}}
"""
DRAWN = """#version 430 core
uniform sampler2D t_x;
out float y;
void main() { y = texelFetch(t_x, ivec2(gl_FragCoord.xy), 0).x * 10.0; }
"""


def _stored(key: str, storage: Storage = "float32") -> StoredTensor:
    return StoredTensor(key, key, _SHAPE, layouts.layout("tfjs_unpacked"), storage)


def _source(text: str) -> ProgramSource:
    return ProgramSource(text, (SourceFile(0, "a.comp", text),), stage="compute")


def _double(text: str = DOUBLE, groups: tuple[int, int, int] = (3, 1, 1)) -> Pass:
    dispatch = Dispatch(groups, (BufferBinding("Numbers", "x"), BufferBinding("Result", "y")))
    return Pass("y", "Shader", ("y",), (), _source(text), {"u_by": 2.0}, dispatch=dispatch)


def _plan(*passes: Pass, storage: Storage = "float32") -> Plan:
    keys = ["x", *(key for each in passes for key in each.outputs)]
    textures = MappingProxyType({key: _stored(key, storage) for key in keys})
    return Plan("p", textures, passes, ("x",), (keys[-1],), initial_inputs={"x": _X})


def test_tensors_go_from_buffer_to_image_to_texture(gl: moderngl.Context) -> None:
    """Uses every kind of place in turn, and a drawn pass at the end; textures follow on request."""
    deep = Pass(
        "deep", "Shader", ("deep",), (), _source(TO_DEEP),
        dispatch=Dispatch((3, 1, 1), (BufferBinding("Numbers", "y"),), (ImageBinding("i_deep", "deep", (4, 3, 2)),)),
    )  # fmt: skip
    row = Pass(
        "row", "Shader", ("row",), (Sampler("t_flat", "x"),), _source(TO_ROW),
        dispatch=Dispatch(
            (3, 1, 1), (), (ImageBinding("t_deep", "deep", (4, 3, 2)), ImageBinding("i_row", "row", (24,)))
        ),
    )  # fmt: skip
    drawn = Pass("drawn", "Shader", ("drawn",), (Sampler("t_x", "row"),), ProgramSource(DRAWN, ()))
    with DebugSession(_plan(_double(), deep, row, drawn), gl) as session:
        session.run()
        assert session.shader_errors == {}
        np.testing.assert_array_equal(session.tensor("drawn"), 10 * (3 * _X + 1))
        np.testing.assert_array_equal(session.tensor("y"), 2 * _X)
        np.testing.assert_array_equal(session.tensor("deep"), 2 * _X + 1)
        session.texture("x").write(np.ones(24, dtype=np.float32))
        session.run()
        np.testing.assert_array_equal(session.tensor("row"), np.full(_SHAPE, 4.0))
        if "llvmpipe" in gl.info["GL_RENDERER"]:
            assert session.gpu_ms("y") is None
            assert session.gpu_ms("drawn") is not None


def test_every_image_has_a_unit_of_its_own(gl: moderngl.Context) -> None:
    images = tuple(ImageBinding(name, key, (4, 3, 2)) for name, key in (("i_from", "x"), ("i_deep", "deep")))
    deep = Pass("deep", "Shader", ("deep",), (), _source(DEEP_TO_DEEP), dispatch=Dispatch((3, 1, 1), (), images))
    with DebugSession(_plan(deep), gl) as session:
        session.run()
        np.testing.assert_array_equal(session.tensor("deep"), _X + 1)
        np.testing.assert_array_equal(session.tensor("x"), _X)


def test_texels_are_copied_when_asked_for_and_not_before(gl: moderngl.Context) -> None:
    """A buffer that was written leaves its texture as it was until somebody reads that."""
    store, stored = TextureStore(gl), _stored("x")
    store.write(stored, _X)
    buffer = store.twins.buffer(stored, store.as_it_is(stored))
    assert store.twins.texture_is_current("x")
    np.testing.assert_array_equal(np.frombuffer(buffer.read(), np.float32), _X.ravel())
    buffer.write(np.full(24, 7, np.float32))
    store.twins.wrote("x", BUFFER)
    assert not store.twins.texture_is_current("x")
    assert store.twins.buffer(stored, store.as_it_is(stored)) is buffer
    assert not store.twins.texture_is_current("x")
    assert store.read(stored).max() == store.read(stored).min() == 7.0
    store.texture(stored).write(_X)
    np.testing.assert_array_equal(
        np.frombuffer(store.twins.buffer(stored, store.as_it_is(stored)).read(), np.float32), _X.ravel()
    )
    store.release()


def test_an_output_may_begin_as_another_tensor(gl: moderngl.Context) -> None:
    """What the shader leaves alone is what it began as, each time; the tensor that it began as stays."""
    each = Pass(
        "y", "Shader", ("y",), (), _source(IN_PLACE),
        dispatch=Dispatch((3, 1, 1), (BufferBinding("Data", "y", starts_as="x"),)),
    )  # fmt: skip
    with DebugSession(_plan(each), gl) as session:
        for _ in range(2):
            session.run()
            assert session.tensor("y").ravel()[:12].min() == 0.0
            np.testing.assert_array_equal(session.tensor("y").ravel()[12:], _X.ravel()[12:])
            np.testing.assert_array_equal(session.tensor("x"), _X)
        session.set_input("x", -_X)
        session.run()
        np.testing.assert_array_equal(session.tensor("y").ravel()[12:], -_X.ravel()[12:])


def test_halves_are_packed_by_twos(gl: moderngl.Context) -> None:
    """A buffer of float16 is read and written as words of two."""
    text = DOUBLE.replace("float x[]", "uint x[]").replace("float y[]", "uint y[]").replace("24u", "12u")
    text = text.replace("u_by * x[i]", "packHalf2x16(u_by * unpackHalf2x16(x[i]))")
    with DebugSession(_plan(_double(text=text), storage="float16"), gl) as session:
        session.run()
        np.testing.assert_array_equal(session.tensor("y"), 2 * _X)


def test_an_index_far_beyond_shared_memory_ends_nothing(gl: moderngl.Context) -> None:
    """llvmpipe itself asks for no bounds: the process would end with a signal."""
    far = "part[gl_LocalInvocationID.x - (1u << 28)]"
    text = DOUBLE.replace("void main() {", f"shared float part[8];\nvoid main() {{ {far} = 1.0; barrier();", 1)
    text = text.replace("u_by * x[i]", f"u_by * x[i] + ({far} == 1.0 ? 1.0 : 0.0)")
    with DebugSession(_plan(_double(text=text)), gl) as session:
        session.run()
        assert session.shader_errors == {}
        np.testing.assert_array_equal(session.tensor("y"), 2 * _X)


def test_what_no_invocation_writes_is_known(gl: moderngl.Context) -> None:
    """And asking for it leaves the tensor as it was."""
    with DebugSession(_plan(_double(text=DOUBLE.replace("24u", "20u"))), gl) as session:
        session.run()
        before = session.tensor("y")
        gaps = session.unwritten("y")
        assert np.flatnonzero(gaps["y"]).tolist() == [20, 21, 22, 23]
        np.testing.assert_array_equal(session.tensor("y"), before)


def test_what_takes_long_is_not_run_again_to_know_its_gaps(
    gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    with DebugSession(_plan(_double(text=DOUBLE.replace("24u", "20u"))), gl) as session:
        session.run()
        monkeypatch.setattr(passes, "LONG_MS", 0.0)
        assert session.is_long("y")
        assert session.unwritten("y") == {}


def test_an_edited_compute_shader_runs_and_a_wrong_one_does_not(gl: moderngl.Context) -> None:
    """The driver's complaint is at the author's line, and the last good program stays."""
    with DebugSession(_plan(_double()), gl) as session:
        session.run()
        session.replace_shader("y", DOUBLE.replace("u_by * x[i]", "x[i] - u_by"))
        session.run()
        np.testing.assert_array_equal(session.tensor("y"), _X - 2)
        with pytest.raises(ShaderError, match=r"a\.comp:8: expected a shader that compiles, got .*undeclared") as error:
            session.replace_shader("y", DOUBLE.replace("u_by * x[i]", "u_bye * x[i]"))
        assert error.value.line == 8
        session.run()
        np.testing.assert_array_equal(session.tensor("y"), _X - 2)


def test_a_dispatch_beyond_the_device_is_one_line(gl: moderngl.Context) -> None:
    """Nothing is run, and the error stands where a shader's would."""
    with DebugSession(_plan(_double(groups=(1 << 20, 1, 1))), gl) as session:
        session.run()
        assert not session.has_run("y")
        assert str(session.shader_error("y")) == (
            "a.comp:1: expected a shader that compiles, got dispatch: expected 1 to 65535 x 65535 x 65535 work groups "
            "on this device, got 1048576 x 1 x 1. Divide it otherwise."
        )
