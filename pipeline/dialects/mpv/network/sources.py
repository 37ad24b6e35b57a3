"""Groups sums of texels by their source: for each source tensor its weights by offset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.mpv.network.block_text import ResultLanes
from texelscope.pipeline.dialects.mpv.network.values import (
    Apply,
    Atom,
    LiteralNumber,
    NotUnderstoodError,
    SampledTexel,
    TextureTap,
    Unset,
)

Offset: TypeAlias = tuple[int, int]
LANES = 4
# The most offsets of a convolution, and texels along its side: an offset can be any number.
_MOST_WEIGHTS, _WIDEST = 1 << 22, 128


@dataclass(frozen=True)
class SummedSource:
    """A tensor whose texels are summed: a bound one, or a function of each of its elements, or functions of sums.

    `function` is empty for the texture itself, `sign` −1 for the function of its negative; `numbers` are the function's
    further arguments. `texture` is empty where the channels are functions of sums. `sampled` says that it is
    interpolated to the size of the result. With the border `group` its channels are those of `step` texels, row by
    row, LANES each, and offsets are in such groups.
    """

    texture: str
    function: str = ""
    sign: int = 1
    numbers: tuple[float, ...] = ()
    step: tuple[int, int] = (1, 1)
    border: str = "edge"
    sampled: bool = False


@dataclass
class SourceWeights:
    """Maps (row, channel, offset x, offset y) of one source to weights. `channels` are those functions of sums."""

    of: dict[tuple[int, int, Offset], LiteralNumber] = field(default_factory=dict)
    atoms: dict[Atom, int] = field(default_factory=dict)

    def offsets(self) -> set[Offset]:
        """Returns the offsets at which the source is read."""
        return {offset for _, _, offset in self.of}


@dataclass(frozen=True)
class SourceSums:
    """Holds rows, each a constant and weights of sources; rows go by channel, then by phase (y, x)."""

    rows: int
    sources: Mapping[SummedSource, SourceWeights]
    constants: tuple[LiteralNumber, ...]


def sums_of(lanes: ResultLanes) -> SourceSums:
    """Returns the rows of a result's lanes."""
    width, height = lanes.stride
    forms = [
        lanes.forms[x, y][channel] for channel in range(lanes.channels) for y in range(height) for x in range(width)
    ]
    sources: dict[SummedSource, SourceWeights] = {}
    for row, form in enumerate(forms):
        for atom, weight in form.terms.items():
            source, channel, offset = _placed(atom, sources)
            at = (row, channel, offset)
            sources[source].of[at] = weight
    return SourceSums(len(forms), sources, tuple(form.constant for form in forms))


def _placed(atom: Atom, sources: dict[SummedSource, SourceWeights]) -> tuple[SummedSource, int, Offset]:
    """Returns the source, channel and offset of an atom."""
    if isinstance(atom, SampledTexel):
        source = SummedSource(atom.texture, sampled=True)
        sources.setdefault(source, SourceWeights())
        return source, atom.lane, (0, 0)
    if isinstance(atom, TextureTap):
        source = SummedSource(atom.texture, step=atom.step, border=atom.border)
        sources.setdefault(source, SourceWeights())
        return source, *_in_group(atom)
    if isinstance(atom, Unset):
        raise NotUnderstoodError(f"'{atom.name}', which is read before anything is assigned to it", atom.line)
    single = _of_one_texel(atom)
    if single is not None:
        tap, sign, numbers = single
        source = SummedSource(tap.texture, atom.function, sign, numbers, tap.step, tap.border)
        sources.setdefault(source, SourceWeights())
        return source, *_in_group(tap)
    numbers = tuple(form.constant.value for form in atom.arguments[1:] if not form.terms)
    source = SummedSource("", atom.function, 1, numbers)
    weights = sources.setdefault(source, SourceWeights())
    return source, weights.atoms.setdefault(atom, len(weights.atoms)), (0, 0)


def _in_group(tap: TextureTap) -> tuple[int, Offset]:
    """Returns channel and offset of a texel: if groups repeat at the edge, counted by groups of four lanes."""
    if tap.border != "group":
        return tap.lane, tap.offset
    (column, x), (row, y) = (divmod(tap.offset[axis], tap.step[axis]) for axis in (0, 1))
    return LANES * (y * tap.step[0] + x) + tap.lane, (column, row)


def _of_one_texel(atom: Apply) -> tuple[TextureTap, int, tuple[float, ...]] | None:
    """Returns the texel and its sign if the atom is a function of it alone, and of numbers."""
    first, *others = atom.arguments
    if any(form.terms for form in others) or first.constant.value or len(first.terms) != 1:
        return None
    ((tap, weight),) = first.terms.items()
    if not isinstance(tap, TextureTap) or abs(weight.value) != 1.0:
        return None
    return tap, int(weight.value), tuple(form.constant.value for form in others)


@dataclass(frozen=True)
class ConvolutionWindow:
    """Holds the offsets that a convolution covers, its own texel among them; (x, y) each, both ends included."""

    low: Offset
    high: Offset

    @classmethod
    def around(cls, offsets: set[Offset]) -> ConvolutionWindow:
        """Returns the smallest window with all of `offsets` in it."""
        columns, rows = [0, *(x for x, _ in offsets)], [0, *(y for _, y in offsets)]
        return cls((min(columns), min(rows)), (max(columns), max(rows)))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.high[0] - self.low[0] + 1, self.high[1] - self.low[1] + 1


def kernel(
    weights: SourceWeights, window: ConvolutionWindow, rows: int, channels: int
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Returns the weights for ONNX's Conv, float32[rows, channels, height, width], and the lines of their literals.

    Raises NotUnderstoodError for texels so far apart that no network reads them together.
    """
    width, height = window.size
    if max(width, height) > _WIDEST or rows * channels * width * height > _MOST_WEIGHTS:
        raise NotUnderstoodError(f"a sum over {width}x{height} texels of {channels} channels")
    values = np.zeros((rows, channels, height, width), np.float32)
    lines = np.zeros(values.shape, np.int32)
    for (row, channel, (x, y)), weight in weights.of.items():
        at = (row, channel, y - window.low[1], x - window.low[0])
        values[at], lines[at] = weight.value, weight.line
    return values, lines


def constants_of(numbers: Sequence[LiteralNumber]) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Returns values and lines of a row of numbers."""
    return (
        np.array([each.value for each in numbers], np.float32),
        np.array([each.line for each in numbers], np.int32),
    )


def same_weights(left: SourceWeights, right: SourceWeights) -> bool:
    """Reports whether two sources have the same weights, so that their sum can be weighted instead."""
    return left.of.keys() == right.of.keys() and all(
        weight.value == right.of[at].value for at, weight in left.of.items()
    )
