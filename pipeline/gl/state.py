"""Sets what a draw needs, its GL state, its triangle and its uniforms, and resets the state afterwards.

A pass must not depend on the user interface's state (blending and the scissor test are the classic ones), nor leave
its own state to it.

The triangle covers a pass's target. The default vertex shader has no attributes. A person's own, copied from a web
page, usually has a position in clip space and perhaps a texture coordinate; both are fed here.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import moderngl
import numpy as np

from texelscope.pipeline.glsl.other_stages import TRIANGLE, is_coordinate
from texelscope.pipeline.plan import UniformValue

# Enums that moderngl has no name for (GL 3.3 core profile specification, §6.2).
_POLYGON_SMOOTH = 0x0B41
_STENCIL_TEST = 0x0B90
_DITHER = 0x0BD0
_COLOR_LOGIC_OP = 0x0BF2
_COPY = 0x1503
_POLYGON_OFFSET_FILL = 0x8037
_SAMPLE_ALPHA_TO_COVERAGE = 0x809E
_SAMPLE_COVERAGE = 0x80A0
_FRAMEBUFFER_SRGB = 0x8DB9
# Most pending errors, one per kind (GL 4.6 core profile specification, §2.3.1), and a few for distributed drivers.
_MOST_ERRORS = 16
_SAMPLE_MASK = 0x8E51
# A vertex shader that writes none of these distances would be clipped by leftover values.
_CLIP_DISTANCES = tuple(range(0x3000, 0x3008))
_OFF = (
    _POLYGON_SMOOTH,
    _STENCIL_TEST,
    _DITHER,
    _COLOR_LOGIC_OP,
    _POLYGON_OFFSET_FILL,
    _SAMPLE_ALPHA_TO_COVERAGE,
    _SAMPLE_COVERAGE,
    _FRAMEBUFFER_SRGB,
    _SAMPLE_MASK,
    *_CLIP_DISTANCES,
)
_VERTICES = np.array(TRIANGLE, dtype=np.float32)
# GL's integer types (OpenGL 3.3, table 2.9): int, ivec2-4, bool, bvec2-4; uint, uvec2-4. The rest is float.
_INT_TYPES = frozenset({0x1404, *range(0x8B53, 0x8B5A)})
_UINT_TYPES = frozenset({0x1405, *range(0x8DC6, 0x8DC9)})
_SAMPLER_TYPES = frozenset({*range(0x8B5D, 0x8B65), *range(0x8DC0, 0x8DC6), *range(0x8DC9, 0x8DD9)})
# Images (OpenGL 4.6, table 7.3).
_IMAGE_TYPES = frozenset(range(0x904C, 0x906D))


@contextmanager
def pass_state(context: moderngl.Context, target: moderngl.Framebuffer) -> Iterator[None]:
    """Directs draws inside to the whole of `target`, unblended, untested, unclipped, with every channel written.

    Afterwards the former framebuffer is bound again, with its viewport, scissor and colour mask; no
    sampler object is bound, and enabled features stay off.
    """
    with drawing_state(context), target_state(context, target):
        yield


@contextmanager
def target_state(context: moderngl.Context, target: moderngl.Framebuffer) -> Iterator[None]:
    """Sets the state as `pass_state`, inside a `drawing_state`; the target stays bound."""
    if copies := is_llvmpipe(context) and not is_es(context):
        # llvmpipe compiles a second version, for blocks of texels that a triangle covers whole, of shaders that neither
        # blend nor read their target in another way: a shader's first draw takes twice as long, without a measurable
        # gain. A logic operation prevents that. Copying changes nothing (OpenGL 4.6 core profile, 17.3.9).
        _copy_logically()
        context.enable_direct(_COLOR_LOGIC_OP)
    _whole(target)
    target.use()  # last: moderngl applies a colour mask only here
    try:
        yield
    finally:
        if copies:
            context.disable_direct(_COLOR_LOGIC_OP)


@contextmanager
def drawing_state(context: moderngl.Context) -> Iterator[None]:
    """Sets the state as `pass_state`, without a target, or for several draws that choose theirs."""
    # Without one, the default: moderngl would return to a target after it is released.
    previous = context.fbo if context.fbo is not None else context.detect_framebuffer(0)  # type: ignore[redundant-expr]
    context.enable_only(moderngl.NOTHING)
    for flag in _OFF:
        context.disable_direct(flag)
    context.wireframe = False
    try:
        yield
    finally:
        context.clear_samplers()
        previous.use()


def draw_beside_others(array: moderngl.VertexArray) -> None:
    """Draws the triangle, while other threads of Python may run: moderngl's call holds its lock.

    llvmpipe compiles a program in this call.
    """
    from OpenGL.raw.GL.VERSION.GL_1_1 import glDrawArrays
    from OpenGL.raw.GL.VERSION.GL_2_0 import glUseProgram
    from OpenGL.raw.GL.VERSION.GL_3_0 import glBindVertexArray

    glUseProgram(array.program.glo)
    glBindVertexArray(array.glo)
    glDrawArrays(moderngl.TRIANGLES, 0, 3)


def release_framebuffer(context: moderngl.Context, framebuffer: moderngl.Framebuffer) -> None:
    """Frees a framebuffer that may be bound: inside a `drawing_state` the last target is.

    moderngl makes another by binding it and then, again, what was bound before, which is an error of a freed one.
    """
    if context.fbo is framebuffer:
        context.detect_framebuffer(0).use()
    framebuffer.release()


def _copy_logically() -> None:
    from OpenGL.raw.GL.VERSION.GL_1_0 import glLogicOp

    glLogicOp(_COPY)


def _whole(target: moderngl.Framebuffer) -> None:
    """Opens the whole target to draws, every channel."""
    target.viewport = (0, 0, target.width, target.height)
    target.scissor = None  # type: ignore[assignment]  # None: no scissor test
    every = (True, True, True, True)
    count = len(target.color_attachments)
    target.color_mask = every if count == 1 else (every,) * count  # type: ignore[assignment]


def is_es(context: moderngl.Context) -> bool:
    """Reports whether the context is one of OpenGL ES."""
    return str(context.info["GL_VERSION"]).startswith("OpenGL ES")


def is_llvmpipe(context: moderngl.Context) -> bool:
    """Reports whether the driver is Mesa's for processors, which compiles a shader at its first draw."""
    return "llvmpipe" in context.info["GL_RENDERER"]


def flush() -> None:
    """Hands all calls so far to the GPU, without waiting for it."""
    from OpenGL.raw.GL.VERSION.GL_1_0 import glFlush

    glFlush()


def clear_errors(context: moderngl.Context) -> None:
    """Clears GL errors of other code: moderngl would attribute them to its next call."""
    for _ in range(_MOST_ERRORS):
        if context.error == "GL_NO_ERROR":
            return


class TargetGeometry:
    """Creates vertex arrays for programs; keeps the one buffer that they share."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._buffer: moderngl.Buffer | None = None

    def vertex_array(self, program: moderngl.Program) -> moderngl.VertexArray:
        """Returns three vertices for `program`; the caller releases the array."""
        names = [
            name for name in program if isinstance(program[name], moderngl.Attribute) and not name.startswith("gl_")
        ]
        if not names:
            return self._context.vertex_array(program, [])
        if self._buffer is None:
            self._buffer = self._context.buffer(_VERTICES.tobytes())
        content = []
        for name in names:
            content.append((self._buffer, "2x4 2f" if is_coordinate(name) else "2f 2x4", name))
        return self._context.vertex_array(program, content)

    def release(self) -> None:
        """Frees the buffer."""
        if self._buffer is not None:
            self._buffer.release()
            self._buffer = None


def set_uniforms(program: moderngl.Program | moderngl.ComputeShader, uniforms: Mapping[str, UniformValue]) -> None:
    """Sets those uniforms that the program has; a driver may have removed an unused one.

    Of an array it may have kept only the beginning.
    """
    for name, value in uniforms.items():
        uniform = program.get(name, None)
        if isinstance(uniform, moderngl.Uniform):
            gl_type: int = uniform.gl_type  # type: ignore[attr-defined]  # missing in moderngl's stubs
            kind = "i4" if gl_type in _INT_TYPES else "u4" if gl_type in _UINT_TYPES else "f4"
            with np.errstate(over="ignore"):  # a number beyond the shader's range becomes infinity there
                numbers = np.atleast_1d(np.asarray(value)).astype(kind)
            uniform.write(numbers[: uniform.dimension * uniform.array_length].tobytes())


def initial_uniforms(program: moderngl.Program | moderngl.ComputeShader) -> dict[str, bytes]:
    """Returns the initial values of a program's own uniforms (no samplers, no images), as bytes."""
    found = {}
    for name in program:
        uniform = program[name]
        if isinstance(uniform, moderngl.Uniform) and uniform.gl_type not in _SAMPLER_TYPES | _IMAGE_TYPES:  # type: ignore[attr-defined]
            found[name] = uniform.read()
    return found


# Of the OpenGL registry: GL_TEXTURE0, GL_TEXTURE_BINDING_2D.
_FIRST_UNIT, _BOUND_TEXTURE = 0x84C0, 0x8069


def bound_textures(count: int) -> list[int]:
    """Returns GL's names of the 2-d textures bound to the first `count` units; 0 for none."""
    from OpenGL.raw.GL.VERSION.GL_1_0 import glGetIntegerv
    from OpenGL.raw.GL.VERSION.GL_1_3 import glActiveTexture

    found = []
    for unit in range(count):
        glActiveTexture(_FIRST_UNIT + unit)
        name = ctypes.c_int()
        glGetIntegerv(_BOUND_TEXTURE, ctypes.byref(name))
        found.append(name.value)
    return found
