"""From where to where the numbers of a texture run, asked of the GPU: a few thousand numbers are read, not the texture.

So a picture has its range as soon as there is something to see, whether or not anything was compared.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass

import moderngl
import numpy as np

from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.default_vertex import default_vertex_shader

# Blocks across and down that a texture is cut into, each reduced by one fragment.
BLOCKS = 64


@dataclass(frozen=True)
class Spread:
    """Least and greatest finite number, and how many are not finite. Without a finite one `low` is above `high`."""

    low: float = math.inf
    high: float = -math.inf
    nan: int = 0
    infinite: int = 0

    def __or__(self, other: Spread) -> Spread:
        """That of both together."""
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Spread(low, high, self.nan + other.nan, self.infinite + other.infinite)

    @property
    def range(self) -> tuple[float, float]:
        """From the least finite number to the greatest; (0, 1) where none is finite."""
        return (self.low, self.high) if self.low <= self.high else (0.0, 1.0)


class Spreads:
    """What was asked, by name, for as long as nothing is otherwise."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        fragment = read_shader("viewer/spread.frag.glsl")
        self._program = context.program(vertex_shader=default_vertex_shader(fragment), fragment_shader=fragment)
        for unit, name in enumerate(("t_actual", "t_oracle", "t_padding")):
            self._program[name].value = unit  # type: ignore[union-attr]
        self._array = context.vertex_array(self._program, [])
        self._target = context.framebuffer([context.texture((BLOCKS, BLOCKS), 4, dtype="f4")])
        self._known: dict[str, tuple[tuple[object, ...], float, Spread]] = {}
        self.asked_count = 0

    def release(self) -> None:
        """Frees all GL objects."""
        self._target.color_attachments[0].release()
        for each in (self._target, self._array, self._program):
            each.release()

    def forget(self) -> None:
        """For another session."""
        self._known.clear()

    def known(self, name: str, state: tuple[object, ...], seconds: float = 0.0) -> Spread | None:
        """What was found under `name` in that `state`, or in any other no longer than `seconds` ago."""
        known = self._known.get(name)
        if known is None or (known[0] != state and time.monotonic() - known[1] > seconds):
            return None
        return known[2]

    def ask(
        self,
        name: str,
        state: tuple[object, ...],
        texture: moderngl.Texture,
        lanes: int,
        padding: moderngl.Texture | None = None,
        oracle: moderngl.Texture | None = None,
    ) -> Spread:
        """The spread of a texture, or of its difference from the `oracle`'s, without the lanes that `padding` marks."""
        block = tuple(max(math.ceil(side / BLOCKS), 1) for side in texture.size)
        uniforms: Mapping[str, object] = {
            "u_difference": oracle is not None,
            "u_padded": padding is not None,
            "u_lane_count": lanes,
            "u_block": block,
        }
        with pass_state(self._context, self._target):
            for unit, each in enumerate((texture, oracle or texture, padding or texture)):
                each.use(unit)
            for uniform, value in uniforms.items():
                self._program[uniform].value = value  # type: ignore[union-attr]
            self._array.render(moderngl.TRIANGLES, vertices=3)
        self.asked_count += 1
        blocks = np.frombuffer(self._target.read(components=4, dtype="f4"), np.float32).reshape(-1, 4)
        counts = blocks[:, 2:].sum(axis=0, dtype=np.float64)
        found = Spread(float(blocks[:, 0].min()), float(blocks[:, 1].max()), int(counts[0]), int(counts[1]))
        self._known[name] = (state, time.monotonic(), found)
        return found
