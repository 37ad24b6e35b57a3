"""Draws the live texture into a picture of the panel's size by a shader; nothing is read back.

A picture is redrawn only when something that it shows has changed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.export import colour_maps
from texelscope.pipeline.gl.program import compiled
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.other_stages import default_vertex_shader
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.canvas.relaid import RelaidTextures
from texelscope.viewer.canvas.spread import Spread, Spreads
from texelscope.viewer.canvas.thumbnails import Thumbnails
from texelscope.viewer.colour.picture import NAME, has_opacity
from texelscope.viewer.colour.ranges import BACKGROUND, unit_of
from texelscope.viewer.state import ViewMode

# Difference over bound is shown from -4 to 4 bounds: 1, where a mismatch begins, is well off the middle.
RATIO_RANGE = (-4.0, 4.0)


@dataclass(frozen=True)
class Picture:
    """What one picture shows: everything whose change requires redrawing.

    `generation` is the session's for the texture. `oracle` and `unwritten` are the numbers of their comparisons, 0 for
    none; `chained` selects one of a comparison's two values of a tensor. `layout` is the displayed one, `colours` the
    map of single lanes (`viewer.colour.ranges`), if any was chosen. A layout that is a picture
    (`viewer.colour.picture`) is shown in its own colours, encoded for a screen if they are `linear`; values outside
    `nominal`, if that is given, are marked.
    """

    key: str
    generation: int
    mode: ViewMode
    origin: tuple[float, float]
    pixels_per_texel: float
    size: tuple[int, int]
    value_range: tuple[float, float]
    lanes: tuple[bool, ...]
    seam: float
    mark_negative: bool
    oracle: int = 0
    chained: bool = False
    unwritten: int = 0
    layout: str = ""
    colours: str = ""
    linear: bool = False
    nominal: tuple[float, float] | None = None


class Canvas:
    """Draws pictures of stored tensors; keeps the oracle's textures and one target a slot."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        fragment = read_shader("viewer/canvas.frag.glsl")
        self._program = compiled(context, default_vertex_shader(fragment), fragment)
        self._array = context.vertex_array(self._program, [])
        self._maps = {name: self._map_texture(name) for name in colour_maps.names()}
        self._empty = context.texture((1, 1), 4, dtype="f4")
        self._targets: dict[str, tuple[moderngl.Framebuffer, Picture | None]] = {}
        self._oracles: dict[str, tuple[tuple[StoredTensor, int, bool], moderngl.Texture, moderngl.Texture]] = {}
        self._paddings: dict[str, tuple[StoredTensor, int, moderngl.Texture]] = {}
        self._held: dict[str, tuple[int, moderngl.Texture]] = {}
        self._uniforms: dict[str, Any] = {}
        self._relaid = RelaidTextures(context)
        self._spreads = Spreads(context)
        self.thumbnails = Thumbnails(context, self._maps)
        self.most_texels = int(context.info["GL_MAX_TEXTURE_SIZE"])
        self.drawn_count = 0
        # Panes of different runs keep what is theirs apart, under this beginning of their names.
        self.pane = ""
        self.context = context

    def release(self) -> None:
        """Frees all GL objects."""
        self.forget()
        self.thumbnails.release()
        self._spreads.release()
        for texture in (*self._maps.values(), self._empty):
            texture.release()
        self._array.release()
        self._program.release()

    def forget(self) -> None:
        """Drops what was made for a closed session: pictures, and textures of its oracle and its padding."""
        for framebuffer, _ in self._targets.values():
            framebuffer.color_attachments[0].release()
            framebuffer.release()
        for _, value, bound in self._oracles.values():
            value.release()
            bound.release()
        for *_, padding in self._paddings.values():
            padding.release()
        for _, texture in self._held.values():
            texture.release()
        self._relaid.forget()
        self._spreads.forget()
        self.thumbnails.forget()
        for known in (self._targets, self._oracles, self._paddings, self._held):
            known.clear()

    def hold(self, name: str, number: int, texels: NDArray[np.float32]) -> moderngl.Texture:
        """Returns a texture of texels [height, width, lanes] from elsewhere, kept as `name` until `number` changes."""
        name = f"{self.pane}{name}"
        known = self._held.get(name)
        if known is not None and known[0] == number:
            return known[1]
        if known is not None:
            known[1].release()
        height, width, lanes = texels.shape
        data = np.ascontiguousarray(texels, dtype=np.float32).tobytes()
        texture = self._context.texture((width, height), lanes, data, dtype="f4", alignment=1)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._held[name] = (number, texture)
        return texture

    def in_layout(
        self, live: moderngl.Texture, stored: StoredTensor, shown: StoredTensor, generation: int
    ) -> moderngl.Texture:
        """Returns the texture `live` of a tensor `stored` so, or a copy in the layout of `shown`."""
        return live if stored.layout == shown.layout else self._relaid.texture(live, stored, shown, generation)

    def draw(
        self,
        slot: str,
        texture: moderngl.Texture,
        stored: StoredTensor,
        expected: Expected | None,
        picture: Picture,
        unwritten: NDArray[np.bool_] | None = None,
    ) -> moderngl.Texture:
        """Draws the picture as a texture of `picture.size`, for the place called `slot`; row 0 is the top.

        `unwritten` says, in the tensor's logical shape, which elements no fragment wrote.
        """
        framebuffer, shown = self._targets.get(slot, (None, None))
        if framebuffer is None or framebuffer.size != picture.size:
            framebuffer = self._new_target(framebuffer, picture.size)
            shown = None
        if shown != picture:
            self._render(framebuffer, texture, stored, expected, picture, unwritten)
        self._targets[slot] = (framebuffer, picture)
        return framebuffer.color_attachments[0]  # type: ignore[return-value]  # made with a texture

    def last(self, slot: str) -> tuple[moderngl.Texture, Picture] | None:
        """Returns what was drawn last for the place called `slot`."""
        framebuffer, picture = self._targets.get(slot, (None, None))
        if framebuffer is None or picture is None:
            return None
        return framebuffer.color_attachments[0], picture  # type: ignore[return-value]  # made with a texture

    def spread(  # noqa: PLR0913 - each is for one kind of caller
        self,
        what: ViewMode,
        source: Callable[[], moderngl.Texture],
        stored: StoredTensor,
        generation: int | str,
        expected: Expected | None = None,
        number: tuple[int, bool] = (0, False),
        seconds: float = 0.0,
        limits: tuple[float, float] | None = None,
    ) -> Spread:
        """Returns the range of the numbers shown as `what`: actual, oracle, or (any other mode) difference.

        Numbers outside `limits` are counted.

        An earlier result is reused while nothing has changed, and for that many `seconds` regardless. `generation`
        identifies the texture of `source`, `number` the comparison of `expected`, and whether end to end.
        """
        name = f"{self.pane}{_name_of_spread(what, stored, limits)}"
        state = (stored, generation if what is not ViewMode.ORACLE else 0, number if what is not ViewMode.ACTUAL else 0)
        known = self._spreads.known(name, state, seconds)
        if known is not None:
            return known
        height, width = stored.texture_shape
        is_padded = height * width * stored.layout.lanes != math.prod(stored.shape)
        padding = self._padding_texture(stored, None, 0) if is_padded else None
        oracle = self._oracle_textures(stored, expected, number)[0] if what is not ViewMode.ACTUAL else None
        if what is ViewMode.ORACLE and oracle is not None:
            return self._spreads.ask(name, state, oracle, stored.layout.lanes, padding, limits=limits)
        return self._spreads.ask(name, state, source(), stored.layout.lanes, padding, oracle, limits)

    def last_spread(self, what: ViewMode, stored: StoredTensor, limits: tuple[float, float] | None = None) -> Spread:
        """Returns what `spread` found last, however long ago; empty if it found nothing yet."""
        return self._spreads.known(f"{self.pane}{_name_of_spread(what, stored, limits)}", (), math.inf) or Spread()

    def _new_target(self, old: moderngl.Framebuffer | None, size: tuple[int, int]) -> moderngl.Framebuffer:
        if old is not None:
            old.color_attachments[0].release()
            old.release()
        texture = self._context.texture(size, 4)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        return self._context.framebuffer([texture])

    def _render(
        self,
        framebuffer: moderngl.Framebuffer,
        texture: moderngl.Texture,
        stored: StoredTensor,
        expected: Expected | None,
        picture: Picture,
        unwritten: NDArray[np.bool_] | None,
    ) -> None:
        oracle, bound = self._oracle_textures(stored, expected, (picture.oracle, picture.chained))
        differs = picture.mode in (ViewMode.DIFFERENCE, ViewMode.RATIO)
        table = picture.colours or ("signed" if picture.value_range[0] < 0.0 or differs else "unsigned")
        units = (
            texture,
            oracle,
            bound,
            self._padding_texture(stored, unwritten, picture.unwritten),
            self._maps[table],
        )
        names = ("t_actual", "t_oracle", "t_bound", "t_padding", "t_map")
        with pass_state(self._context, framebuffer):
            for unit, bound_texture in enumerate(units):
                bound_texture.use(unit)
            self._set({name: unit for unit, name in enumerate(names)} | _uniforms(stored, picture, differs=differs))
            self._array.render(moderngl.TRIANGLES, vertices=3)
        self.drawn_count += 1

    def _set(self, uniforms: Mapping[str, Any]) -> None:
        """Sets those uniforms that have changed: most pictures differ in few."""
        for name, value in uniforms.items():
            if self._uniforms.get(name) != value and name in self._program:
                self._program[name].value = value  # type: ignore[union-attr]
                self._uniforms[name] = value

    def _oracle_textures(
        self, stored: StoredTensor, expected: Expected | None, number: tuple[int, bool]
    ) -> tuple[moderngl.Texture, moderngl.Texture]:
        if expected is None:
            return self._empty, self._empty
        key, state = f"{self.pane}{_name(stored)}", (stored, *number)
        known = self._oracles.get(key)
        if known is not None and known[0] == state:
            return known[1:]
        if known is not None:
            known[1].release()
            known[2].release()
        bound = expected.bound if expected.bound is not None else np.zeros(np.shape(expected.value))
        made = (self._upload(stored, np.asarray(expected.value)), self._upload(stored, np.minimum(bound, 3e38)))
        self._oracles[key] = (state, *made)
        return made

    def _upload(self, stored: StoredTensor, values: np.ndarray) -> moderngl.Texture:
        height, width = stored.texture_shape
        with np.errstate(over="ignore"):  # the oracle may exceed what the texture can hold
            texels = stored.encode(np.asarray(values, dtype=np.float32))
        texture = self._context.texture((width, height), stored.layout.lanes, texels.tobytes(), dtype="f4", alignment=1)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        return texture

    def _padding_texture(
        self, stored: StoredTensor, unwritten: NDArray[np.bool_] | None, number: int
    ) -> moderngl.Texture:
        """Returns a texture of 255 in lanes where the layout stores nothing, 128 where nothing was written, else 0."""
        key = _name(stored)
        known = self._paddings.get(key)
        if known is not None and known[:2] == (stored, number):
            return known[2]
        if known is not None:
            known[2].release()
        height, width = stored.texture_shape
        empty = np.zeros((height, width, stored.layout.lanes), dtype=np.uint8)
        if stored.layout.has_padding(stored.shape):
            empty[stored.layout.address(stored.shape) < 0] = 255
        if unwritten is not None:
            left = stored.layout.encode(unwritten.astype(np.float32).reshape(stored.shape)) > 0.0
            empty[left & (empty == 0)] = 128
        texture = self._context.texture((width, height), stored.layout.lanes, empty.tobytes(), alignment=1)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._paddings[key] = (stored, number, texture)
        return texture

    def _map_texture(self, name: str) -> moderngl.Texture:
        table = np.rint(colour_maps.table(name) * 255.0).astype(np.uint8)
        texture = self._context.texture((colour_maps.STEPS, 1), 3, table.tobytes(), alignment=1)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        return texture


def _name_of_spread(what: ViewMode, stored: StoredTensor, limits: tuple[float, float] | None) -> str:
    return f"{what} {_name(stored)}" + (f" {limits}" if limits is not None else "")


def _uniforms(stored: StoredTensor, picture: Picture, *, differs: bool) -> dict[str, Any]:
    """Returns the shader's uniforms for a picture, except textures."""
    low, high = picture.value_range
    high = high if high > low else low + 1.0
    unit = unit_of(low, high)
    return {
        "u_mode": int(picture.mode),
        "u_origin": picture.origin,
        "u_pixels_per_texel": picture.pixels_per_texel,
        "u_seam": picture.seam,
        "u_unit": unit,
        "u_range": (low * unit, high * unit),
        "u_ratio_range": RATIO_RANGE,
        "u_lanes": tuple(int(on) for on in picture.lanes),
        "u_lane_count": stored.layout.lanes,
        "u_mark_negative": picture.mark_negative,
        "u_mark_outside": picture.nominal is not None and not differs,
        "u_nominal": picture.nominal or (0.0, 1.0),
        "u_picture": stored.layout.name == NAME,
        "u_encoded": picture.linear and not differs,
        "u_opaque": differs or not has_opacity(stored.layout),
        "u_background": BACKGROUND,
    }


def _name(stored: StoredTensor) -> str:
    """Returns the key of what is kept for a tensor in a layout; a picture has one key for all its channels."""
    return f"{stored.key} {stored.layout.name}"
