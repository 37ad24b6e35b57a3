"""Compares what a traced shader wrote with what the pass wrote when it ran, bit by bit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gl.program import compiled
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.other_stages import default_vertex_shader
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.step_trace.trace import Number

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.gl.session import Session


def agrees_with_targets(
    session: Session, shader_pass: Pass, traced: moderngl.Framebuffer, texel: tuple[int, int]
) -> bool | None:
    """Whether the pass wrote the bits that stand in the targets of its traced version; None if it did not run last."""
    if not _has_run(session, shader_pass):
        return None
    own = session.context.framebuffer([session.texture(key) for key in shader_pass.outputs])
    try:
        viewport = (*texel, 1, 1)
        return all(
            own.read(viewport, 4, attachment=number, dtype="f4")
            == traced.read(viewport, 4, attachment=number, dtype="f4")
            for number in range(len(shader_pass.outputs))
        )
    finally:
        own.release()


def agrees_with_outputs(
    session: Session,
    shader_pass: Pass,
    outputs: Mapping[str, tuple[Number, ...]],
    locations: Mapping[str, int],
    texel: tuple[int, int],
) -> bool | None:
    """Whether the pass wrote what its traced version logged as outputs; None if it did not run last, or one is missing.

    `locations` are the numbers of the outputs' targets, by name.
    """
    values = {locations[name]: value for name, value in outputs.items() if name in locations}
    if not _has_run(session, shader_pass) or any(number not in values for number in range(len(shader_pass.outputs))):
        return None
    own = session.context.framebuffer([session.texture(key) for key in shader_pass.outputs])
    try:
        for number, key in enumerate(shader_pass.outputs):
            texture = session.texture(key)
            lanes = min(len(values[number]), texture.components)
            read = np.frombuffer(own.read((*texel, 1, 1), 4, attachment=number, dtype="f4"), np.float32)[:lanes]
            stored = _stored(session, values[number], texture)[:lanes]
            same = read.view(np.uint32) == stored.view(np.uint32)
            if not np.all(same | (np.isnan(read) & np.isnan(stored))):
                return False
        return True
    finally:
        own.release()


def _has_run(session: Session, shader_pass: Pass) -> bool:
    return session.has_run(shader_pass.name) and session.form(shader_pass.name) is None


def _stored(session: Session, value: tuple[Number, ...], texture: moderngl.Texture) -> NDArray[np.float32]:
    """Returns an output as a texture of that kind holds it: the driver itself rounds it."""
    lanes = np.zeros(4, np.float32)
    lanes[: len(value)] = value
    if texture.dtype == "f4":
        return lanes
    context = session.context
    fragment = read_shader("step_trace/stored.frag.glsl")
    program = compiled(context, default_vertex_shader(fragment), fragment)
    array, target = session.geometry(program), context.texture((1, 1), texture.components, dtype=texture.dtype)
    framebuffer = context.framebuffer([target])
    try:
        with pass_state(context, framebuffer):
            program["u_value"].write(lanes.tobytes())  # type: ignore[union-attr]
            array.render(vertices=3)
        return np.frombuffer(framebuffer.read(components=4, dtype="f4"), np.float32)
    finally:
        for each in (framebuffer, target, array, program):
            each.release()
