"""Draws the thumbnails in the list of layers: cells of sheets, all stale ones at once.

A sheet is one texture; from cell to cell only the source texture changes, which is far cheaper than a target for each
thumbnail.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gl.program import compiled
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.colour.picture import GreyPicture
from texelscope.viewer.colour.ranges import BACKGROUND, Range, shown_range, unit_of

# The side in pixels at 96 dpi.
SIDE_PIXELS = 40
THINNEST_PIXELS = 6.0
# During live runs a thumbnail is redrawn when it is this old, in seconds.
LIVE_SECONDS = 0.2
# Cells in a row and in a column of a sheet.
A_SIDE = 8
# A vertex: a corner, then the cell's attributes in shaders/viewer/thumbnail.frag.glsl.
_FORMAT = "2f 4f 4f 1f"
_NAMES = ("a_corner", "a_place", "a_values", "a_lanes")
_CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))
_FLOATS = 4 * 11


@dataclass(frozen=True)
class Thumbnail:
    """A picture's place: in `texture` from `low` to `high`, each from 0 to 1; row 0 is the top."""

    texture: moderngl.Texture
    low: tuple[float, float]
    high: tuple[float, float]


@dataclass
class _Cell:
    """What is drawn in a cell, or waits to be."""

    number: int
    stored: StoredTensor
    value_range: tuple[float, float]
    vertices: NDArray[np.float32]
    texture: moderngl.Texture
    generation: int = -1
    drawn_at: float = -1.0


class Thumbnails:
    """Thumbnails of a session's tensors, by key; `maps` are the colour maps. `draw` draws what waits since the last."""

    def __init__(self, context: moderngl.Context, maps: Mapping[str, moderngl.Texture]) -> None:
        self._context = context
        self._maps = maps
        self._program = compiled(
            context, read_shader("viewer/thumbnail.vert.glsl"), read_shader("viewer/thumbnail.frag.glsl")
        )
        for unit, name in enumerate(("t_actual", "t_padding", "t_map")):
            self._program[name].value = unit  # type: ignore[union-attr]
        self._program["u_background"].value = BACKGROUND  # type: ignore[union-attr]
        self._buffer = context.buffer(reserve=4 * _FLOATS * A_SIDE**2)
        self._array = context.vertex_array(self._program, [(self._buffer, _FORMAT, *_NAMES)])
        self._none = context.texture((1, 1), 1, b"\0")
        self._sheets: list[moderngl.Framebuffer] = []
        self._cells: dict[str, _Cell] = {}
        self._paddings: dict[str, tuple[StoredTensor, moderngl.Texture | None]] = {}
        self._waiting: dict[str, _Cell] = {}
        self._pixels = 0
        self.drawn_count = 0

    def release(self) -> None:
        """Frees all GL objects."""
        self.forget()
        for item in (self._array, self._buffer, self._program, self._none):
            item.release()

    def forget(self) -> None:
        """Drops what was made for a closed session."""
        for sheet in self._sheets:
            sheet.color_attachments[0].release()
            sheet.release()
        for _, padding in self._paddings.values():
            if padding is not None:
                padding.release()
        for known in (self._sheets, self._cells, self._paddings, self._waiting):
            known.clear()

    def last(self, key: str, seconds: float) -> Thumbnail | None:
        """Returns a tensor's last picture, if it is no older than `seconds`."""
        cell = self._cells.get(key)
        if cell is None or time.monotonic() - cell.drawn_at > seconds:
            return None
        return self._place(cell)

    def of(
        self,
        stored: StoredTensor,
        texture: moderngl.Texture,
        generation: int,
        data_range: tuple[float, float],
        scale: float = 1.0,
    ) -> Thumbnail:
        """Returns the place of a tensor's picture, which the next `draw` redraws if it has changed.

        `generation` is the session's for the texture, `data_range` that of its values.
        """
        pixels = max(int(SIDE_PIXELS * scale), 1)
        if pixels != self._pixels:
            self.forget()
            self._pixels = pixels
        cell = self._cells.get(stored.key)
        if cell is None or cell.stored != stored or cell.value_range != data_range:
            number = cell.number if cell is not None else len(self._cells)
            vertices = self._vertices(number % A_SIDE**2, stored, data_range, scale)
            cell = self._cells[stored.key] = _Cell(number, stored, data_range, vertices, texture)
        if cell.generation != generation:
            cell.generation, cell.texture = generation, texture
            self._waiting[stored.key] = cell
        return self._place(cell)

    def draw(self) -> None:
        """Draws what waits."""
        if not self._waiting:
            return
        paddings = {key: self._padding(cell.stored) for key, cell in self._waiting.items()}
        now = time.monotonic()
        for number, sheet in enumerate(self._sheets):
            cells = [cell for cell in self._waiting.values() if cell.number // A_SIDE**2 == number]
            if cells:
                self._draw(sheet, cells, paddings)
            for cell in cells:
                cell.drawn_at = now
        self.drawn_count += len(self._waiting)
        self._waiting.clear()

    def _draw(
        self, sheet: moderngl.Framebuffer, cells: Sequence[_Cell], paddings: Mapping[str, moderngl.Texture]
    ) -> None:
        self._buffer.orphan()
        self._buffer.write(np.concatenate([cell.vertices for cell in cells]).tobytes())
        with pass_state(self._context, sheet):
            for index, cell in enumerate(cells):
                cell.texture.use(0)
                paddings[cell.stored.key].use(1)
                self._maps["signed" if cell.value_range[0] < 0.0 else "unsigned"].use(2)
                self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, first=4 * index)

    def _place(self, cell: _Cell) -> Thumbnail:
        number, place = divmod(cell.number, A_SIDE**2)
        while number >= len(self._sheets):
            side = A_SIDE * self._pixels
            sheet = self._context.texture((side, side), 4, bytes(4 * side * side))
            sheet.filter = (moderngl.NEAREST, moderngl.NEAREST)
            self._sheets.append(self._context.framebuffer([sheet]))
        x, y = place % A_SIDE, place // A_SIDE
        texture: moderngl.Texture = self._sheets[number].color_attachments[0]  # type: ignore[assignment]
        return Thumbnail(texture, (x / A_SIDE, y / A_SIDE), ((x + 1) / A_SIDE, (y + 1) / A_SIDE))

    def _vertices(
        self, place: int, stored: StoredTensor, data_range: tuple[float, float], scale: float
    ) -> NDArray[np.float32]:
        """Returns vertices that show the whole texture in a square, or the beginning of a long thin one."""
        height, width = stored.texture_shape
        pixels = self._pixels
        zoom = max(pixels / max(width, height), min(THINNEST_PIXELS * scale / min(width, height), pixels))
        origin = (min(width - pixels / zoom, 0.0) / 2.0, min(height - pixels / zoom, 0.0) / 2.0)
        low, high = shown_range(Range(), *data_range)
        unit = unit_of(low, high)
        x, y = place % A_SIDE, place // A_SIDE
        lanes = 0 if isinstance(stored.layout, GreyPicture) else stored.layout.lanes
        shown = (x * pixels, y * pixels, *origin, low * unit, high * unit, unit, zoom, lanes)
        corners = [(2.0 * (x + dx) / A_SIDE - 1.0, 2.0 * (y + dy) / A_SIDE - 1.0) for dx, dy in _CORNERS]
        return np.array([(*corner, *shown) for corner in corners], dtype=np.float32)

    def _padding(self, stored: StoredTensor) -> moderngl.Texture:
        """Returns a texture with 255 where no lane of a texel holds anything; a single texel if there is no padding."""
        known = self._paddings.get(stored.key)
        if known is None or known[0] != stored:
            if known is not None and known[1] is not None:
                known[1].release()
            texture = None
            has_padding = stored.layout.has_padding(stored.shape)
            empty = (stored.layout.address(stored.shape) < 0).all(axis=-1) if has_padding else None
            if empty is not None and empty.any():
                height, width = empty.shape
                texture = self._context.texture((width, height), 1, (empty * np.uint8(255)).tobytes(), alignment=1)
                texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
            known = self._paddings[stored.key] = (stored, texture)
        return known[1] or self._none
