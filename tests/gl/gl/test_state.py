"""Tests that a pass draws the same whatever state others left, and leaves no state behind."""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Callable, Iterator
from types import MappingProxyType

import moderngl
import numpy as np
import pytest

from tests.gl.gl import raw_gl
from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.state import pass_state, release_framebuffer

SHAPE = (1, 3, 8, 8)
X = array(*SHAPE)


@pytest.fixture(params=["channel_tiles", "channel_tiles_rgba"])
def session(request: pytest.FixtureRequest, gl: moderngl.Context) -> Iterator[DebugSession]:
    """Returns x → Neg → y, with negative values that clamping, blending and sRGB would change."""
    made = model([node("Neg", "x", "y")], [value("x", SHAPE)], [value("y", SHAPE)])
    with pipeline.open(made, layout=request.param, context=gl) as opened:
        opened.set_input("x", X)
        yield opened


def _blend() -> None:
    raw_gl.enable(raw_gl.BLEND)
    raw_gl.library().glBlendFunc(raw_gl.DST_COLOR, raw_gl.ZERO)


def _scissor() -> None:
    raw_gl.enable(raw_gl.SCISSOR_TEST)
    raw_gl.library().glScissor(0, 0, 1, 1)


def _colour_mask() -> None:
    raw_gl.library().glColorMask(0, 0, 0, 0)


def _viewport() -> None:
    raw_gl.library().glViewport(1, 1, 2, 2)


def _wireframe() -> None:
    raw_gl.library().glPolygonMode(raw_gl.FRONT_AND_BACK, raw_gl.LINE)


def _stencil() -> None:
    raw_gl.enable(raw_gl.STENCIL_TEST)
    raw_gl.library().glStencilFunc(raw_gl.NEVER, 1, 255)


def _logic() -> None:
    raw_gl.enable(raw_gl.COLOR_LOGIC_OP)
    raw_gl.library().glLogicOp(raw_gl.XOR)


def _coverage() -> None:
    raw_gl.enable(raw_gl.SAMPLE_COVERAGE)
    raw_gl.library().glSampleCoverage(ctypes.c_float(0.0), 0)


def _flag(flag: int) -> Callable[[], None]:
    return lambda: raw_gl.enable(flag)


LEFT_ON = {
    "blend": _blend,
    "scissor": _scissor,
    "colour mask": _colour_mask,
    "viewport": _viewport,
    "wireframe": _wireframe,
    "stencil": _stencil,
    "logic": _logic,
    "coverage": _coverage,
    "srgb": _flag(raw_gl.FRAMEBUFFER_SRGB),
    "depth": _flag(raw_gl.DEPTH_TEST),
    "cull": _flag(raw_gl.CULL_FACE),
    "discard": _flag(raw_gl.RASTERIZER_DISCARD),
    "smooth": _flag(raw_gl.POLYGON_SMOOTH),
    "clip": _flag(raw_gl.CLIP_DISTANCE0),
}


@pytest.mark.parametrize("name", LEFT_ON)
def test_a_pass_draws_the_same_after_somebody_left_it_on(session: DebugSession, name: str) -> None:
    session.run()
    before = session.tensor("y")
    session.invalidate("y")
    session.clear(["y"])
    LEFT_ON[name]()
    session.run()
    np.testing.assert_array_equal(session.tensor("y"), before)
    np.testing.assert_array_equal(before, -X)


@pytest.mark.parametrize("name", LEFT_ON)
def test_so_does_a_pass_into_eight_bits(name: str, gl: moderngl.Context) -> None:
    """Only these are subject to dithering, logic operations and sRGB; nothing of them may apply."""
    made = model([node("Neg", "x", "y")], [value("x", SHAPE)], [value("y", SHAPE)])
    plan = pipeline.plan_of(made, layout="channel_tiles_rgba")
    stored = {key: dataclasses.replace(tensor, storage="uint8") for key, tensor in plan.textures.items() if key == "y"}
    with DebugSession(dataclasses.replace(plan, textures=MappingProxyType({**plan.textures, **stored})), gl) as opened:
        opened.set_input("x", -np.abs(X) / 4)
        opened.run()
        before = opened.texels("y")
        assert 0.2 < before.max() < 1.0
        LEFT_ON[name]()
        opened.run()
        np.testing.assert_array_equal(opened.texels("y"), before)


def test_everything_at_once_and_the_read_back_too(session: DebugSession) -> None:
    for leave_on in LEFT_ON.values():
        leave_on()
    session.set_input("x", X + 1)
    session.run()
    np.testing.assert_array_equal(session.tensor("y"), -(X + 1))


def test_the_framebuffer_of_before_is_back_with_its_viewport_and_mask(
    session: DebugSession, gl: moderngl.Context
) -> None:
    mine = gl.simple_framebuffer((40, 30))
    mine.use()
    mine.viewport = (3, 4, 20, 10)
    mine.scissor = (1, 2, 5, 6)
    mine.color_mask = (True, False, True, False)
    try:
        session.run()
        assert raw_gl.integers(raw_gl.DRAW_FRAMEBUFFER_BINDING, 1) == [mine.glo]
        assert raw_gl.integers(raw_gl.VIEWPORT, 4) == [3, 4, 20, 10]
        assert raw_gl.integers(raw_gl.SCISSOR_BOX, 4) == [1, 2, 5, 6]
        assert raw_gl.is_enabled(raw_gl.SCISSOR_TEST)
        assert raw_gl.integers(raw_gl.COLOR_WRITEMASK, 4) == [1, 0, 1, 0]
    finally:
        gl.detect_framebuffer(0).use()
        mine.color_attachments[0].release()
        mine.release()


def test_no_sampler_object_stays_bound(session: DebugSession) -> None:
    session.run()
    assert raw_gl.integers(raw_gl.SAMPLER_BINDING, 1) == [0]


def test_nothing_stays_switched_on(session: DebugSession) -> None:
    session.run()
    flags = [raw_gl.BLEND, raw_gl.DEPTH_TEST, raw_gl.STENCIL_TEST, raw_gl.CULL_FACE, raw_gl.FRAMEBUFFER_SRGB]
    flags.append(raw_gl.COLOR_LOGIC_OP)
    assert [flag for flag in flags if raw_gl.is_enabled(flag)] == []


@pytest.mark.parametrize("dtype", ["f4", "f2", "f1"])
def test_llvmpipe_compiles_a_shader_once(gl: moderngl.Context, dtype: str) -> None:
    """A logic operation that copies keeps it from a second version."""
    texture = gl.texture((4, 4), 1, dtype=dtype)
    target = gl.framebuffer([texture])
    try:
        with pass_state(gl, target):
            assert raw_gl.is_enabled(raw_gl.COLOR_LOGIC_OP) == ("llvmpipe" in gl.info["GL_RENDERER"])
        assert not raw_gl.is_enabled(raw_gl.COLOR_LOGIC_OP)
    finally:
        target.release()
        texture.release()


def test_two_sessions_on_one_context_do_not_disturb_each_other(gl: moderngl.Context) -> None:
    made = model([node("Neg", "x", "y")], [value("x", SHAPE)], [value("y", SHAPE)])
    with pipeline.open(made, context=gl) as first, pipeline.open(made, layout="tfjs_packed", context=gl) as second:
        first.set_input("x", X)
        second.set_input("x", 2 * X)
        first.run()
        second.run()
        np.testing.assert_array_equal(first.tensor("y"), -X)
        np.testing.assert_array_equal(second.tensor("y"), -2 * X)
        second.release()
        first.run()
        np.testing.assert_array_equal(first.tensor("y"), -X)


def test_a_framebuffer_that_is_freed_while_it_is_bound_leaves_no_error_to_the_next(gl: moderngl.Context) -> None:
    textures = [gl.texture((4, 4), 4, dtype="f4") for _ in range(2)]
    first = gl.framebuffer([textures[0]])
    first.use()
    release_framebuffer(gl, first)
    second = gl.framebuffer([textures[1]])
    assert gl.error == "GL_NO_ERROR"
    second.release()
    for texture in textures:
        texture.release()
