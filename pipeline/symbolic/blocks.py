"""Says where the members of storage blocks lie, in numbers of four bytes, and reads and writes them.

The rules are those of OpenGL 4.6 (core profile), 7.6.2.2: std430, and std140, which gives elements of arrays and
structures the room of four numbers at least.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from texelscope.pipeline.symbolic.bound import BoundTexels
from texelscope.pipeline.symbolic.terms import MatrixValue
from texelscope.pipeline.symbolic.values import Structures, UnknownTextError, matrix_size, scalar_type

# The size of an array that is left open.
OPEN = 0


@dataclass(frozen=True)
class BlockType(ABC):
    """A type in a storage block: how many numbers it takes, and what its place is a multiple of."""

    size: int
    alignment: int

    @abstractmethod
    def load(self, texels: BoundTexels, at: int, row: int) -> Any:
        """Reads a value that starts at a number."""

    @abstractmethod
    def store(self, texels: BoundTexels, at: int, value: Any) -> None:
        """Writes a value that starts at a number."""


@dataclass(frozen=True)
class NumbersType(BlockType):
    """Is a scalar or a vector."""

    scalar: str
    lanes: int

    def load(self, texels: BoundTexels, at: int, row: int) -> Any:
        if self.lanes == 1:
            return texels.word(at, self.scalar, row)
        return tuple(texels.word(at + lane, self.scalar, row) for lane in range(self.lanes))

    def store(self, texels: BoundTexels, at: int, value: Any) -> None:
        for lane, number in enumerate(value if isinstance(value, tuple) else (value,)):
            texels.write_word(at + lane, number)


@dataclass(frozen=True)
class ArrayType(BlockType):
    """Is an array, of `count` elements or left open, or a matrix, which has vectors side by side."""

    of: BlockType
    count: int
    stride: int
    is_matrix: bool = False
    is_row_major: bool = False

    def load(self, texels: BoundTexels, at: int, row: int) -> Any:
        parts = [self.of.load(texels, at + number * self.stride, row) for number in range(self.count)]
        if not self.is_matrix:
            return parts
        return MatrixValue(zip(*parts, strict=True)) if self.is_row_major else MatrixValue(parts)

    def store(self, texels: BoundTexels, at: int, value: Any) -> None:
        parts = zip(*value, strict=True) if self.is_row_major else value
        for number, part in enumerate(parts):
            self.of.store(texels, at + number * self.stride, part)


@dataclass(frozen=True)
class StructureType(BlockType):
    """Is a structure or a whole block: has by name where each member starts, and its type."""

    members: Mapping[str, tuple[int, BlockType]]

    def load(self, texels: BoundTexels, at: int, row: int) -> Any:
        return {name: of.load(texels, at + start, row) for name, (start, of) in self.members.items()}

    def store(self, texels: BoundTexels, at: int, value: Any) -> None:
        for name, (start, of) in self.members.items():
            of.store(texels, at + start, value[name])


@dataclass(frozen=True)
class BlockRules:
    """The rules of a block: `least` is the room that an element of an array or a structure has at least."""

    structures: Structures
    least: int = 1

    def type_of(self, kind: str, sizes: Sequence[int], *, is_row_major: bool = False) -> BlockType:
        """Returns where the parts of a type lie. Raises UnknownTextError."""
        if sizes:
            of = self.type_of(kind, sizes[1:], is_row_major=is_row_major)
            return self._array(of, sizes[0])
        if kind in self.structures:
            return self.structure(self.structures[kind])
        columns, rows = matrix_size(kind)
        if columns:
            count, lanes = (rows, columns) if is_row_major else (columns, rows)
            vector = self.type_of(f"vec{lanes}", ())
            stride = _up(vector.size, max(vector.alignment, self.least))
            return ArrayType(count * stride, stride, vector, count, stride, is_matrix=True, is_row_major=is_row_major)
        scalar, lanes = scalar_type(kind)
        if not scalar:
            raise UnknownTextError(f"the type {kind} in a block")
        return NumbersType(lanes, lanes if lanes != 3 else 4, scalar, lanes)

    def _array(self, of: BlockType, count: int) -> ArrayType:
        alignment = max(of.alignment, self.least)
        stride = _up(of.size, alignment)
        return ArrayType(count * stride, alignment, of, count, stride)

    def structure(
        self, members: Sequence[tuple[str, str, tuple[int, ...]]], row_major: frozenset[str] = frozenset()
    ) -> StructureType:
        """Returns where the members of a structure lie, those in `row_major` row by row."""
        found: dict[str, tuple[int, BlockType]] = {}
        at, alignment = 0, self.least
        for kind, name, sizes in members:
            of = self.type_of(kind, sizes, is_row_major=name in row_major)
            at = _up(at, of.alignment)
            found[name] = at, of
            at, alignment = at + of.size, max(alignment, of.alignment)
        return StructureType(_up(at, alignment), alignment, found)


def _up(number: int, step: int) -> int:
    return -(-number // step) * step
