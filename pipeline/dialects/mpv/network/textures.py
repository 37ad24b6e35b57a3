"""What the words of a bound texture mean: its texels by place, its size, and the pixel's own place in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.dialects.mpv.network.values import (
    Monomial,
    NotUnderstoodError,
    Number,
    Position,
    Sampled,
    Scalar,
    Tap,
    add,
    axis_of,
    form_of,
    multiply,
    split,
    symbol,
)

AXES = ("x", "y")
SIZES = ("W", "H")
_HALF = Number(0.5)


@dataclass(frozen=True)
class Texture:
    """A texture as a block reads it: the model's tensor, its channels, and result size / its size by axis (x, y).

    A lane that the tensor has no channel for reads as the number in `absent`. `moved` is how far its place is moved,
    `shift` what the block is told of how far its content lies from where it belongs; in its texels, (x, y) each.
    """

    tensor: str
    channels: int
    scale: tuple[Fraction, Fraction]
    absent: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    moved: tuple[float, float] = (0.0, 0.0)
    shift: tuple[float, float] = (0.0, 0.0)

    def lane(self, lane: int, atom: Tap | Sampled) -> Scalar:
        """The atom, or what stands in for a channel that is not there."""
        return form_of(atom) if lane < self.channels else Number(self.absent[lane])


@dataclass(frozen=True)
class Pixel:
    """Which pixels of the result are looked at: those of index `stride`·q + `phase`, by axis (x, y)."""

    stride: tuple[int, int] = (1, 1)
    phase: tuple[int, int] = (0, 0)

    def index(self, axis: int) -> Scalar:
        """The pixel's index."""
        q = Position({((AXES[axis], 1),): Fraction(self.stride[axis])}, integer=True)
        return add(q, Number(float(self.phase[axis]), integer=True))

    def place(self, axis: int) -> Scalar:
        """Its centre, the picture being 1 wide and high."""
        return multiply(add(self.index(axis), _HALF), symbol(SIZES[axis], -1))


def size(texture: Texture, axis: int) -> Position:
    """The texture's size in texels."""
    return symbol(SIZES[axis], 1, 1 / texture.scale[axis])


def texel_size(texture: Texture, axis: int) -> Position:
    """1 / size."""
    return symbol(SIZES[axis], -1, texture.scale[axis])


def sample(texture: Texture, place: tuple[Scalar, Scalar], pixel: Pixel) -> tuple[Scalar, ...]:
    """The four lanes at a place, interpolated linearly between texels, as mpv reads. Raises NotUnderstoodError."""
    axes = [_along(texture, place[axis], axis) for axis in (0, 1)]
    step = (axes[0][0], axes[1][0])
    offsets = (axes[0][1], axes[1][1])
    if all(offset.denominator == 1 for offset in offsets):
        whole = (int(offsets[0]), int(offsets[1]))
        border = _border(texture, place, step) or "edge"
        return tuple(texture.lane(lane, Tap(texture.tensor, lane, whole, step, border)) for lane in range(4))
    if _border(texture, place, step) is not None:
        raise NotUnderstoodError("a read between texels at a clamped place")
    if _is_own(texture, pixel, axes):
        return tuple(texture.lane(lane, Sampled(texture.tensor, lane)) for lane in range(4))
    return tuple(_interpolated(texture, lane, offsets, step) for lane in range(4))


def _is_own(texture: Texture, pixel: Pixel, axes: Sequence[tuple[int, Fraction]]) -> bool:
    """Whether it is the pixel's own place, which an invocation that writes several pixels does not have."""
    try:
        return [_along(texture, pixel.place(axis), axis) for axis in (0, 1)] == list(axes)
    except NotUnderstoodError:
        return False


def _interpolated(texture: Texture, lane: int, offsets: tuple[Fraction, Fraction], step: tuple[int, int]) -> Scalar:
    total: Scalar = Number(0.0)
    for x, weight_x in _neighbours(offsets[0]):
        for y, weight_y in _neighbours(offsets[1]):
            tap = texture.lane(lane, Tap(texture.tensor, lane, (x, y), step))
            total = add(total, multiply(Number(float(weight_x * weight_y)), tap))
    return total


def _neighbours(offset: Fraction) -> list[tuple[int, Fraction]]:
    lower = offset.numerator // offset.denominator
    share = offset - lower
    return [(lower, 1 - share), (lower + 1, share)] if share else [(lower, Fraction(1))]


def fetch(texture: Texture, index: tuple[Scalar, Scalar]) -> tuple[Scalar, ...]:
    """The four lanes of a texel by its index; 0 beyond the edge. Raises NotUnderstoodError."""
    axes = [_indexed(index[axis], axis) for axis in (0, 1)]
    step, offset = (axes[0][0], axes[1][0]), (axes[0][1], axes[1][1])
    if any(each.denominator != 1 for each in offset):
        raise NotUnderstoodError("texelFetch() between texels")
    whole = (int(offset[0]), int(offset[1]))
    border = _border(texture, index, step) or "zero"
    return tuple(texture.lane(lane, Tap(texture.tensor, lane, whole, step, border)) for lane in range(4))


def gather(texture: Texture, place: tuple[Scalar, Scalar], lane: int) -> tuple[Scalar, ...]:
    """One lane of the four texels around a place, in textureGather's order. Raises NotUnderstoodError."""
    axes = [_along(texture, place[axis], axis) for axis in (0, 1)]
    step = (axes[0][0], axes[1][0])
    if any(offset.denominator == 1 for _, offset in axes):
        raise NotUnderstoodError("a gather at a texel's centre, where rounding decides which four it reads")
    x, y = (offset.numerator // offset.denominator for _, offset in axes)
    corners = ((x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y))
    return tuple(texture.lane(lane, Tap(texture.tensor, lane, corner, step)) for corner in corners)


def _along(texture: Texture, place: Scalar, axis: int) -> tuple[int, Fraction]:
    """The texel that a place on an axis is at, as (k, c) of k·q + c; c is whole at a texel's centre."""
    if not isinstance(place, Number | Position):
        raise NotUnderstoodError("a read at a place that texels decide")
    return _indexed(add(multiply(place, size(texture, axis)), _HALF, -1), axis)


def _indexed(index: Scalar, axis: int) -> tuple[int, Fraction]:
    if not isinstance(index, Number | Position):
        raise NotUnderstoodError("a read at a place that texels decide")
    symbols, constant = split(index)
    along = [factor for key, factor in symbols.items() if _axis(key) == AXES[axis]]
    step = along[0] if along else Fraction()
    if len(symbols) != 1 or step.denominator != 1 or step <= 0:
        raise NotUnderstoodError("a read at a place that does not go along with the pixel by whole texels")
    return int(step), constant


def _axis(key: Monomial) -> str:
    """The axis that an index, clamped or not, goes along; empty for other symbols."""
    return axis_of(key[0][0])[0] if len(key) == 1 and key[0][1] == 1 else ""


def _border(texture: Texture, place: tuple[Scalar, Scalar], step: tuple[int, int]) -> str | None:
    """What is beyond the edge of a texture that is read at clamped indices; None where they are not clamped.

    Raises NotUnderstoodError where it is clamped at something else than the texture's last cell of `step` texels.
    """
    shares: list[Fraction | None] = []
    for axis in (0, 1):
        names = {name for key in getattr(place[axis], "terms", {}) for name, _ in key}
        found = {axis_of(name)[1] for name in names if axis_of(name)[0] == AXES[axis]}
        shares.append(found.pop() if len(found) == 1 else None)
    if shares == [None, None]:
        return None
    if any(share is None or share * step[axis] * texture.scale[axis] != 1 for axis, share in enumerate(shares)):
        raise NotUnderstoodError("a read at a place that is clamped before the texture's edge, or behind it")
    return "cells" if max(step) > 1 else "edge"


def place_in(texture: Texture, pixel: Pixel, axis: int) -> Scalar:
    """The pixel's place as the block has it for that texture."""
    moved = multiply(Number(texture.moved[axis]), texel_size(texture, axis))
    return add(pixel.place(axis), moved)


def words(name: str, texture: Texture, pixel: Pixel) -> Mapping[str, tuple[Scalar, ...] | Scalar]:
    """The values that mpv has for the texture bound as `name`."""
    both = (0, 1)
    return {
        f"{name}_pos": tuple(place_in(texture, pixel, axis) for axis in both),
        f"{name}_size": tuple(size(texture, axis) for axis in both),
        f"{name}_pt": tuple(texel_size(texture, axis) for axis in both),
        f"{name}_off": (Number(0.0), Number(0.0)),
        f"{name}_shift": tuple(Number(texture.shift[axis]) for axis in both),
        f"{name}_mul": Number(1.0),
    }
