"""Finds texels of a pass's targets that no fragment writes: drawn over two different backgrounds, they keep both.

A shader skips a texel by `discard`, a vertex shader by triangles that do not cover the target, and one of several
outputs may not be written at all. A pass without any of these is not drawn again. A compute shader writes anywhere,
and is always dispatched again.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.plan import Pass, ProgramSource, StoredTensor

# Exact in every storage but 8 bits, where each is the nearest step to one value only; as RGBA, by lane.
GROUNDS = (0.25, 0.75)
_DISCARD = re.compile(r"\bdiscard\b")

Mask = NDArray[np.bool_]


def may_leave_texels(shader_pass: Pass, program: ProgramSource) -> bool:
    """Reports whether a pass with this program could leave texels of its targets unwritten."""
    own_vertices = program.vertex is not None or shader_pass.dispatch is not None
    return (
        own_vertices or len(shader_pass.outputs) > 1 or _DISCARD.search(without_comments(program.fragment)) is not None
    )


def unwritten_texels(
    context: moderngl.Context, targets: list[moderngl.Texture], draw: Callable[[moderngl.Framebuffer], None]
) -> list[Mask]:
    """Returns, for each target, [height, width] of texels that `draw` does not write. The targets are overwritten."""
    framebuffer = context.framebuffer(targets)
    kept = [np.ones((target.height, target.width), dtype=bool) for target in targets]
    try:
        for ground in GROUNDS:
            framebuffer.clear(ground, ground, ground, ground)
            before = [target.read(alignment=1) for target in targets]
            draw(framebuffer)
            for mask, target, bytes_before in zip(kept, targets, before, strict=True):
                same = np.frombuffer(bytes_before, np.uint8) == np.frombuffer(target.read(alignment=1), np.uint8)
                mask &= same.reshape(target.height, target.width, -1).all(axis=2)
    finally:
        framebuffer.release()
    return kept


def kept_texels(textures: Callable[[], list[moderngl.Texture]], run: Callable[[], None]) -> list[Mask]:
    """Returns what `run` leaves unwritten in `textures`, as `unwritten_texels`, and restores these.

    The textures are requested at each read or write, so that their owner knows.
    """
    first = textures()
    held = [texture.read(alignment=1) for texture in first]
    kept = [np.ones((texture.height, texture.width), dtype=bool) for texture in first]
    for ground in GROUNDS:
        before = [_filled(texture, ground) for texture in textures()]
        run()
        for mask, texture, bytes_before in zip(kept, textures(), before, strict=True):
            same = np.frombuffer(bytes_before, np.uint8) == np.frombuffer(texture.read(alignment=1), np.uint8)
            mask &= same.reshape(texture.height, texture.width, -1).all(axis=2)
    for texture, data in zip(textures(), held, strict=True):
        texture.write(data, alignment=1)
    return kept


def _filled(texture: moderngl.Texture, ground: float) -> bytes:
    """Fills every lane of the texture with `ground`; returns its new bytes."""
    count = texture.height * texture.width * texture.components
    number = round(ground * 255.0) if texture.dtype == "f1" else ground
    data = np.full(count, number, {"f1": np.uint8, "f2": np.float16, "f4": np.float32}[texture.dtype]).tobytes()
    texture.write(data, alignment=1)
    return data


def elements_of(texels: Mask, stored: StoredTensor) -> Mask:
    """Converts a mask of texels [height, width] to one of the tensor's elements, in its logical shape."""
    lanes = np.repeat(texels[:, :, None], stored.layout.lanes, axis=2)
    return stored.layout.decode(lanes.astype(np.float32), stored.shape) > 0.0
