"""Supplies what mpv puts around a block: its textures' words and functions, and a compute block's indices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from texelscope.pipeline.dialects.mpv.network.calls import operated
from texelscope.pipeline.dialects.mpv.network.rounding import divide
from texelscope.pipeline.dialects.mpv.network.textures import (
    AXES,
    BlockTexture,
    Pixel,
    fetch,
    gather,
    place_in,
    sample,
    texel_size,
    words,
)
from texelscope.pipeline.dialects.mpv.network.values import (
    LiteralNumber,
    NotUnderstoodError,
    Position,
    Scalar,
    add,
    bounded_name,
    multiply,
    split,
    symbol,
)
from texelscope.pipeline.dialects.mpv.network.variable_types import NamedReference, Value, Vector, lanes_of, scalar_of

IMAGE = "out_image"
# Names of an invocation's indices in its group, by axis.
_LOCAL = ("lx", "ly")
_READS = frozenset({"texture", "texture2D", "textureLod", "texelFetch", "textureGather"})

_ENDINGS = ("_texOff", "_tex", "_gather")


@dataclass(frozen=True)
class WorkGroup:
    """A compute block: the texels that one invocation writes, and a work group's invocations; by axis (x, y)."""

    tile: tuple[int, int]
    threads: tuple[int, int]


@dataclass
class BlockSurroundings:
    """Holds textures by the block's names for them; `pixel` is the current pixel or invocation.

    `stored` has what the block's imageStore() wrote, by the phase of the pixel in the result (x, y).
    """

    textures: Mapping[str, BlockTexture]
    pixel: Pixel
    group: WorkGroup | None = None
    constants: Mapping[str, LiteralNumber | tuple[LiteralNumber, ...]] = field(default_factory=dict)
    stored: dict[tuple[int, int], Vector] = field(default_factory=dict)

    @property
    def words(self) -> dict[str, Value]:
        """Returns every name that has a value before the block's own."""
        found: dict[str, Value] = dict(self.constants)
        for name, texture in self.textures.items():
            found.update(words(name, texture, self.pixel))
            found[f"{name}_raw"] = NamedReference(texture)
        if self.group is not None:
            found.update(self._indices(self.group))
            found[IMAGE] = LiteralNumber(0.0)
        else:
            half = LiteralNumber(0.5)
            centre = [add(self.pixel.index(axis), half) for axis in (0, 1)]
            found["gl_FragCoord"] = (*centre, half, LiteralNumber(1.0))
        return found

    def _indices(self, group: WorkGroup) -> dict[str, Value]:
        invocation = [self.pixel.index(axis) for axis in (0, 1)]
        local: list[Scalar] = [symbol(name, integer=True) for name in self._local_names(group)]
        zero, one = LiteralNumber(0.0, integer=True), LiteralNumber(1.0, integer=True)
        threads: list[Scalar] = [LiteralNumber(float(count), integer=True) for count in group.threads]
        first = [
            divide(add(invocation[axis], local[axis], -1), LiteralNumber(float(group.threads[axis]))) for axis in (0, 1)
        ]
        whole = [Position(each.terms, integer=True) if isinstance(each, Position) else each for each in first]
        return {
            "gl_GlobalInvocationID": (*invocation, zero),
            "gl_LocalInvocationID": (*local, zero),
            "gl_WorkGroupID": (*whole, zero),
            "gl_WorkGroupSize": (*threads, one),
            "gl_LocalInvocationIndex": add(multiply(local[1], threads[0]), local[0]),
        }

    @property
    def next_invocation(self) -> Mapping[str, int]:
        """Returns the distance to the next invocation of the group on both axes, by symbol."""
        if self.group is None:
            return {}
        return dict.fromkeys((*AXES, *self._local_names(self.group)), 1)

    @staticmethod
    def _local_names(group: WorkGroup) -> list[str]:
        return [bounded_name(name, count) for name, count in zip(_LOCAL, group.threads, strict=True)]

    def reads(self, name: str) -> bool:
        """Reports whether a function reads four lanes of a texture."""
        return name in _READS or any(
            name.endswith(each) and name.removesuffix(each) in self.textures for each in _ENDINGS
        )

    def call(self, name: str, arguments: Sequence[Value]) -> Value | None:
        """Returns the value of an mpv function or a texture read; None for other functions."""
        if name == "imageStore":
            return self._store(arguments)
        if name in _READS:
            return self._read(name, arguments)
        for ending in _ENDINGS:
            texture = self.textures.get(name.removesuffix(ending)) if name.endswith(ending) else None
            if texture is not None:
                return self._mpv(name.removesuffix(ending), ending, texture, arguments)
        return None

    def _mpv(self, name: str, ending: str, texture: BlockTexture, arguments: Sequence[Value]) -> Value:
        if not arguments:
            raise NotUnderstoodError(f"{name}{ending}() of nothing")
        if ending == "_gather":
            return gather(texture, _pair(arguments[0]), _count(arguments[1]) if len(arguments) > 1 else 0, self.pixel)
        place: Value = arguments[0]
        if ending == "_texOff":
            own = tuple(place_in(texture, self.pixel, axis) for axis in (0, 1))
            texel = tuple(texel_size(texture, axis, self.pixel) for axis in (0, 1))
            place = operated("+", own, operated("*", texel, place))
        return sample(texture, _pair(place), self.pixel)

    def _read(self, name: str, arguments: Sequence[Value]) -> Value:
        sampler = arguments[0] if arguments else None
        if not isinstance(sampler, NamedReference) or len(arguments) < 2:
            raise NotUnderstoodError(f"{name}() of something other than a bound texture")
        if name == "texelFetch":
            return fetch(sampler.texture, _pair(arguments[1]))
        if name == "textureGather":
            lane = _count(arguments[2]) if len(arguments) > 2 else 0
            return gather(sampler.texture, _pair(arguments[1]), lane, self.pixel)
        return sample(sampler.texture, _pair(arguments[1]), self.pixel)

    def _store(self, arguments: Sequence[Value]) -> Value:
        if self.group is None or len(arguments) != 3:
            raise NotUnderstoodError(f"imageStore() of {len(arguments)} arguments, or in a block without //!COMPUTE")
        index, value = _pair(arguments[1]), lanes_of(arguments[2])
        phase = []
        for axis in (0, 1):
            place = index[axis]
            symbols, constant = split(place) if isinstance(place, LiteralNumber | Position) else ({}, Fraction(-1))
            stride = self.pixel.stride[axis] * self.group.tile[axis]
            if symbols != {((AXES[axis], 1),): Fraction(stride)} or not 0 <= constant < stride:
                raise NotUnderstoodError("imageStore() to a texel that is not the invocation's own")
            phase.append(int(constant))
        self.stored[phase[0], phase[1]] = value
        return LiteralNumber(0.0)


def _pair(value: Value) -> tuple[Scalar, Scalar]:
    lanes = lanes_of(value)
    if len(lanes) < 2:
        raise NotUnderstoodError("a place of one coordinate")
    return lanes[0], lanes[1]


def _count(value: Value) -> int:
    scalar = scalar_of(value)
    if not isinstance(scalar, LiteralNumber) or not 0 <= scalar.value < 4:
        raise NotUnderstoodError("a lane that is no number from 0 to 3")
    return int(scalar.value)
