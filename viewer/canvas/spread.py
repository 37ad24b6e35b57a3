"""Measures the range of a texture's numbers on the GPU; a few thousand numbers are read back, not the texture.

So a picture has its range as soon as there is something to show, even before a comparison.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass

import moderngl
import numpy as np

from texelscope.pipeline.gl.program import compiled
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.other_stages import default_vertex_shader

# A texture is divided into this many blocks across and down, each reduced by one fragment.
BLOCKS = 64


@dataclass(frozen=True)
class Spread:
    """Least and greatest finite number, and how many are not finite. Without a finite one `low` is above `high`.

    `below` and `above` are how many finite numbers lie outside the limits that were asked about, if any were.
    """

    low: float = math.inf
    high: float = -math.inf
    nan: int = 0
    infinite: int = 0
    below: int = 0
    above: int = 0

    def __or__(self, other: Spread) -> Spread:
        """Combines both."""
        low, high = min(self.low, other.low), max(self.high, other.high)
        odd = (self.nan + other.nan, self.infinite + other.infinite)
        return Spread(low, high, *odd, self.below + other.below, self.above + other.above)

    @property
    def range(self) -> tuple[float, float]:
        """The range from the least finite number to the greatest; (0, 1) if none is finite."""
        return (self.low, self.high) if self.low <= self.high else (0.0, 1.0)


class Spreads:
    """Measures ranges and keeps them by name while nothing changes."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        fragment = read_shader("viewer/spread.frag.glsl")
        self._program = compiled(context, default_vertex_shader(fragment), fragment)
        for unit, name in enumerate(("t_actual", "t_oracle", "t_padding")):
            self._program[name].value = unit  # type: ignore[union-attr]
        self._array = context.vertex_array(self._program, [])
        self._target = context.framebuffer([context.texture((BLOCKS, BLOCKS), lanes, dtype="f4") for lanes in (4, 2)])
        self._known: dict[str, tuple[tuple[object, ...], float, Spread]] = {}
        self.asked_count = 0

    def release(self) -> None:
        """Frees all GL objects."""
        for each in (*self._target.color_attachments, self._target, self._array, self._program):
            each.release()

    def forget(self) -> None:
        """Drops all results, for another session."""
        self._known.clear()

    def known(self, name: str, state: tuple[object, ...], seconds: float = 0.0) -> Spread | None:
        """Returns the result for `name` in that `state`, or in any other no longer than `seconds` ago."""
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
        limits: tuple[float, float] | None = None,
    ) -> Spread:
        """Measures a texture, or its difference from `oracle`, without the lanes that `padding` marks.

        Numbers outside `limits` are counted.
        """
        block = tuple(max(math.ceil(side / BLOCKS), 1) for side in texture.size)
        uniforms: Mapping[str, object] = {
            "u_difference": oracle is not None,
            "u_padded": padding is not None,
            "u_lane_count": lanes,
            "u_block": block,
            "u_limits": limits or (-math.inf, math.inf),
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
        outside = (0, 0)
        if limits is not None:
            sides = np.frombuffer(self._target.read(components=2, attachment=1, dtype="f4"), np.float32)
            below, above = sides.reshape(-1, 2).sum(axis=0, dtype=np.float64)
            outside = (int(below), int(above))
        found = Spread(float(blocks[:, 0].min()), float(blocks[:, 1].max()), int(counts[0]), int(counts[1]), *outside)
        self._known[name] = (state, time.monotonic(), found)
        return found
