"""Invents street fronts: which parts a picture shows, where they lie and how they cover each other.

Lengths are pixels of the 128x128 picture, (0, 0) is its top left corner. Every part begins and ends on an
even pixel, so the same scene at 64x64 loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.random import Generator as Random
from numpy.typing import NDArray

from examples.facades.classes import ROOFS, WALLS, Label

SIDE = 128
STREET = 116
"""The row where buildings stop and the pavement begins."""

_SUBPIXELS = 4

Outline = Literal["box", "arch", "gable", "hip", "bush", "scallops"]
Roof = Literal["gable", "hip", "mansard", "flat"]
_ROOFS: tuple[Roof, ...] = ("gable", "hip", "mansard", "flat")
_ROOF_SHARES = (0.2, 0.3, 0.3, 0.2)


@dataclass(frozen=True)
class Part:
    """One thing in a scene: its class and the box that its outline fills, right and bottom exclusive."""

    label: Label
    left: int
    top: int
    right: int
    bottom: int
    outline: Outline = "box"

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def fits_picture(self) -> bool:
        return 0 <= self.left < self.right <= SIDE and 0 <= self.top < self.bottom <= SIDE

    def coverage(self) -> NDArray[np.float32]:
        """Return how much of each pixel of the box the outline covers, [height, width] in 0..1."""
        step = 1 / _SUBPIXELS
        y = (np.arange(self.height * _SUBPIXELS)[:, None] + 0.5) * step
        x = (np.arange(self.width * _SUBPIXELS)[None, :] + 0.5) * step
        half = self.width / 2
        across = np.abs(x - half)
        if self.outline == "arch":
            rise = min(half, self.height / 3)
            inside = (y >= rise) | ((across / half) ** 2 + ((y - rise) / rise) ** 2 <= 1)
        elif self.outline == "gable":
            inside = across / half <= y / self.height
        elif self.outline == "hip":
            inside = across <= half - (1 - y / self.height) * min(half / 2, self.height)
        elif self.outline == "bush":
            inside = (across / half) ** 2 + ((y - self.height / 2) / (self.height / 2)) ** 2 <= 1
        elif self.outline == "scallops":
            inside = y <= self.height - 2 + 2 * np.abs(np.sin((x / 4) * np.pi))
        else:
            inside = (x >= 0) & (y >= 0)
        pixels = inside.reshape(self.height, _SUBPIXELS, self.width, _SUBPIXELS)
        return np.asarray(pixels.mean(axis=(1, 3)), dtype=np.float32)


@dataclass(frozen=True)
class Plot:
    """The ground that one building stands on, and the top of its wall."""

    left: int
    right: int
    eaves: int


@dataclass(frozen=True)
class WindowStyle:
    """What all windows of one floor have in common."""

    width: int
    height: int
    outline: Outline
    framed: bool
    shutters: bool
    balcony: bool
    flowers: bool


def label_map(parts: list[Part]) -> NDArray[np.uint8]:
    """Paint the classes of `parts` over each other, [128, 128]; what is uncovered is sky."""
    labels = np.full((SIDE, SIDE), Label.SKY, dtype=np.uint8)
    for part in parts:
        box = labels[part.top : part.bottom, part.left : part.right]
        box[part.coverage() > 0.5] = part.label
    return labels


def invent_scene(random: Random) -> list[Part]:
    """Return the parts of a random street front, those in front after those behind."""
    parts = [Part(Label.GROUND, 0, STREET, SIDE, SIDE)]
    for plot in _plots(random):
        parts += _building(random, plot)
    return [part for part in parts if part.fits_picture]


def _even(value: float) -> int:
    return 2 * round(value / 2)


def _chance(random: Random, probability: float) -> bool:
    return bool(random.random() < probability)


def _plots(random: Random) -> Iterator[Plot]:
    """Divide the street among one to three buildings; a single one may leave gaps beside it."""
    count = int(random.choice([1, 2, 3], p=[0.55, 0.33, 0.12]))
    if count == 1:
        gap = int(random.choice([0, 0, 8, 12, 16, 20]))
        borders = [gap, SIDE - gap]
    else:
        inner = [_even(SIDE * k / count + random.uniform(-12, 12)) for k in range(1, count)]
        borders = [0, *inner, SIDE]
    for left, right in pairwise(borders):
        yield Plot(left, right, _even(random.uniform(24, 52)))


def _building(random: Random, plot: Plot) -> list[Part]:
    wall = Label(int(random.choice(WALLS)))
    kind: Roof = random.choice(_ROOFS, p=_ROOF_SHARES)
    parts = _roof(random, plot, wall, kind)
    cornice_height = int(random.choice([4, 6, 8])) if kind in ("flat", "mansard") else 4
    parts.append(Part(wall, plot.left, plot.eaves, plot.right, STREET))
    parts.append(Part(Label.CORNICE, plot.left, plot.eaves, plot.right, plot.eaves + cornice_height))
    height = STREET - plot.eaves
    ground_floor = _even(min(max(height * 0.36, 24), 32))
    floors = max(1, round((height - ground_floor) / random.uniform(22, 30)))
    bands = [_even(plot.eaves + 2 + (height - ground_floor) * k / floors) for k in range(floors + 1)]
    if _chance(random, 0.4):
        parts += _quoins(plot)
    columns = max(2, round((plot.right - plot.left) / random.uniform(20, 30)))
    base = _window_style(random, plot, columns)
    for top, bottom in pairwise(bands):
        parts += _floor(random, plot, columns, top, bottom, base)
    if _chance(random, 0.6):
        parts.append(Part(Label.CORNICE, plot.left, bands[-1] - 2, plot.right, bands[-1] + 2))
    parts += _ground_floor(random, plot, columns, bands[-1] + 2)
    return parts


def _roof(random: Random, plot: Plot, wall: Label, kind: Roof) -> list[Part]:
    """Return chimneys, roof and dormers, back to front."""
    if kind == "flat":
        return []
    roof = Label(int(random.choice(ROOFS)))
    width = plot.right - plot.left
    height = plot.eaves - 6 if kind == "gable" else _even(random.uniform(14, 24))
    height = _even(min(height, width * 0.45, plot.eaves - 6))
    top = plot.eaves - height
    parts = _chimneys(random, plot, *((top, plot.eaves) if kind == "gable" else (top - 6, top + 4)))
    outline: Outline = "box" if kind == "mansard" else "gable" if kind == "gable" else "hip"
    parts.append(Part(roof, plot.left, top, plot.right, plot.eaves, outline))
    if kind == "gable" and height >= 20:
        centre = _even((plot.left + plot.right) / 2)
        parts.append(Part(Label.WINDOW, centre - 6, plot.eaves - 14, centre + 6, plot.eaves - 2, "arch"))
    elif height >= 14:
        parts += _dormers(random, plot, top + 2, wall)
    return parts


def _chimneys(random: Random, plot: Plot, top: int, bottom: int) -> list[Part]:
    parts = []
    places = random.choice([0.15, 0.3, 0.7, 0.85], size=int(random.integers(0, 3)), replace=False)
    for share in places:
        left = _even(plot.left + share * (plot.right - plot.left) - 4)
        parts.append(Part(Label.BRICK, left, top + 2, left + 8, bottom))
        parts.append(Part(Label.CORNICE, left, top, left + 8, top + 2))
    return parts


def _dormers(random: Random, plot: Plot, top: int, wall: Label) -> list[Part]:
    count = int(random.integers(0, 4))
    parts = []
    for k in range(count):
        centre = _even(plot.left + (plot.right - plot.left) * (k + 1) / (count + 1))
        bottom = plot.eaves
        parts += [
            Part(Label.CORNICE, centre - 8, top, centre + 8, top + 6, "gable"),
            Part(wall, centre - 6, top + 6, centre + 6, bottom),
            Part(Label.WINDOW, centre - 4, top + 6, centre + 4, bottom - 2),
        ]
    return parts if plot.right - plot.left > 20 * count else []


def _quoins(plot: Plot) -> list[Part]:
    """Return the corner stones of a wall, long and short in turn."""
    parts = []
    for k, top in enumerate(range(plot.eaves + 8, STREET - 4, 4)):
        reach = 8 if k % 2 else 4
        parts.append(Part(Label.CORNICE, plot.left, top, plot.left + reach, top + 4))
        parts.append(Part(Label.CORNICE, plot.right - reach, top, plot.right, top + 4))
    return parts


def _window_style(random: Random, plot: Plot, columns: int) -> WindowStyle:
    pitch = (plot.right - plot.left) / columns
    shutters = _chance(random, 0.3) and pitch >= 22
    width = _even(min(pitch * random.uniform(0.36, 0.5 if shutters else 0.6), 14))
    return WindowStyle(
        width=max(width, 8),
        height=_even(random.uniform(14, 20)),
        outline="arch" if not shutters and _chance(random, 0.25) else "box",
        framed=_chance(random, 0.45),
        shutters=shutters,
        balcony=False,
        flowers=False,
    )


def _floor(random: Random, plot: Plot, columns: int, top: int, bottom: int, base: WindowStyle) -> list[Part]:
    """Return one row of equal windows between the rows `top` and `bottom`."""
    free = bottom - top - 8
    if free < 10:
        return []
    style = replace(
        base,
        height=min(base.height, _even(free)),
        balcony=_chance(random, 0.25) and not base.shutters,
        flowers=_chance(random, 0.2),
    )
    window_top = top + _even((bottom - top - style.height) / 2) + 2
    pitch = (plot.right - plot.left) / columns
    parts = []
    for k in range(columns):
        parts += _window(style, _even(plot.left + pitch * (k + 0.5)), window_top)
    if _chance(random, 0.35):
        parts.append(Part(Label.CORNICE, plot.left, bottom - 2, plot.right, bottom))
    return parts


def _window(style: WindowStyle, centre: int, top: int) -> list[Part]:
    half = _even(style.width / 2)
    left, right, bottom = centre - half, centre + half, top + style.height
    parts = []
    if style.framed:
        parts.append(Part(Label.CORNICE, left - 2, top - 2, right + 2, bottom, style.outline))
    parts.append(Part(Label.WINDOW, left, top, right, bottom, style.outline))
    if style.shutters:
        parts.append(Part(Label.SHUTTER, left - half, top, left, bottom))
        parts.append(Part(Label.SHUTTER, right, top, right + half, bottom))
    if style.balcony:
        parts.append(Part(Label.BALCONY, left - 4, bottom - 6, right + 4, bottom + 2))
    elif style.flowers:
        parts.append(Part(Label.PLANT, left - 2, bottom - 4, right + 2, bottom))
        parts.append(Part(Label.CORNICE, left - 2, bottom, right + 2, bottom + 2))
    else:
        parts.append(Part(Label.CORNICE, left - 2, bottom, right + 2, bottom + 2))
    return parts


def _ground_floor(random: Random, plot: Plot, columns: int, top: int) -> list[Part]:
    """Return a door and, beside it, windows or shop fronts; then what stands on the pavement."""
    width = plot.right - plot.left
    pitch = width / columns
    door_column = int(random.integers(columns))
    door = _door(random, _even(plot.left + pitch * (door_column + 0.5)), top + 4, pitch)
    parts = []
    if _chance(random, 0.45):
        spans = [(plot.left + 4, door[0].left - 4), (door[0].right + 4, plot.right - 4)]
        for left, right in spans:
            parts += _shop(random, left, right, top)
    else:
        height = min(_even((STREET - top) * 0.55), 18)
        style = WindowStyle(
            width=max(_even(min(pitch * 0.55, 16)), 8),
            height=height,
            outline="arch" if _chance(random, 0.25) else "box",
            framed=_chance(random, 0.4),
            shutters=False,
            balcony=False,
            flowers=_chance(random, 0.2),
        )
        for k in range(columns):
            if k != door_column:
                parts += _window(style, _even(plot.left + pitch * (k + 0.5)), top + 6)
        if _chance(random, 0.5):
            parts.append(Part(Label.STONE, plot.left, STREET - 4, plot.right, STREET))
        if _chance(random, 0.35):
            parts += _bushes(random, plot, door[0])
    return parts + door


def _door(random: Random, centre: int, top: int, pitch: float) -> list[Part]:
    """Return a door with its surround and, where there is room, a fanlight or a small roof above it."""
    half = _even(min(12, max(8, pitch * 0.45)) / 2)
    door_top = max(top + 6, STREET - 24)
    parts = [Part(Label.DOOR, centre - half, door_top, centre + half, STREET)]
    frame = Part(Label.CORNICE, centre - half - 2, door_top - 2, centre + half + 2, STREET)
    kind = random.choice(["fanlight", "canopy", "plain"])
    if kind == "fanlight" and door_top - top >= 4:
        frame = Part(Label.CORNICE, centre - half - 2, door_top - 8, centre + half + 2, STREET, "arch")
        parts.append(Part(Label.WINDOW, centre - half, door_top - 6, centre + half, door_top, "arch"))
    elif kind == "canopy":
        parts.append(Part(Label.CORNICE, centre - half - 4, door_top - 4, centre + half + 4, door_top - 2))
    return [frame, *parts]


def _shop(random: Random, left: int, right: int, top: int) -> list[Part]:
    if right - left < 16:
        return []
    front = Part(Label.SHOP, left, top + 2, right, STREET)
    if _chance(random, 0.6):
        return [front, Part(Label.AWNING, left - 2, top + 6, right + 2, top + 16, "scallops")]
    return [front]


def _bushes(random: Random, plot: Plot, door: Part) -> list[Part]:
    parts = []
    for _ in range(int(random.integers(1, 4))):
        width, height = _even(random.uniform(8, 18)), _even(random.uniform(8, 14))
        left = _even(random.uniform(plot.left, max(plot.right - width, plot.left + 2)))
        if left + width <= door.left or left >= door.right:
            right, bottom = min(left + width, SIDE), STREET + 2
            parts.append(Part(Label.PLANT, left, bottom - height, right, bottom, "bush"))
    return parts
