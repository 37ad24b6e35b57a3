"""Evaluates the words of a bound texture: its texels by place, its size, and the pixel's place in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from texelscope.pipeline.dialects.mpv.network.values import (
    ONE_TERM,
    LiteralNumber,
    Monomial,
    NotUnderstoodError,
    Position,
    SampledTexel,
    Scalar,
    TextureTap,
    add,
    form_of,
    multiply,
    position,
    split,
    symbol,
)

AXES = ("x", "y")
SIZES = ("W", "H")
_HALF = LiteralNumber(0.5)
# A read so near to a texel's centre, in texels, is one at it.
_AT_TEXEL = Fraction(1, 1 << 30)
# In the symbol of an index that was clamped, between axis and offset: x|-1 is clamp(x - 1, 0, last).
_CLAMPED = "|"


@dataclass(frozen=True)
class BlockTexture:
    """Describes a texture for a block: the model's tensor, its channels, and result size / its size by axis (x, y).

    A lane without a channel in the tensor reads as the number in `absent`. `moved` is the shift of its place,
    `shift` the distance of its content from its right place as mpv reports it; in its texels, (x, y) each.
    """

    tensor: str
    channels: int
    scale: tuple[Fraction, Fraction]
    absent: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    moved: tuple[float, float] = (0.0, 0.0)
    shift: tuple[float, float] = (0.0, 0.0)

    def lane(self, lane: int, atom: TextureTap | SampledTexel) -> Scalar:
        """Returns the atom, or the number in place of a missing channel."""
        return form_of(atom) if lane < self.channels else LiteralNumber(self.absent[lane])


@dataclass(frozen=True)
class Pixel:
    """Selects the current pixels of the result: those of index `stride`·q + `phase`, by axis (x, y).

    For a compute block these are invocations, each of which writes `tile` pixels. The picture's width and height in
    periods are the symbols in SIZES, a period being `stride`·`tile` pixels; with the `size` of the result, in pixels,
    they are numbers.
    """

    stride: tuple[int, int] = (1, 1)
    phase: tuple[int, int] = (0, 0)
    tile: tuple[int, int] = (1, 1)
    size: tuple[int, int] | None = None

    def period(self, axis: int) -> int:
        """Returns the number of pixels of the result after which all places repeat."""
        return self.stride[axis] * self.tile[axis]

    def index(self, axis: int) -> Scalar:
        """Returns the pixel's index."""
        q = Position({((AXES[axis], 1),): Fraction(self.stride[axis])}, integer=True)
        return add(q, LiteralNumber(float(self.phase[axis]), integer=True))

    def place(self, axis: int) -> Scalar:
        """Returns the pixel's centre, with the picture 1 wide and high."""
        if self.size is not None:
            return multiply(add(self.index(axis), _HALF), Position({ONE_TERM: Fraction(1, self.size[axis])}))
        return multiply(add(self.index(axis), _HALF), symbol(SIZES[axis], -1, Fraction(1, self.period(axis))))


def size(texture: BlockTexture, axis: int, pixel: Pixel) -> LiteralNumber | Position:
    """Returns the texture's size in texels."""
    if pixel.size is not None:
        return LiteralNumber(float(pixel.size[axis] / texture.scale[axis]))
    return symbol(SIZES[axis], 1, pixel.period(axis) / texture.scale[axis])


def texel_size(texture: BlockTexture, axis: int, pixel: Pixel) -> LiteralNumber | Position:
    """Returns 1 / size."""
    if pixel.size is not None:
        return LiteralNumber(float(texture.scale[axis] / pixel.size[axis]))
    return symbol(SIZES[axis], -1, texture.scale[axis] / pixel.period(axis))


def sample(texture: BlockTexture, place: tuple[Scalar, Scalar], pixel: Pixel) -> tuple[Scalar, ...]:
    """Returns the four lanes at a place, interpolated linearly between texels, as in mpv. Raises NotUnderstoodError."""
    clamped = [_unclamped(place[axis], axis) for axis in (0, 1)]
    axes = [_along(texture, plain, axis, pixel) for axis, (plain, _) in enumerate(clamped)]
    step = (axes[0][0], axes[1][0])
    offsets = (axes[0][1], axes[1][1])
    groups = [is_clamped for _, is_clamped in clamped]
    if all(offset.denominator == 1 for offset in offsets):
        whole = (int(offsets[0]), int(offsets[1]))
        border = "group" if all(groups) and step != (1, 1) else "edge"
        return tuple(texture.lane(lane, TextureTap(texture.tensor, lane, whole, step, border)) for lane in range(4))
    if any(groups):
        raise NotUnderstoodError("a clamped read between texels")
    # An invocation that writes several pixels may read for any of them.
    if pixel.tile == (1, 1) and [_along(texture, pixel.place(axis), axis, pixel) for axis in (0, 1)] == axes:
        return tuple(texture.lane(lane, SampledTexel(texture.tensor, lane)) for lane in range(4))
    return tuple(_interpolated(texture, lane, offsets, step) for lane in range(4))


def _interpolated(
    texture: BlockTexture, lane: int, offsets: tuple[Fraction, Fraction], step: tuple[int, int]
) -> Scalar:
    total: Scalar = LiteralNumber(0.0)
    for x, weight_x in _neighbours(offsets[0]):
        for y, weight_y in _neighbours(offsets[1]):
            tap = texture.lane(lane, TextureTap(texture.tensor, lane, (x, y), step))
            total = add(total, multiply(LiteralNumber(float(weight_x * weight_y)), tap))
    return total


def _neighbours(offset: Fraction) -> list[tuple[int, Fraction]]:
    lower = offset.numerator // offset.denominator
    share = offset - lower
    return [(lower, 1 - share), (lower + 1, share)] if share else [(lower, Fraction(1))]


def fetch(texture: BlockTexture, index: tuple[Scalar, Scalar]) -> tuple[Scalar, ...]:
    """Returns the four lanes of a texel by index; 0 beyond the edge, or as clamped. Raises NotUnderstoodError."""
    clamped = [_unclamped(index[axis], axis) for axis in (0, 1)]
    axes = [_indexed(place, axis) for axis, (place, _) in enumerate(clamped)]
    step, offset = (axes[0][0], axes[1][0]), (axes[0][1], axes[1][1])
    if any(each.denominator != 1 for each in offset):
        raise NotUnderstoodError("texelFetch() between texels")
    whole = (int(offset[0]), int(offset[1]))
    border = "zero"
    if all(is_clamped for _, is_clamped in clamped):
        border = "edge" if step == (1, 1) else "group"
    return tuple(texture.lane(lane, TextureTap(texture.tensor, lane, whole, step, border)) for lane in range(4))


def gather(texture: BlockTexture, place: tuple[Scalar, Scalar], lane: int, pixel: Pixel) -> tuple[Scalar, ...]:
    """Returns one lane of the four texels around a place, in textureGather's order. Raises NotUnderstoodError."""
    axes = [_along(texture, place[axis], axis, pixel) for axis in (0, 1)]
    step = (axes[0][0], axes[1][0])
    if any(offset.denominator == 1 for _, offset in axes):
        raise NotUnderstoodError("a gather at a texel's centre, where rounding decides which four it reads")
    x, y = (offset.numerator // offset.denominator for _, offset in axes)
    corners = ((x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y))
    return tuple(texture.lane(lane, TextureTap(texture.tensor, lane, corner, step)) for corner in corners)


def _along(texture: BlockTexture, place: Scalar, axis: int, pixel: Pixel) -> tuple[int, Fraction]:
    """Returns the texel of a place on an axis, as (k, c) of k·q + c; c is whole at a texel's centre."""
    if not isinstance(place, LiteralNumber | Position):
        raise NotUnderstoodError("a read at a place that texels decide")
    step, offset = _indexed(add(multiply(place, size(texture, axis, pixel)), _HALF, -1), axis)
    # 1 / size is rounded where it is a number.
    return (step, Fraction(round(offset))) if abs(offset - round(offset)) < _AT_TEXEL else (step, offset)


def _indexed(index: Scalar, axis: int) -> tuple[int, Fraction]:
    if not isinstance(index, LiteralNumber | Position):
        raise NotUnderstoodError("a read at a place that texels decide")
    symbols, constant = split(index)
    step = symbols.get(((AXES[axis], 1),), Fraction())
    if len(symbols) != 1 or step.denominator != 1 or step <= 0:
        raise NotUnderstoodError("a read at a place that does not move with the pixel in whole texels")
    return int(step), constant


def clamped_index(value: Position, high: Scalar) -> Position:
    """Returns clamp(value, 0, high) of an index, high being the last. Raises NotUnderstoodError for other clamps."""
    for axis, name in enumerate(AXES):
        symbols, constant = split(value)
        last = add(high, symbol(SIZES[axis]), -1)
        whole = isinstance(last, LiteralNumber) and last.value == -1.0 and constant.denominator == 1
        if symbols == {((name, 1),): Fraction(1)} and whole:
            return Position({((f"{name}{_CLAMPED}{int(constant)}", 1),): Fraction(1)}, value.integer)
    raise NotUnderstoodError("clamp() of something other than a pixel's index to the picture")


def _unclamped(index: Scalar, axis: int) -> tuple[Scalar, bool]:
    """Returns the index without a clamp, and whether it had one."""
    if not isinstance(index, Position):
        return index, False
    terms: dict[Monomial, Fraction] = {}
    clamped = False
    for monomial, factor in index.terms.items():
        at = next((i for i, (name, _) in enumerate(monomial) if name.startswith(f"{AXES[axis]}{_CLAMPED}")), None)
        if at is None or monomial[at][1] != 1:
            terms[monomial] = terms.get(monomial, Fraction()) + factor
            continue
        clamped = True
        others = monomial[:at] + monomial[at + 1 :]
        offset = int(monomial[at][0].partition(_CLAMPED)[2])
        for part, share in ((tuple(sorted((*others, (AXES[axis], 1)))), factor), (others, factor * offset)):
            terms[part] = terms.get(part, Fraction()) + share
    return position(terms, integer=index.integer), clamped


def place_in(texture: BlockTexture, pixel: Pixel, axis: int) -> Scalar:
    """Returns the pixel's place in the block's coordinates of that texture."""
    moved = multiply(LiteralNumber(texture.moved[axis]), texel_size(texture, axis, pixel))
    return add(pixel.place(axis), moved)


def words(name: str, texture: BlockTexture, pixel: Pixel) -> Mapping[str, tuple[Scalar, ...] | Scalar]:
    """Returns mpv's values for the texture bound as `name`."""
    both = (0, 1)
    return {
        f"{name}_pos": tuple(place_in(texture, pixel, axis) for axis in both),
        f"{name}_size": tuple(size(texture, axis, pixel) for axis in both),
        f"{name}_pt": tuple(texel_size(texture, axis, pixel) for axis in both),
        f"{name}_off": (LiteralNumber(0.0), LiteralNumber(0.0)),
        f"{name}_shift": tuple(LiteralNumber(texture.shift[axis]) for axis in both),
        f"{name}_mul": LiteralNumber(1.0),
    }
