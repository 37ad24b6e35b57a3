"""Says where in memory WGSL's values lie (WGSL, 14.4), and converts between bytes and numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.wgsl.types import (
    F16,
    I32,
    U32,
    ArrayOf,
    AtomicType,
    MatrixType,
    MemberOf,
    ScalarType,
    StructType,
    Type,
    VectorType,
)

_SCALAR_BYTES = 4
_HALF_BYTES = 2


@dataclass(frozen=True)
class Leaf:
    """Describes a scalar, a vector or a matrix in memory: its name with its structure's, and the bytes before it.

    `columns` vectors of `rows` numbers of `dtype` lie `stride` bytes apart.
    """

    path: str
    offset: int
    dtype: str
    rows: int
    columns: int = 1
    stride: int = 0

    @property
    def count(self) -> int:
        """How many numbers it has."""
        return self.rows * self.columns


def size_of(kind: Type, count: int = 1) -> int:
    """Returns the bytes of a value; of an array whose buffer says its length, those of `count` elements."""
    match kind:
        case ScalarType() | AtomicType():
            return _bytes(kind.value if isinstance(kind, AtomicType) else kind)
        case VectorType():
            return kind.size * _bytes(kind.component)
        case MatrixType():
            return kind.columns * _up(align_of(kind), size_of(VectorType(kind.rows, kind.component)))
        case ArrayOf():
            return stride_of(kind) * (kind.length or count)
        case StructType():
            end = 0
            for member, offset in offsets(kind):
                end = offset + (member.size or size_of(member.type, count))
            return _up(align_of(kind), end)
        case _:
            return 0


def align_of(kind: Type) -> int:
    """Returns the bytes that a value's place is a multiple of."""
    match kind:
        case ScalarType() | AtomicType():
            return size_of(kind)
        case VectorType():
            return _bytes(kind.component) * (2 if kind.size == 2 else 4)
        case MatrixType():
            return align_of(VectorType(kind.rows, kind.component))
        case ArrayOf():
            return align_of(kind.element)
        case StructType():
            return max((each.align or align_of(each.type) for each in kind.members), default=1)
        case _:
            return 1


def stride_of(kind: ArrayOf) -> int:
    """Returns the bytes from one element to the next."""
    return _up(align_of(kind.element), size_of(kind.element))


def offsets(kind: StructType) -> Iterator[tuple[MemberOf, int]]:
    """Yields the members of a structure with the bytes before each."""
    at = 0
    for member in kind.members:
        at = _up(member.align or align_of(member.type), at)
        yield member, at
        at += member.size or size_of(member.type)


def leaves(kind: Type, path: str = "", offset: int = 0) -> Iterator[Leaf]:
    """Yields what a value is made of, in order, with names as in `params.sizes[1].x`.

    An array whose length the buffer says has none.
    """
    match kind:
        case ScalarType() | AtomicType():
            yield Leaf(path, offset, _dtype(kind.value if isinstance(kind, AtomicType) else kind), 1)
        case VectorType():
            yield Leaf(path, offset, _dtype(kind.component), kind.size)
        case MatrixType():
            stride = _up(align_of(kind), size_of(VectorType(kind.rows, kind.component)))
            yield Leaf(path, offset, _dtype(kind.component), kind.rows, kind.columns, stride)
        case ArrayOf():
            for number in range(kind.length or 0):
                yield from leaves(kind.element, f"{path}[{number}]", offset + number * stride_of(kind))
        case StructType():
            for member, at in offsets(kind):
                yield from leaves(member.type, f"{path}.{member.name}" if path else member.name, offset + at)
        case _:
            return


def read(leaf: Leaf, data: bytes) -> NDArray[Any]:
    """Returns the numbers of a leaf, [count], column by column. Raises ValueError where the bytes end before it."""
    width = np.dtype(leaf.dtype).itemsize
    columns = [
        np.frombuffer(data, leaf.dtype, leaf.rows, leaf.offset + column * (leaf.stride or leaf.rows * width))
        for column in range(leaf.columns)
    ]
    return np.concatenate(columns)


def write(leaf: Leaf, numbers: NDArray[Any], into: bytearray) -> None:
    """Writes the numbers of a leaf, [count], column by column, to their place."""
    width = np.dtype(leaf.dtype).itemsize
    columns = np.ravel(numbers).astype(leaf.dtype).reshape(leaf.columns, leaf.rows)
    for column, values in enumerate(columns):
        at = leaf.offset + column * (leaf.stride or leaf.rows * width)
        into[at : at + leaf.rows * width] = values.tobytes()


def _bytes(kind: ScalarType) -> int:
    return _HALF_BYTES if kind == F16 else _SCALAR_BYTES


def _dtype(kind: ScalarType) -> str:
    return {I32: "int32", U32: "uint32", F16: "float16"}.get(kind, "float32")


def _up(to: int, number: int) -> int:
    return -(-number // to) * to
