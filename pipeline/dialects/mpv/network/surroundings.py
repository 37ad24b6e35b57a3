"""Supplies what mpv puts around a block: its textures' words and functions, and a compute block's indices and memory.

Invocations fill shared memory together, and an element is evaluated when it is read. A loop that fills it covers more
elements than its own invocation's. Which invocation stores an element does not matter, so it is evaluated as if the
reader stored it: with the loop's variables at the values that lead there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from texelscope.pipeline.dialects.mpv.network.calls import (
    NamedReference,
    Value,
    Vector,
    lanes_of,
    moved_value,
    operated,
    scalar_of,
)
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
    divide,
    split,
)
from texelscope.pipeline.glsl.semantics.expressions import Assignment, Subscript
from texelscope.pipeline.glsl.semantics.questions import names_in
from texelscope.pipeline.glsl.semantics.statements import Declaration, ForLoop, declarator_in
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

# Names of an invocation's indices in its group, by axis.
LOCAL = ("lx", "ly")


@dataclass(frozen=True)
class SharedStore:
    """Holds an assignment to an element inside nested loops.

    `loops` are their variables, `declarations` the declarations inside, `places` the subscripts.
    """

    loops: tuple[str, ...]
    declarations: tuple[SyntaxNode, ...]
    value: SyntaxNode
    places: tuple[SyntaxNode, ...]

    def loop_behind(self, place: SyntaxNode) -> str | None:
        """Returns the loop whose variable the subscript is, or is declared with."""
        name = place.text
        if name in self.loops:
            return name
        for each in self.declarations:
            words = [*names_in(each)]
            if words and words[0] == name:
                return next((word for word in words[1:] if word in self.loops), None)
        return None


@dataclass
class SharedArray:
    """Holds a group's array as the assignments that fill it; those in `tried` store the same from every invocation.

    `made` has the elements that were read, by their indices.
    """

    stores: list[SharedStore] = field(default_factory=list)
    tried: list[SharedStore] = field(default_factory=list)
    made: dict[tuple[str, ...], Value] = field(default_factory=dict)


def place_key(index: Value) -> str:
    """Returns a key that equal indices share, wherever they were written."""
    if not isinstance(index, LiteralNumber | Position):
        raise NotUnderstoodError("an element of shared memory that texels decide")
    symbols, constant = split(index)
    return f"{sorted(symbols.items())} {constant}"


def elsewhere(scope: Mapping[str, Value | SharedArray], steps: Mapping[str, int]) -> dict[str, Value | SharedArray]:
    """Returns the scope of another invocation, its indices `steps` further on."""
    return {n: each if isinstance(each, SharedArray) else moved_value(each, steps) for n, each in scope.items()}


def stores_in(loop: SyntaxNode) -> list[tuple[str, SharedStore]]:
    """Returns the assignments to elements in a loop and its inner loops, by array. Raises NotUnderstoodError."""
    found = []
    for node in loop.of_type(Assignment):
        name, places = subscripts(node.left)
        if not places:
            continue
        around = [each for each in node.ancestors() if isinstance(each, ForLoop)][::-1]
        around = around[[each.start_byte for each in around].index(loop.start_byte) :]
        declared = [
            child
            for each in around
            for child in each.body.named_children
            if isinstance(child, Declaration) and child.start_byte < node.start_byte
        ]
        found.append((name, SharedStore(tuple(map(_variable, around)), tuple(declared), node.right, tuple(places))))
    return found


def _variable(loop: ForLoop) -> str:
    start = loop.initializer
    declarator = declarator_in(start) if start is not None else None
    name = declarator_in(declarator) if declarator is not None else None
    if name is None:
        raise NotUnderstoodError("a loop over the group's invocations without its own variable")
    return name.text


def subscripts(node: SyntaxNode) -> tuple[str, Sequence[SyntaxNode]]:
    """Returns the name that is subscripted, and its subscripts from the outside in."""
    places: list[SyntaxNode] = []
    while isinstance(node, Subscript):
        places.insert(0, node.index)
        node = node.argument
    return node.text, places


IMAGE = "out_image"
_READS = frozenset({"texture", "texture2D", "textureLod", "texelFetch", "textureGather"})


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
    constants: Mapping[str, float] = field(default_factory=dict)
    stored: dict[tuple[int, int], Vector] = field(default_factory=dict)

    @property
    def words(self) -> dict[str, Value]:
        """Returns every name that has a value before the block's own."""
        found: dict[str, Value] = {name: LiteralNumber(value) for name, value in self.constants.items()}
        for name, texture in self.textures.items():
            found.update(words(name, texture, self.pixel))
            found[f"{name}_raw"] = NamedReference(texture)
        if self.group is not None:
            found.update(self._indices(self.group))
            found[IMAGE] = LiteralNumber(0.0)
        return found

    def _indices(self, group: WorkGroup) -> dict[str, Value]:
        invocation = [self.pixel.index(axis) for axis in (0, 1)]
        local: list[Scalar] = [Position({((name, 1),): Fraction(1)}, integer=True) for name in LOCAL]
        zero, one = LiteralNumber(0.0, integer=True), LiteralNumber(1.0, integer=True)
        threads = [LiteralNumber(float(count), integer=True) for count in group.threads]
        first = [
            divide(add(invocation[axis], local[axis], -1), LiteralNumber(float(group.threads[axis]))) for axis in (0, 1)
        ]
        whole = [Position(each.terms, integer=True) if isinstance(each, Position) else each for each in first]
        return {
            "gl_GlobalInvocationID": (*invocation, zero),
            "gl_LocalInvocationID": (*local, zero),
            "gl_WorkGroupID": (*whole, zero),
            "gl_WorkGroupSize": (*threads, one),
        }

    def call(self, name: str, arguments: Sequence[Value]) -> Value | None:
        """Returns the value of an mpv function or a texture read; None for other functions."""
        if name == "imageStore":
            return self._store(arguments)
        if name in _READS:
            return self._read(name, arguments)
        for ending in ("_texOff", "_tex", "_gather"):
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
