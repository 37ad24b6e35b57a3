"""Compiles what a text does with textures, images and storage blocks: reads, writes, sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.glsl.semantics.expressions import (
    FieldAccess,
    FunctionCall,
    Identifier,
    Parenthesised,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types
from texelscope.pipeline.symbolic import builtins
from texelscope.pipeline.symbolic.blocks import OPEN, ArrayType, BlockType, NumbersType, StructureType
from texelscope.pipeline.symbolic.bound import BoundTexels
from texelscope.pipeline.symbolic.expressions import Run, uncommented
from texelscope.pipeline.symbolic.phases import PhaseCompiler
from texelscope.pipeline.symbolic.terms import single, value_of
from texelscope.pipeline.symbolic.text import BARRIERS
from texelscope.pipeline.symbolic.values import LANES, UnknownTextError, as_scalar

_FETCHES = frozenset({"texelFetch", "texelFetchOffset", "imageLoad"})
_SAMPLES = frozenset(
    {
        "texture", "textureLod", "texture2D", "texture2DLod", "texture2DLodEXT", "texture3D", "textureOffset",
        "textureLodOffset", "textureGrad", "textureProj",
    }
)  # fmt: skip
_SIZES = frozenset({"textureSize", "imageSize"})
_GATHERS = frozenset({"textureGather", "textureGatherOffset"})
# Which argument is an offset in texels.
_OFFSETS: Mapping[str, int] = MappingProxyType(
    {"texelFetchOffset": 3, "textureOffset": 2, "textureLodOffset": 3, "textureGatherOffset": 2}
)
_ATOMIC: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType(
    {
        "atomicAdd": lambda old, new: old + new, "atomicMin": min, "atomicMax": max,
        "atomicAnd": lambda old, new: old & new, "atomicOr": lambda old, new: old | new,
        "atomicXor": lambda old, new: old ^ new, "atomicExchange": lambda _old, new: new,
    }
)  # fmt: skip


@dataclass(frozen=True)
class _Access:
    """A part of a storage block: its type, and where it starts, in numbers of four bytes."""

    texels: BoundTexels
    of: BlockType
    start: int
    # Indices, and how far apart their elements are.
    indices: tuple[tuple[Run, int], ...] = ()

    def moved(self, of: BlockType, start: int = 0, index: tuple[Run, int] | None = None) -> _Access:
        """Returns the access of a part of this part."""
        return _Access(self.texels, of, self.start + start, self.indices if index is None else (*self.indices, index))

    def place(self) -> Callable[[], int]:
        """Returns a function that finds where the part starts."""
        start = self.start
        if not self.indices:
            return lambda: start
        if len(self.indices) == 1:
            ((only, stride),) = self.indices
            return lambda: start + int(value_of(only())) * stride
        indices = self.indices
        return lambda: start + sum(int(value_of(index())) * stride for index, stride in indices)


class BindingCompiler(PhaseCompiler):
    """Compiles reads and writes of what is bound.

    `known_functions` are functions of the text that stand for built-in ones, as `builtins` names those.
    """

    def __init__(self, types: Types, known_functions: Mapping[str, str]) -> None:
        super().__init__(types)
        self.known_functions = known_functions
        # Storage blocks and their members, by the slots of their names.
        self._blocks: dict[int, _Access] = {}

    def bind_block(self, name: str, texels: BoundTexels, of: BlockType, start: int) -> None:
        """Declares a name for a storage block, or for a member of one."""
        self._blocks[self.declare(name, "")] = _Access(texels, of, start)

    def call_of(self, name: str, node: FunctionCall) -> Run | None:
        given = uncommented(node.arguments)
        if name in BARRIERS:
            return lambda: None
        if name in self.known_functions:
            known, parts, row = self.known_functions[name], [self.compile(each) for each in given], node.row
            return lambda: builtins.call(known, [each() for each in parts], row)
        if name == "imageStore":
            return self._store(given)
        if name in _ATOMIC:
            return self._atomic(name, given)
        if name in _GATHERS:
            return self._gather(name, given, node.row)
        if name in _SIZES:
            return self._size(given[0])
        if name in _FETCHES or name in _SAMPLES:
            return self._read(name, given, node.row)
        return self.function(name, given, node)

    # -- textures and images -------------------------------------------------------------------------------------

    def _texels(self, node: SyntaxNode) -> Callable[[], BoundTexels]:
        texels, text = self.compile(node), node.text

        def run() -> BoundTexels:
            bound = texels()
            if not isinstance(bound, BoundTexels):
                raise UnknownTextError(f"what '{text}' is bound to")
            return bound

        return run

    def _size(self, node: SyntaxNode) -> Run:
        texels = self._texels(node)

        def run() -> Any:
            found = texels().dimensions
            return found if len(found) > 1 else found[0]

        return run

    def _read(self, name: str, given: Sequence[SyntaxNode], row: int) -> Run:
        texels, parts = self._texels(given[0]), [self.compile(each) for each in given[1:]]
        offset = parts[_OFFSETS[name] - 1] if name in _OFFSETS else None
        is_sampled, is_projected = name in _SAMPLES, name == "textureProj"

        def run() -> Any:
            bound, at = texels(), parts[0]()
            at = at if isinstance(at, tuple) else (at,)
            if is_projected:
                at = tuple(single(value_of(each) / value_of(at[-1])) for each in at[:-1])
            if is_sampled:
                return bound.sample(at if offset is None else _moved(at, offset(), bound), row)
            if offset is not None:
                at = tuple(value_of(place) + value_of(by) for place, by in zip(at, _tuple(offset()), strict=False))
            return bound.fetch(at, row)

        return run

    def _gather(self, name: str, given: Sequence[SyntaxNode], row: int) -> Run:
        texels, parts = self._texels(given[0]), [self.compile(each) for each in given[1:]]
        offset = parts[_OFFSETS[name] - 1] if name in _OFFSETS else None
        lanes = parts[2 if offset is not None else 1 :]

        def run() -> Any:
            bound, at = texels(), parts[0]()
            at = at if offset is None else _moved(at, offset(), bound)
            return bound.gather(at, int(value_of(lanes[0]())) if lanes else 0, row)

        return run

    def _store(self, given: Sequence[SyntaxNode]) -> Run:
        texels, at, value = self._texels(given[0]), self.compile(given[1]), self.compile(given[2])

        def run() -> None:
            bound, place = texels(), at()
            number = bound.texel_number(place if isinstance(place, tuple) else (place,))
            self.writes += 1
            if number is not None:
                bound.write(number, value())

        return run

    def _atomic(self, name: str, given: Sequence[SyntaxNode]) -> Run:
        before, change, value = self.compile(given[0]), _ATOMIC[name], self.compile(given[1])
        latest: list[Any] = [0]
        assign = self.assigned(given[0], lambda: latest[0])

        def run() -> Any:
            old = value_of(before())
            latest[0] = change(old, value_of(value()))
            assign()
            return old

        return run

    # -- storage blocks ------------------------------------------------------------------------------------------

    def _access(self, node: SyntaxNode) -> _Access | None:
        """Returns the part of a storage block that an expression names; None for any other."""
        if not self._blocks:
            return None
        if isinstance(node, Identifier):
            return self._blocks.get(self.slot_of(node.text)[0]) if self.is_declared(node.text) else None
        if isinstance(node, Parenthesised) and node.inner is not None:
            return self._access(node.inner)
        if not isinstance(node, FieldAccess | Subscript) or (around := self._access(node.argument)) is None:
            return None
        of = around.of
        if isinstance(node, FieldAccess):
            part = node.field.text
            if isinstance(of, StructureType) and part in of.members:
                start, inner = of.members[part]
                return around.moved(inner, start)
            if isinstance(of, NumbersType) and part in LANES and of.lanes > LANES[part]:
                return around.moved(_lane_of(of), LANES[part])
            return None
        if isinstance(of, ArrayType) and not of.is_row_major:
            return around.moved(of.of, 0, (self.compile(node.index), of.stride))
        if isinstance(of, NumbersType):
            return around.moved(_lane_of(of), 0, (self.compile(node.index), 1))
        return None

    def loaded(self, node: SyntaxNode) -> Run | None:
        access = self._access(node)
        if access is None:
            return None
        of, texels, place, row = access.of, access.texels, access.place(), node.row
        return lambda: of.load(texels, place(), row)

    def stored(self, node: SyntaxNode, value: Run) -> Run | None:
        access, letters = self._access(node), ""
        if access is None and isinstance(node, FieldAccess):
            access, letters = self._access(node.argument), node.field.text
        if access is None:
            return None
        of, texels, place, row = access.of, access.texels, access.place(), node.row
        if letters and not (isinstance(of, NumbersType) and all(letter in LANES for letter in letters)):
            raise UnknownTextError(f"an assignment to '{node.text}'")
        lanes = [LANES[letter] for letter in letters]

        def run() -> Any:
            at, new = place(), value()
            self.writes += 1
            if not lanes:
                of.store(texels, at, _as_kind(of, new, row))
                return new
            for lane, number in zip(lanes, _tuple(new), strict=True):
                texels.write_word(at + lane, number)
            return new

        return run

    def length_of(self, node: SyntaxNode) -> Run | None:
        """Returns the number of elements of an array of a storage block; None for any other."""
        access = self._access(node)
        if access is None or not isinstance(access.of, ArrayType):
            return None
        of, texels, place = access.of, access.texels, access.place()
        if of.count != OPEN:
            return lambda: of.count
        return lambda: (texels.words - place()) // of.stride


def _as_kind(of: BlockType, value: Any, row: int) -> Any:
    """Returns a scalar as a member of a type holds it: an integer that is given to a float becomes one."""
    is_scalar = isinstance(of, NumbersType) and not isinstance(value, tuple)
    return as_scalar(of.scalar, value, row) if is_scalar and isinstance(of, NumbersType) else value


def _lane_of(of: NumbersType) -> NumbersType:
    return NumbersType(1, 1, of.scalar, 1)


def _tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _moved(at: Sequence[Any], offset: Any, bound: BoundTexels) -> tuple[float, ...]:
    """Returns normalised coordinates that are moved by whole texels."""
    steps = (*_tuple(offset), 0)[: len(at)]
    return tuple(
        single(value_of(u) + value_of(by) / size) for u, by, size in zip(at, steps, bound.dimensions, strict=False)
    )
