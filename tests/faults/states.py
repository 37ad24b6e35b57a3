"""GL state and bindings that something else left behind, as hooks for `tests.faults.changes.OnBindDo`."""

from __future__ import annotations

import moderngl

from tests.faults.faulty_session import FaultySession, OnBind
from texelscope.pipeline.plan import Pass

_COLOR_LOGIC_OP = 0x0BF2  # of the OpenGL registry

_COLOR_LOGIC_OP = 0x0BF2


def blend(source: int, target: int) -> OnBind:
    """Blending left on: source factor · new + target factor · old."""

    def hook(session: FaultySession, each: Pass, program: moderngl.Program) -> None:
        session.context.disable_direct(_COLOR_LOGIC_OP)  # which a pass may have on, and which ends blending
        session.context.enable_only(moderngl.BLEND)
        session.context.disable_direct(_COLOR_LOGIC_OP)  # it comes before blending, and so ends it
        session.context.blend_func = source, target

    return hook


def scissor(left: float, top: float, right: float, bottom: float) -> OnBind:
    """A scissor rectangle left on, in shares of the target's width and height."""

    def hook(session: FaultySession, each: Pass, program: moderngl.Program) -> None:
        target = session.context.fbo
        x, y = int(left * target.width), int(top * target.height)
        target.scissor = (x, y, int(right * target.width) - x, int(bottom * target.height) - y)

    return hook


def viewport(width: float, height: float) -> OnBind:
    """The viewport of another target, in shares of this one's width and height."""

    def hook(session: FaultySession, each: Pass, program: moderngl.Program) -> None:
        target = session.context.fbo
        target.viewport = (0, 0, round(width * target.width), round(height * target.height))

    return hook


def mask(lanes: tuple[bool, bool, bool, bool]) -> OnBind:
    """A colour mask left on."""

    def hook(session: FaultySession, each: Pass, program: moderngl.Program) -> None:
        session.context.fbo.color_mask = lanes
        session.context.fbo.use()  # the mask takes effect here

    return hook


def bound_output(uniform: str) -> OnBind:
    """The sampler shows the texture that is being drawn into."""

    def hook(session: FaultySession, each: Pass, program: moderngl.Program) -> None:
        session.texture(each.output).use(session.unit(each, uniform))

    return hook


def bound_other(uniform: str, key: str) -> OnBind:
    """The sampler shows the texture of another tensor."""

    def hook(session: FaultySession, each: Pass, program: moderngl.Program) -> None:
        session.texture(key).use(session.unit(each, uniform))

    return hook


def bound_in_turns(uniform: str, key: str) -> OnBind:
    """Every second draw the sampler shows another tensor, as when two buffers are swapped once too often."""

    def hook(session: FaultySession, each: Pass, program: moderngl.Program) -> None:
        if session.draws % 2:
            session.texture(key).use(session.unit(each, uniform))

    return hook


def ticking(uniform: str) -> OnBind:
    """A uniform that is another one on every draw: a clock, a frame counter."""

    def hook(session: FaultySession, each: Pass, program: moderngl.Program) -> None:
        if uniform in program:
            program[uniform].value = float(session.draws)  # type: ignore[union-attr]

    return hook


def steady(uniform: str) -> OnBind:
    """A uniform of zero that the compiler does not know."""

    def hook(session: FaultySession, each: Pass, program: moderngl.Program) -> None:
        if uniform in program:
            program[uniform].value = 0.0  # type: ignore[union-attr]

    return hook
