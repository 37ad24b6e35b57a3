"""Records reads without storage buffers: fragments of a small target run one output texel's shader, three reads each.

A first fragment says how many reads there are. Then the target is as large as they need. The author's gl_FragCoord is
that of the one texel everywhere. What the vertex shader hands on depends on the place, though: such a shader is drawn a
fragment at a time, with the viewport moved so that the fragment lies where the texel does.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.read_trace.instrument import Instrumented
from texelscope.pipeline.read_trace.recording import ReadRecording

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.gl.session import Session

# Colour attachments: how many reads there are, then who and what for each of three reads (shaders/taps/scan_main.glsl).
TARGETS = 7
READS_A_FRAGMENT = 3
MAX_READS = 1 << 15
_COLUMNS = 256

Texels = NDArray[np.float32]


def scan(
    session: Session,
    each: Pass,
    instrumented: Instrumented,
    program: moderngl.Program,
    array: moderngl.VertexArray,
    place: tuple[int, int, int],
) -> ReadRecording:
    """The reads for lane `place[2]` of output texel (place[0], place[1]); raises UnsupportedError for too many."""
    scanner = _Scanner(session, each, program, array, place)
    count = int(scanner.draw((1, 1), moved=instrumented.interpolates)[0, 0, 0, 0])
    if count > MAX_READS:
        raise UnsupportedError(
            f"taps of '{each.name}'", f"at most {MAX_READS} reads for one element without storage buffers", str(count),
            "Choose a smaller layer, or a driver with OpenGL 4.3.",
        )  # fmt: skip
    fragments = max(math.ceil(count / READS_A_FRAGMENT), 1)
    size = (min(fragments, _COLUMNS), math.ceil(fragments / _COLUMNS))
    colours = scanner.draw(size, moved=instrumented.interpolates)
    # [who or value, read, four]
    kept = colours[1:].reshape(READS_A_FRAGMENT, 2, -1, 4).transpose(1, 2, 0, 3).reshape(2, -1, 4)[:, :count]
    who = kept[0].astype(np.int64)
    return ReadRecording(
        instrumented.samplers,
        instrumented.sites,
        who[:, 0] >> 4,
        who[:, 1],
        who[:, 0] & 0xF,
        kept[0, :, 2:].astype(np.float64),
        kept[1],
    )


class _Scanner:
    def __init__(
        self,
        session: Session,
        each: Pass,
        program: moderngl.Program,
        array: moderngl.VertexArray,
        place: tuple[int, int, int],
    ) -> None:
        self._session = session
        self._pass = each
        self._program = program
        self._array = array
        self._place = place

    def draw(self, size: tuple[int, int], *, moved: bool) -> Texels:
        """[target, height, width, 4] of fragments of a target of that width and height."""
        context, (width, height) = self._session.context, size
        targets = [context.texture(size, 4, dtype="f4", alignment=1) for _ in range(TARGETS)]
        framebuffer = context.framebuffer(targets)
        try:
            with pass_state(context, framebuffer):
                framebuffer.clear()
                self._session.bind(self._pass, self._program)
                tx, ty, lane = self._place
                for name, value in (("u_tap_texel", (tx, ty)), ("u_tap_lane", lane), ("u_tap_columns", width)):
                    self._set(name, value)
                if moved:
                    self._one_by_one(framebuffer, width, height)
                else:
                    self._set("u_tap_first", 0)
                    self._array.render(vertices=3)
            read = [np.frombuffer(target.read(alignment=1), dtype=np.float32) for target in targets]
            return np.stack(read).reshape(TARGETS, height, width, 4)
        finally:
            framebuffer.release()
            for target in targets:
                target.release()

    def _one_by_one(self, framebuffer: moderngl.Framebuffer, width: int, height: int) -> None:
        """Each fragment with the viewport of the pass's own target, moved so that the texel comes to lie on it."""
        rows, columns = self._session.plan.textures[self._pass.output].texture_shape
        tx, ty, _ = self._place
        self._set("u_tap_first", 0)
        for y in range(height):
            for x in range(width):
                framebuffer.viewport = (x - tx, y - ty, columns, rows)
                framebuffer.scissor = (x, y, 1, 1)
                framebuffer.use()
                self._array.render(vertices=3)

    def _set(self, name: str, value: int | tuple[int, int]) -> None:
        if name in self._program:
            self._program[name].value = value  # type: ignore[union-attr]
