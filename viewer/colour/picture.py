"""Shows a tensor as a picture: which channels are red, green, blue and opacity, and which values black and white.

The picture is a layout that holds just these elements. Whatever works with any layout works with it too: drawing on
the GPU from another layout, the oracle's side, pointing, padding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from texelscope.layouts.base import Coordinate, Layout, Tile
from texelscope.layouts.shapes import as_nchw

NAME = "picture"
# Numbers of channels that a picture may have: grey, colour, colour with opacity.
COUNTS = (1, 3, 4)
# Opacity is the last of the channels.
OPACITY = 4
# A smaller tensor is not shown as a picture unless the user chooses so.
LEAST_SIDE = 8
# Common pairs of black and white.
PREPARED = ((0.0, 1.0), (-1.0, 1.0), (0.0, 255.0))
# How far beyond them a network's output may lie, as a share of the range.
_SLACK = 0.1
# Sharpened edges overshoot further. A picture with them has few such values: of values on both sides of zero that are
# no picture, far more lie outside.
_OVERSHOOT, _MOST_OUTSIDE = 0.6, 0.1
# A value outside by less than this share of the range has the colour of black or white on a screen with 256 steps.
_UNSEEN = 0.5 / 255.0
# A range up to this is not a dark picture of 0 to 255.
_DARK = 32.0

Limits = tuple[float, float]


@dataclass(frozen=True)
class TrueColour:
    """How a layer is shown as a picture; with `on` None, shape and place in the model decide whether it is one.

    `n` is the index in the batch, `channels` those shown (1, 3 or 4, or empty for the first ones). With `linear` the
    values are amounts of light and are encoded for the screen (IEC 61966-2-1); else they are sRGB already.
    """

    on: bool | None = None
    n: int = 0
    channels: tuple[int, ...] = ()
    linear: bool = False


@dataclass(frozen=True)
class _Seen(Layout):
    """A layout whose texel (x, y) holds row y, column x of batch `n`; lane i is channel `channels[i]`."""

    name: ClassVar[str] = NAME
    channels: tuple[int, ...] = (0,)
    n: int = 0
    last: bool = False

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        _, C, H, W = as_nchw(shape)
        return (C, H) if self.last else (H, W)

    def has_padding(self, shape: Sequence[int]) -> bool:
        """Returns whether a lane shows no channel."""
        return len(self.channels) < self.lanes

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        """Returns the element's texel and lane; an element of a hidden channel or batch gets lane 0."""
        as_nchw(shape)
        channel, y, x = (w, c, h) if self.last else (c, h, w)
        lane = sum(
            (
                np.equal(channel, own) * number
                for number, own in enumerate(self.channels)
                if own not in self.channels[:number]
            ),
            start=np.zeros_like(channel),
        )
        return x, y, lane

    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        as_nchw(shape)
        table = np.array([*self.channels, *(-1,) * (self.lanes - len(self.channels))])
        channel = table[lane]
        n = np.where(channel < 0, -1, self.n)
        return (n, ty, tx, channel) if self.last else (n, channel, ty, tx)

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        as_nchw(shape)
        channel, y, x = ("at.w", "at.y", "at.z") if self.last else ("at.y", "at.z", "at.w")
        lanes = "0"
        for number in reversed(range(1, len(self.channels))):
            lanes = f"{channel} == {self.channels[number]} ? {number} : {lanes}"
        lanes = f"{channel} == {self.channels[0]} ? 0 : {lanes}"
        return f"ivec3 {name}(ivec4 at) {{\n    return ivec3({x}, {y}, {lanes});\n}}\n"

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        as_nchw(shape)
        channel = "-1"
        for number, own in enumerate(self.channels):
            channel = f"texel.z == {number} ? {own} : {channel}"
        place = "texel.y, texel.x, channel" if self.last else "channel, texel.y, texel.x"
        return (
            f"ivec4 {name}(ivec3 texel) {{\n"
            f"    int channel = {channel};\n"
            f"    return ivec4(channel < 0 ? -1 : {self.n}, {place});\n"
            f"}}\n"
        )

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        height, width = self.texture_shape(shape)
        return Tile(index, 0, 0, width, height, self.label(shape))

    def label(self, shape: Sequence[int]) -> str:
        """Returns the channels as text, `c0 c1 c2`, in a batch with its index, `n1 c0 c1 c2`."""
        batch = f"n{self.n} " if as_nchw(shape)[0] > 1 else ""
        return batch + " ".join(f"c{channel}" for channel in self.channels)


@dataclass(frozen=True)
class ColourPicture(_Seen):
    """Shows channels as red, green, blue and, if there is a fourth one, opacity."""

    lanes: ClassVar[int] = 4
    channels: tuple[int, ...] = (0, 1, 2)


@dataclass(frozen=True)
class GreyPicture(_Seen):
    """Shows one channel, from black to white."""

    lanes: ClassVar[int] = 1


def has_opacity(layout: Layout) -> bool:
    """Returns whether a picture has a channel of opacity."""
    return isinstance(layout, ColourPicture) and len(layout.channels) == OPACITY


def lane_count(layout: Layout) -> int:
    """Returns how many lanes hold values."""
    return len(layout.channels) if isinstance(layout, _Seen) else layout.lanes


def has_picture(shape: Sequence[int]) -> bool:
    """Returns whether a tensor of that shape looks like pictures: 1, 3 or 4 channels, and not too small."""
    if len(shape) < 3:
        return False
    _, height, width = _sides(shape)
    return channel_count(shape) in COUNTS and min(height, width) >= LEAST_SIDE


def channel_count(shape: Sequence[int]) -> int:
    """Returns how many channels there are to choose from."""
    return _sides(shape)[0]


def layout_of(shape: Sequence[int], seen: TrueColour) -> Layout:
    """Returns the picture layout of a tensor of `shape`; channel and batch numbers that are too large are clamped."""
    count = channel_count(shape)
    wanted = seen.channels or tuple(range(count if count in COUNTS else 3 if count > 3 else 1))
    channels = tuple(min(max(channel, 0), count - 1) for channel in wanted)
    n = min(max(seen.n, 0), as_nchw(shape)[0] - 1)
    last = _is_last(shape)
    return GreyPicture(channels, n, last) if len(channels) == 1 else ColourPicture(channels, n, last)


def shows(layout: Layout, shape: Sequence[int], element: int) -> bool:
    """Returns whether the layout shows the element with that linear index; a layout that is no picture shows all."""
    if not isinstance(layout, _Seen):
        return True
    n, channel = _place(shape, element)
    return n == layout.n and channel in layout.channels


def seen_with(shape: Sequence[int], seen: TrueColour, element: int) -> TrueColour:
    """Changes `seen` so that an element is visible: its picture of the batch, or the tensor as it is stored."""
    n, channel = _place(shape, element)
    channels = getattr(layout_of(shape, seen), "channels", ())
    return replace(seen, n=n) if channel in channels else replace(seen, n=n, on=False)


def _place(shape: Sequence[int], element: int) -> tuple[int, int]:
    """Returns batch and channel of an element."""
    n, c, _, w = (int(each) for each in np.unravel_index(element, as_nchw(shape)))
    return n, w if _is_last(shape) else c


def black_and_white(low: float, high: float, share_outside: Callable[[Limits], float] = lambda _limits: 1.0) -> Limits:
    """Returns black and white of a picture with values from `low` to `high`: a common pair, or the range itself.

    `share_outside` returns the share of the values, in [0, 1], that lie outside such limits; it is asked only where the
    values overshoot a pair.
    """
    for black, white in PREPARED:
        if white > 1.0 and high <= _DARK:
            continue
        if _reaches(low, high, (black, white), _SLACK):
            return black, white
        if _reaches(low, high, (black, white), _OVERSHOOT) and share_outside((black, white)) <= _MOST_OUTSIDE:
            return black, white
    return low, high


def _reaches(low: float, high: float, limits: Limits, share: float) -> bool:
    """Returns whether values lie at most `share` of the range of `limits` outside these."""
    slack = share * (limits[1] - limits[0])
    return limits[0] - slack <= low and high <= limits[1] + slack


def still_seen_as(limits: Limits) -> Limits:
    """Returns `limits` with what is too near outside to look different."""
    unseen = _UNSEEN * (limits[1] - limits[0])
    return limits[0] - unseen, limits[1] + unseen


def _sides(shape: Sequence[int]) -> tuple[int, int, int]:
    """Returns channels, height and width."""
    _, C, H, W = as_nchw(shape)
    return (W, C, H) if _is_last(shape) else (C, H, W)


def _is_last(shape: Sequence[int]) -> bool:
    """Returns whether channels are the last axis: the size there fits channels, and the usual axis does not."""
    if len(shape) < 3:
        return False
    _, C, H, _ = as_nchw(shape)
    return shape[-1] in COUNTS and C not in COUNTS and min(C, H) >= LEAST_SIDE
