"""Sets the GL state of a pass before a draw, and resets it afterwards.

A pass must not depend on the user interface's state (blending and the scissor test are the classic
ones), nor leave its own state to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import moderngl

# Enums that moderngl has no name for (GL 3.3 core profile specification, §6.2).
_POLYGON_SMOOTH = 0x0B41
_STENCIL_TEST = 0x0B90
_DITHER = 0x0BD0
_COLOR_LOGIC_OP = 0x0BF2
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
    if compiles_twice := _compiles_twice(context, target):
        context.enable_direct(_COLOR_LOGIC_OP)
    _whole(target)
    target.use()  # last: moderngl applies a colour mask only here
    try:
        yield
    finally:
        if compiles_twice:
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


def _whole(target: moderngl.Framebuffer) -> None:
    """Opens the whole target to draws, every channel."""
    target.viewport = (0, 0, target.width, target.height)
    target.scissor = None  # type: ignore[assignment]  # None: no scissor test
    every = (True, True, True, True)
    count = len(target.color_attachments)
    target.color_mask = every if count == 1 else (every,) * count  # type: ignore[assignment]


def _compiles_twice(context: moderngl.Context, target: moderngl.Framebuffer) -> bool:
    """Whether the driver would compile every shader twice where once suffices.

    llvmpipe compiles a second version, for blocks of texels that a triangle covers whole, of shaders that neither blend
    nor read their target in another way: a shader's first draw takes twice as long, without a measurable
    gain. A logic operation prevents that and does not affect a target of floats (GL 4.6 core profile specification,
    §17.3.9), so that nothing else changes.
    """
    is_float = all(each.dtype in ("f2", "f4") for each in target.color_attachments)
    return is_float and is_llvmpipe(context)


def is_llvmpipe(context: moderngl.Context) -> bool:
    """Reports whether the driver is Mesa's for processors, which compiles a shader at its first draw."""
    return "llvmpipe" in context.info["GL_RENDERER"]


def clear_errors(context: moderngl.Context) -> None:
    """Clears GL errors of other code: moderngl would attribute them to its next call."""
    for _ in range(_MOST_ERRORS):
        if context.error == "GL_NO_ERROR":
            return
