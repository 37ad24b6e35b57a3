"""Paints a scene as a picture: materials, window panes, door panels, and the shadows that parts cast.

Colours are sRGB values in 0..1 and are mixed as such. Everything is a fixed function of the scene and of the
place in the picture: there is no noise, so a network can learn nearly all of it from the label map. Bricks,
stones and tiles repeat every 4, 8 or 16 pixels, whole steps of the network's strides.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from examples.facades.building import SIDE, Part, label_map
from examples.facades.classes import Label

Picture = NDArray[np.float32]

_SHADOW_DEPTH = {Label.CORNICE: 3, Label.BALCONY: 4, Label.AWNING: 6, Label.TILES: 3, Label.SLATE: 3}
_NEVER_SHADED = (Label.SKY, Label.GROUND, Label.CORNICE, Label.AWNING, Label.BALCONY, Label.PLANT)

_WHITE = np.array([0.95, 0.94, 0.90], dtype=np.float32)
_DARK_GLASS = np.array([0.13, 0.18, 0.25], dtype=np.float32)
_SKY_GLASS = np.array([0.60, 0.74, 0.88], dtype=np.float32)


def paint_scene(parts: list[Part]) -> NDArray[np.uint8]:
    """Return the picture of a scene, [128, 128, 3]."""
    picture = _sky().copy()
    for part in parts:
        box = picture[part.top : part.bottom, part.left : part.right]
        cover = part.coverage()[..., None]
        box[:] = box * (1 - cover) + _PAINTERS[part.label](part) * cover
    picture *= _light(label_map(parts))[..., None]
    return np.asarray(np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)


def _light(labels: NDArray[np.uint8]) -> Picture:
    """Return the brightness of each pixel: shadows below projecting parts, and daylight from the left."""
    light = np.ones((SIDE, SIDE), dtype=np.float32)
    for label, depth in _SHADOW_DEPTH.items():
        caster = labels == label
        for distance in range(depth, 0, -1):
            below = np.zeros_like(caster)
            below[distance:, 1:] = caster[:-distance, :-1]
            shade = 0.52 + 0.40 * (distance - 1) / depth
            light = np.where(below, np.minimum(light, np.float32(shade)), light)
    light[np.isin(labels, _NEVER_SHADED)] = 1
    daylight = np.linspace(1.06, 0.92, SIDE, dtype=np.float32)[None, :]
    return np.where(labels == Label.SKY, light, light * daylight)


def _rgb(red: float, green: float, blue: float) -> Picture:
    return np.array([red, green, blue], dtype=np.float32)


def _mix(start: Picture, end: Picture, share: Picture) -> Picture:
    """Blend two colours; `share` [height, width] is that of `end`."""
    return start + (end - start) * share[..., None]


def _grid() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    return y, x


def _waves(period_y: float, period_x: float, phase: float) -> Picture:
    y, x = _grid()
    return np.asarray(np.sin(2 * np.pi * (y / period_y + x / period_x) + phase), dtype=np.float32)


@cache
def _sky() -> Picture:
    y, _ = _grid()
    height = np.asarray(y / (SIDE - 1), dtype=np.float32)
    sky = _mix(_rgb(0.33, 0.56, 0.86), _rgb(0.86, 0.92, 0.97), np.clip(height * 1.6, 0, 1))
    cloud = _waves(40, 90, 0.3) + _waves(23, -61, 1.0) + 0.6 * _waves(17, 37, 2.0)
    return _mix(sky, np.array(_WHITE), np.asarray(np.clip(cloud - 0.7, 0, 1) * 0.6, dtype=np.float32))


@cache
def _weather() -> Picture:
    """Return the slow change of brightness over a wall, [128, 128] around 1."""
    return 1 + 0.025 * (_waves(64, 128, 0.0) + _waves(48, -96, 1.3))


def _courses(height: int, length: int, joint: float) -> tuple[Picture, Picture]:
    """Return masks [128, 128] of the joints and of a tone per stone (-1..1) for staggered rows of stones."""
    y, x = _grid()
    row = y // height
    along = x + (row % 2) * (length // 2)
    joints = np.where((y % height == height - 1) | (along % length == length - 1), joint, 0)
    tone = np.sin(2.4 * (row % 4) + 3.9 * (along // length % 2) + 1.0)
    return joints.astype(np.float32), tone.astype(np.float32)


@cache
def _brick() -> Picture:
    joints, tone = _courses(4, 8, 0.55)
    stone = _rgb(0.64, 0.31, 0.23) * (1 + 0.10 * tone * _weather())[..., None]
    return _mix(stone, _rgb(0.82, 0.72, 0.63), joints) * _weather()[..., None]


@cache
def _stone() -> Picture:
    joints, tone = _courses(8, 16, 0.7)
    stone = _rgb(0.74, 0.69, 0.58) * (1 + 0.05 * tone)[..., None]
    lit = np.roll(joints, 1, axis=0) * 0.25
    return _mix(_mix(stone, np.array(_WHITE), lit), _rgb(0.45, 0.40, 0.33), joints) * _weather()[..., None]


@cache
def _plaster() -> Picture:
    y, _ = _grid()
    damp = np.clip((y - 84) / 32, 0, 1).astype(np.float32)
    wall = _mix(_rgb(0.95, 0.86, 0.66), _rgb(0.84, 0.73, 0.55), damp)
    return wall * (_weather() ** 1.5)[..., None]


@cache
def _roof(label: Label) -> Picture:
    """Rows of roof tiles, each dark where the row above overlaps it, its lower edge catching the light."""
    y, x = _grid()
    colour = _rgb(0.73, 0.36, 0.22) if label is Label.TILES else _rgb(0.36, 0.40, 0.48)
    row = y // 4
    along = (x + 2 * (row % 2)) % 4 if label is Label.TILES else (x + 4 * (row % 2)) % 8
    down = np.array([0.68, 0.95, 1.10, 1.16], dtype=np.float32)[y % 4]
    gaps = np.where(along == 0, 0.84, 1.0)
    return colour * np.asarray(down * gaps * _weather() ** 2, dtype=np.float32)[..., None]


def _crop(texture: Picture, part: Part) -> Picture:
    return texture[part.top : part.bottom, part.left : part.right]


def _local(part: Part) -> tuple[Picture, Picture]:
    """Return rows and columns counted from the part's corner, each [height, width]."""
    y, x = np.mgrid[0 : part.height, 0 : part.width].astype(np.float32)
    return y, x


def _wall(texture: Callable[[], Picture]) -> Callable[[Part], Picture]:
    def paint(part: Part) -> Picture:
        _, x = _local(part)
        edge = np.where(x >= part.width - 2, 0.84, np.where(x < 1, 1.08, 1.0)).astype(np.float32)
        return _crop(texture(), part) * edge[..., None]

    return paint


def _paint_sky(part: Part) -> Picture:
    return _crop(_sky(), part)


def _paint_roof(part: Part) -> Picture:
    y, _ = _local(part)
    ridge = np.where((y < 2) & (part.outline != "gable"), 0.35, 0).astype(np.float32)
    return _mix(_crop(_roof(part.label), part), np.array(_WHITE), ridge)


def _rim(part: Part) -> NDArray[np.bool_]:
    """Return the outermost pixel of the part's outline, [height, width]."""
    inside = np.pad(part.coverage() > 0.5, 1)
    core = inside[1:-1, :-2] & inside[1:-1, 2:] & inside[:-2, 1:-1] & inside[2:, 1:-1]
    return inside[1:-1, 1:-1] & ~core


def _glass(part: Part) -> Picture:
    """Panes that mirror the sky above and are dark below, with a streak of light across them."""
    y, x = _local(part)
    down = y / max(part.height - 1, 1)
    glass = _mix(np.array(_SKY_GLASS), np.array(_DARK_GLASS), np.clip(down * 1.25, 0, 1))
    streak = np.abs(x - (part.width * 0.85 - y * 0.6)) < 1.6
    glass = _mix(glass, np.array(_WHITE), np.where(streak, 0.35, 0).astype(np.float32))
    recess = np.where((y < 3) | (x < 2), 0.55, 1.0).astype(np.float32)
    return glass * recess[..., None]


def _paint_window(part: Part) -> Picture:
    y, x = _local(part)
    window = _glass(part)
    centre = part.width // 2
    bars = _rim(part)
    if part.width >= 8:
        bars |= (x == centre) | (x == centre - 1)
    if part.height >= 12:
        bars |= y == part.height * 3 // 8
    window[bars] = _WHITE
    return window


def _paint_door(part: Part) -> Picture:
    """Two columns of raised panels, a dark gap in the middle, a brass knob."""
    y, x = _local(part)
    wood = np.broadcast_to(_rgb(0.36, 0.17, 0.10), (part.height, part.width, 3)).copy()
    half = part.width // 2
    rows = 3
    pitch = part.height / rows
    in_y, in_x = y % pitch, x % half
    panel = (in_y >= 2) & (in_y < pitch - 1) & (in_x >= 1) & (in_x < half - 1)
    wood[panel] *= 1.5
    wood[panel & ((in_y < 3) | (in_x < 2))] *= 0.6
    wood[(x == 0) | (x == part.width - 1) | (y == 0)] *= 0.5
    knob = (np.abs(y - part.height * 0.55) <= 1) & (x == half)
    wood[knob] = _rgb(0.95, 0.78, 0.35)
    return wood


def _paint_shutter(part: Part) -> Picture:
    y, x = _local(part)
    slats = np.array([0.70, 0.95, 1.20, 1.10], dtype=np.float32)[(y % 4).astype(int)]
    frame = (x == 0) | (x == part.width - 1) | (y == 0) | (y == part.height - 1)
    return _rgb(0.20, 0.44, 0.38) * np.where(frame, 0.75, slats).astype(np.float32)[..., None]


def _paint_balcony(part: Part) -> Picture:
    """An iron railing before a dark opening, on a stone slab."""
    y, x = _local(part)
    rail = _mix(_rgb(0.50, 0.55, 0.60), _rgb(0.32, 0.34, 0.38), np.asarray(y / part.height, dtype=np.float32))
    iron = (x % 4 == 1) | (x == part.width - 1) | (x == 0) | (y < 1)
    rail[iron] = _rgb(0.07, 0.07, 0.09)
    rail[y >= part.height - 2] = _rgb(0.86, 0.82, 0.74)
    rail[y == part.height - 1] *= 0.7
    return rail


def _paint_cornice(part: Part) -> Picture:
    """Pale stone: lit along its upper edge, dark along its lower one; a tall one carries a row of dentils."""
    y, x = _local(part)
    stone = np.broadcast_to(_rgb(0.87, 0.83, 0.74), (part.height, part.width, 3)).copy()
    stone[y == 0] *= 1.10
    if part.height >= 6 and part.width > part.height * 3:
        stone[(y >= part.height // 2) & (x % 4 < 2)] *= 0.62
        stone[y == part.height // 2 - 1] *= 0.8
    stone[y == part.height - 1] *= 0.72
    return stone


def _paint_shop(part: Part) -> Picture:
    """A sign board on top, panes with goods behind them, a panelled base."""
    y, x = _local(part)
    shop = _mix(_rgb(0.55, 0.66, 0.74), _rgb(0.20, 0.22, 0.26), np.clip(y / part.height * 1.1, 0, 1))
    lamp = np.clip(1 - np.abs(x % 16 - 8) / 6, 0, 1) * np.clip((y - part.height * 0.35) / 8, 0, 1)
    shop = _mix(shop, _rgb(0.98, 0.82, 0.50), np.asarray(lamp * 0.75, dtype=np.float32))
    wood = _rgb(0.11, 0.24, 0.22)
    shop[(x % 16 == 0) | (x >= part.width - 2) | (x < 2)] = wood
    shop[y < 8] = wood
    shop[(y == 7) | (y == 0)] = wood * 1.8
    shop[(y >= 3) & (y < 5) & (x >= 6) & (x < part.width - 6)] = _rgb(0.90, 0.74, 0.36)
    shop[y >= part.height - 5] = wood * 0.9
    shop[y == part.height - 5] = wood * 2.0
    return shop


def _paint_awning(part: Part) -> Picture:
    y, x = _local(part)
    stripes = np.where((x // 4 % 2 == 0)[..., None], _rgb(0.80, 0.16, 0.15), np.array(_WHITE))
    slope = 1.08 - 0.35 * y / part.height
    return np.asarray(stripes * np.where(y >= part.height - 3, 0.72, slope)[..., None], dtype=np.float32)


def _paint_ground(part: Part) -> Picture:
    """A pavement of slabs, its kerb, and the road."""
    y, x = _local(part)
    ground = np.broadcast_to(_rgb(0.68, 0.66, 0.63), (part.height, part.width, 3)).copy()
    ground[(x + y) % 16 < 1] *= 0.85
    ground[y < 1] *= 0.72
    ground[y == 5] = _rgb(0.84, 0.83, 0.80)
    ground[y == 6] = _rgb(0.40, 0.39, 0.39)
    ground[y >= 7] = _rgb(0.30, 0.30, 0.32)
    return ground


def _paint_plant(part: Part) -> Picture:
    """Leaves, lighter towards the top left; a flat box of them is in flower."""
    y, x = _local(part)
    leaves = _crop(_waves(8, 8, 0.5) * _waves(8, -8, 1.1) + 0.6 * _waves(16, 5.33, 2.0), part)
    shade = 1.15 - 0.55 * (0.7 * y / part.height + 0.3 * x / part.width) + 0.16 * leaves
    plant = _rgb(0.25, 0.48, 0.18) * shade[..., None]
    if part.outline == "box":
        flowers = ((x % 4 == 1) & (y == 1)) | ((x % 4 == 3) & (y == 2))
        plant[flowers] = _rgb(0.95, 0.35, 0.45)
    return plant


_PAINTERS: dict[Label, Callable[[Part], Picture]] = {
    Label.SKY: _paint_sky,
    Label.BRICK: _wall(_brick),
    Label.PLASTER: _wall(_plaster),
    Label.STONE: _wall(_stone),
    Label.TILES: _paint_roof,
    Label.SLATE: _paint_roof,
    Label.WINDOW: _paint_window,
    Label.DOOR: _paint_door,
    Label.SHUTTER: _paint_shutter,
    Label.BALCONY: _paint_balcony,
    Label.CORNICE: _paint_cornice,
    Label.SHOP: _paint_shop,
    Label.AWNING: _paint_awning,
    Label.GROUND: _paint_ground,
    Label.PLANT: _paint_plant,
}
