"""Runs one invocation of a translated pass on values that represent texels, at a place that is known in numbers.

Whole numbers and places are computed, as the driver computes them. So any way to lay work out over invocations can be
read, and which texels a value is made of is known, not measured.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from texelscope.pipeline.deadline import check, left
from texelscope.pipeline.dialects.effects.passes import EffectTexture
from texelscope.pipeline.dialects.mpv.network.calls import operated
from texelscope.pipeline.dialects.mpv.network.evaluate import MOST_TURNS, BlockEvaluation
from texelscope.pipeline.dialects.mpv.network.expressions import name_in
from texelscope.pipeline.dialects.mpv.network.scopes import Variable
from texelscope.pipeline.dialects.mpv.network.surroundings import BlockSurroundings
from texelscope.pipeline.dialects.mpv.network.textures import BlockTexture, Pixel
from texelscope.pipeline.dialects.mpv.network.values import (
    LiteralNumber,
    NotUnderstoodError,
    Scalar,
    TextureTap,
    add,
    as_form,
    multiply,
)
from texelscope.pipeline.dialects.mpv.network.variable_types import (
    NamedReference,
    Value,
    VariableType,
    Vector,
    lanes_of,
    scalar_of,
)
from texelscope.pipeline.glsl.semantics.statements import Declaration, DoWhileLoop, WhileLoop
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.plan import Filter, Wrap

# How near a place is to a texel's centre, or to a simple share of the way to the next one, to be there.
_AT_TEXEL = 1e-6
# The largest denominator of such a share: no network's shader enlarges more than eightfold.
_SIMPLE = 64
_ONE = Fraction(1, 1)
# Comparisons of vectors, by the operators of their lanes.
_COMPARED: Mapping[str, str] = {
    "lessThan": "<", "lessThanEqual": "<=", "greaterThan": ">", "greaterThanEqual": ">=", "equal": "==",
    "notEqual": "!=",
}  # fmt: skip


class _AtBarrierError(Exception):
    """Ends the run of an invocation at a barrier that the others have not come to."""


@dataclass(frozen=True)
class PlacedTexture(BlockTexture):
    """A texture whose size in texels is known, as a sampler or an image shows it."""

    name: str = ""
    size: tuple[int, int] = (1, 1)
    filter: Filter = "nearest"
    wrap: Wrap = "clamp_to_edge"

    @classmethod
    def of(
        cls, name: str, texture: EffectTexture, filter_: Filter = "nearest", wrap: Wrap = "clamp_to_edge"
    ) -> PlacedTexture:
        """Returns the texture as a uniform of that name shows it."""
        scale = (_ONE, _ONE)
        return cls(texture.key, texture.channels, scale, name=name, size=texture.size, filter=filter_, wrap=wrap)

    def tap(self, x: int, y: int, border: str) -> Vector:
        """Returns the four lanes of a texel; `border` says what is read beyond the edge."""
        if self.wrap == "repeat" and border == "edge" and not (0 <= x < self.size[0] and 0 <= y < self.size[1]):
            raise NotUnderstoodError("a texture that repeats, beyond its edge")
        return tuple(self.lane(lane, TextureTap(self.tensor, lane, (x, y), border=border)) for lane in range(4))


@dataclass
class GroupMemory:
    """Holds what the invocations of a group share, by the name of the array; `barriers` were passed by all of them."""

    arrays: dict[str, Variable] = field(default_factory=dict)
    barriers: int = 0


class ReadingTime:
    """Limits how long a pass is read: one that takes longer is no network's, whose layers take a second or two.

    What counts is the time of the processor, so that a pass is read on a busy machine as on another. Where little is
    left of the time for opening, nothing more is read either: an effect opens all the same.
    """

    seconds: ClassVar[int] = 20
    seconds_for_others: ClassVar[float] = 12.0

    def __init__(self) -> None:
        self._end = time.thread_time() + self.seconds

    def check(self) -> None:
        """Raises NotUnderstoodError when the time is over, and what `deadline.check` raises."""
        check()
        if time.thread_time() > self._end:
            raise NotUnderstoodError(f"values that take more than {self.seconds} s to follow")
        remaining = left()
        if remaining is not None and remaining < self.seconds_for_others:
            raise NotUnderstoodError("values that take longer to follow than opening may (--timeout SECONDS)")


# A texel that was stored: the uniform that shows its texture, and its place.
StoredAt = tuple[str, int, int]


@dataclass
class InvocationSurroundings(BlockSurroundings):
    """Supplies what an invocation finds: its `indices` by GLSL's names, numbers in uniforms, textures and images.

    `texels` has what it stored. `fetches` says whether it read a texel by its index.
    """

    known: Mapping[str, Value] = field(default_factory=dict)
    texels: dict[StoredAt, Vector] = field(default_factory=dict)
    fetches: bool = False

    _CALLS: ClassVar[Mapping[str, str]] = {
        "imageStore": "_stored",
        "texture": "_sampled",
        "textureLod": "_sampled",
        "textureOffset": "_sampled_beside",
        "textureLodOffset": "_sampled_beside",
        "texelFetch": "_fetched",
        "texelFetchOffset": "_fetched",
        "textureGather": "_gathered",
        "textureGatherOffset": "_gathered",
        "textureSize": "_size",
        "imageSize": "_size",
    }

    @classmethod
    def of(cls, known: Mapping[str, Value]) -> InvocationSurroundings:
        """Returns the surroundings of an invocation that finds these names."""
        return cls(textures={}, pixel=Pixel(), known=known)

    @property
    def words(self) -> dict[str, Value]:
        """Returns every name that has a value before the text's own."""
        return dict(self.known)

    @property
    def next_invocation(self) -> Mapping[str, int]:
        """Returns nothing: no other invocation stands for this one."""
        return {}

    def reads(self, name: str) -> bool:
        """Reports whether a function reads four lanes of a texture."""
        return name in self._CALLS and name.startswith("te")

    def call(self, name: str, arguments: Sequence[Value]) -> Value | None:
        """Returns the value of a function of textures, images or truth values; None for other functions."""
        if name in _COMPARED or name in ("any", "all", "not"):
            return _compared(name, arguments)
        called = self._CALLS.get(name)
        if called is None:
            return None
        texture = arguments[0].texture if arguments and isinstance(arguments[0], NamedReference) else None
        if not isinstance(texture, PlacedTexture):
            raise NotUnderstoodError(f"{name}() of something other than a texture of the effect")
        value: Value = getattr(self, called)(texture, arguments[1:])
        return value

    # -- functions ---------------------------------------------------------------------------------------------

    def _stored(self, image: PlacedTexture, arguments: Sequence[Value]) -> Value:
        x, y = _whole_pair(arguments[0])
        self.texels[image.name, x, y] = lanes_of(arguments[1])
        return LiteralNumber(0.0)

    def _sampled(self, texture: PlacedTexture, arguments: Sequence[Value]) -> Value:
        if len(arguments) > 1 and not _is_zero(arguments[1]):
            raise NotUnderstoodError("a read at another level than 0, or with a bias")
        return self._at(texture, arguments[0], (0, 0))

    def _sampled_beside(self, texture: PlacedTexture, arguments: Sequence[Value]) -> Value:
        if len(arguments) > 2 and not _is_zero(arguments[1]):
            raise NotUnderstoodError("a read at another level than 0, or with a bias")
        return self._at(texture, arguments[0], _whole_pair(arguments[-1]))

    def _at(self, texture: PlacedTexture, place: Value, beside: tuple[int, int]) -> Value:
        """Returns what a sampler reads at a place, so many texels further on."""
        texels = [each + beside[axis] for axis, each in enumerate(_in_texels(texture, place))]
        if texture.filter == "nearest":
            return texture.tap(_nearest(texels[0]), _nearest(texels[1]), "edge")
        (low_x, share_x), (low_y, share_y) = (_between(each) for each in texels)
        total: list[Scalar] | None = None
        for x, weight_x in ((low_x, 1.0 - share_x), (low_x + 1, share_x)):
            for y, weight_y in ((low_y, 1.0 - share_y), (low_y + 1, share_y)):
                weight = LiteralNumber(weight_x * weight_y)
                if not weight.value:
                    continue
                lanes = texture.tap(x, y, "edge")
                if weight.value == 1.0:
                    return lanes
                parts = [multiply(weight, lane) for lane in lanes]
                total = parts if total is None else [add(one, other) for one, other in zip(total, parts, strict=True)]
        assert total is not None
        return tuple(total)

    def _fetched(self, texture: PlacedTexture, arguments: Sequence[Value]) -> Value:
        if len(arguments) > 1 and not _is_zero(arguments[1]):
            raise NotUnderstoodError("a read at another level than 0")
        x, y = _whole_pair(arguments[0])
        if len(arguments) > 2:
            beside = _whole_pair(arguments[2])
            x, y = x + beside[0], y + beside[1]
        self.fetches = True
        return texture.tap(x, y, "zero")

    def _gathered(self, texture: PlacedTexture, arguments: Sequence[Value]) -> Value:
        beside, rest = (0, 0), list(arguments[1:])
        if rest and isinstance(rest[0], tuple):
            beside = _whole_pair(rest.pop(0))
        lane = int(_number(rest[0])) if rest else 0
        if not 0 <= lane < 4:
            raise NotUnderstoodError("a lane that is no number from 0 to 3")
        texels = _in_texels(texture, arguments[0])
        x, y = (_lower(each, texture.size[axis]) + beside[axis] for axis, each in enumerate(texels))
        corners = ((x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y))
        return tuple(texture.tap(*corner, "edge")[lane] for corner in corners)

    def _size(self, texture: PlacedTexture, _arguments: Sequence[Value]) -> Value:
        return tuple(LiteralNumber(float(each), integer=True) for each in texture.size)


class InvocationEvaluation(BlockEvaluation):
    """Runs the main function of a translated pass for one invocation of a group."""

    def __init__(
        self, root: SyntaxNode, surroundings: InvocationSurroundings, memory: GroupMemory, reading_time: ReadingTime
    ) -> None:
        self._memory = memory
        self._time = reading_time
        self._passed = 0
        super().__init__(root, surroundings)

    def run_to_barrier(self) -> bool:
        """Runs to the first barrier that not all invocations passed, and keeps what they share; False at the end."""
        try:
            self.run("main")
        except _AtBarrierError:
            return True
        finally:
            for name in self._memory.arrays:
                shared = self.scopes.outermost(name)
                if shared is not None:
                    self._memory.arrays[name] = shared
        return False

    def output(self, name: str) -> Value | None:
        """Returns what a variable outside of all functions holds."""
        found = self.scopes.outermost(name)
        return None if found is None else found.value

    def barrier(self) -> None:
        self._passed += 1
        if self._passed > self._memory.barriers:
            raise _AtBarrierError

    def _do(self, node: SyntaxNode) -> None:
        self._time.check()
        if isinstance(node, WhileLoop | DoWhileLoop):
            self._turn(node)
        else:
            super()._do(node)

    def _turn(self, node: WhileLoop | DoWhileLoop) -> None:
        """Runs a loop whose turns its condition decides."""
        goes_on = isinstance(node, DoWhileLoop)
        for _ in range(MOST_TURNS):
            if not goes_on and not self.decided(node.condition):
                return
            if not self.turned(node):
                return
            goes_on = False
        raise NotUnderstoodError(f"a loop of more than {MOST_TURNS} turns")

    def _declare(self, node: Declaration) -> None:
        if not any(not isinstance(child, Comment) and child.text == "shared" for child in node.children):
            super()._declare(node)
            return
        for declarator in node.declarators:
            name, kind = name_in(declarator), self.type_named(node.type, declarator)
            if name not in self._memory.arrays:
                self._memory.arrays[name] = Variable(kind.unset(name, declarator.row + self._first_line), kind)
            self.scopes.declare(name, self._memory.arrays[name])

    def add_output(self, name: str, kind: str) -> None:
        """Declares a variable that the main function assigns its result to."""
        type_ = VariableType(kind)
        self.scopes.declare(name, Variable(type_.unset(name, 0), type_))


def _compared(name: str, arguments: Sequence[Value]) -> Value:
    """Returns what a comparison of vectors says, lane by lane; any() and all() of its lanes."""
    lanes = [lanes_of(each) for each in arguments]
    operator = _COMPARED.get(name)
    if operator is not None and len(lanes) == 2:
        return tuple(scalar_of(operated(operator, left, right)) for left, right in zip(*lanes, strict=True))
    if operator is not None or len(lanes) != 1:
        raise NotUnderstoodError(f"{name}() of {len(lanes)} arguments")
    truths = [bool(_number(lane)) for lane in lanes[0]]
    if name == "not":
        return tuple(LiteralNumber(float(not each), integer=True) for each in truths)
    return LiteralNumber(float(any(truths) if name == "any" else all(truths)), integer=True)


def _number(value: Value) -> float:
    scalar = scalar_of(value)
    if not isinstance(scalar, LiteralNumber):
        raise NotUnderstoodError("a read at a place that texels decide")
    return scalar.value


def _pair(value: Value) -> tuple[float, float]:
    lanes = lanes_of(value)
    if len(lanes) < 2:
        raise NotUnderstoodError("a place of one coordinate")
    return _number(lanes[0]), _number(lanes[1])


def _whole_pair(value: Value) -> tuple[int, int]:
    x, y = _pair(value)
    return int(x), int(y)


def _is_zero(value: Value) -> bool:
    form = as_form(scalar_of(value))
    return not form.terms and not form.constant.value


def _in_texels(texture: PlacedTexture, place: Value) -> tuple[float, float]:
    """Returns a place in texels, whole at their centres."""
    x, y = _pair(place)
    return x * texture.size[0] - 0.5, y * texture.size[1] - 0.5


def _nearest(place: float) -> int:
    if abs(place - round(place)) > 0.5 - _AT_TEXEL:
        raise NotUnderstoodError("a read between two texels, where rounding decides which one it is")
    return round(place)


def _lower(place: float, size: int) -> int:
    """Returns the lower of the two texels between which a gather reads, of a texture of `size` texels.

    At a texel's centre that is this one, if the place was computed without rounding: by a power of two.
    """
    if place == round(place) and not size & (size - 1):
        return round(place)
    if abs(place - round(place)) < _AT_TEXEL:
        raise NotUnderstoodError("a gather at a texel's centre, where rounding decides which four it reads")
    return int(place // 1)


def _between(place: float) -> tuple[int, float]:
    """Returns the lower of two texels, and the share of the other one."""
    if abs(place - round(place)) < _AT_TEXEL:
        return round(place), 0.0
    low = int(place // 1)
    share = place - low
    simple = Fraction(share).limit_denominator(_SIMPLE)
    return low, float(simple) if abs(float(simple) - share) < _AT_TEXEL else share
