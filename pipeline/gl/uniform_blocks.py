"""Fills the uniform blocks of a program; where their members lie, the driver says.

A block without a value for any member holds zeros, as plain uniforms do. Values of a matrix are column by column, as
for a plain uniform, whichever way the block stores it (OpenGL 4.6 core profile, 7.6.2.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import UniformValue

# OpenGL 4.6 core profile, table 7.5: type, size, offset, array stride, matrix stride, row-major.
_QUERIES = (0x8A37, 0x8A38, 0x8A3B, 0x8A3C, 0x8A3D, 0x8A3E)
_ACTIVE_UNIFORMS, _ACTIVE_UNIFORM_INDICES = 0x8A42, 0x8A43
_LONGEST_NAME = 512
# Table 7.3: numpy kind, columns, rows of a type.
_FLOATS = {0x1406: (1, 1), 0x8B50: (1, 2), 0x8B51: (1, 3), 0x8B52: (1, 4), 0x8B5A: (2, 2), 0x8B5B: (3, 3),
           0x8B5C: (4, 4), 0x8B65: (2, 3), 0x8B66: (2, 4), 0x8B67: (3, 2), 0x8B68: (3, 4), 0x8B69: (4, 2),
           0x8B6A: (4, 3)}  # fmt: skip
_INTS = {0x1404: (1, 1), 0x8B53: (1, 2), 0x8B54: (1, 3), 0x8B55: (1, 4)}
_UINTS = {0x1405: (1, 1), 0x8DC6: (1, 2), 0x8DC7: (1, 3), 0x8DC8: (1, 4)}
_BOOLS = {0x8B56: (1, 1), 0x8B57: (1, 2), 0x8B58: (1, 3), 0x8B59: (1, 4)}
_TYPES = {
    gl_type: (kind, *shape)
    for kind, types in (("<f4", _FLOATS), ("<i4", _INTS), ("<u4", _UINTS), ("bool", _BOOLS))
    for gl_type, shape in types.items()
}


@dataclass(frozen=True)
class BlockMember:
    """A member of a uniform block: OpenGL's name without a final `[0]`, and where it lies, in bytes.

    `kind` is numpy's, or "bool"; a vector has one column. Strides are 0 for no array, and no matrix.
    """

    name: str
    kind: str
    columns: int
    rows: int
    count: int
    offset: int
    array_stride: int
    matrix_stride: int
    is_row_major: bool


_Blocks = WeakKeyDictionary[
    moderngl.Program | moderngl.ComputeShader, tuple[tuple[moderngl.UniformBlock, tuple[BlockMember, ...]], ...]
]


class UniformBlocks:
    """Holds a buffer for each uniform block of each pass."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._buffers: dict[tuple[str, str], moderngl.Buffer] = {}
        self._blocks: _Blocks = WeakKeyDictionary()

    def release(self) -> None:
        """Frees the buffers."""
        for buffer in self._buffers.values():
            buffer.release()
        self._buffers.clear()

    def bind(
        self, owner: str, program: moderngl.Program | moderngl.ComputeShader, values: Mapping[str, UniformValue]
    ) -> None:
        """Binds every block of the program, filled from values by OpenGL's names of members, for the pass `owner`."""
        for position, (block, members) in enumerate(self._blocks_of(program)):
            data = packed(members, block.size, values)
            key = owner, block.name
            buffer = self._buffers.get(key)
            if buffer is None or buffer.size != len(data):
                if buffer is not None:
                    buffer.release()
                buffer = self._buffers[key] = self._context.buffer(data)
            else:
                buffer.write(data)
            block.binding = position
            buffer.bind_to_uniform_block(position)

    def _blocks_of(
        self, program: moderngl.Program | moderngl.ComputeShader
    ) -> tuple[tuple[moderngl.UniformBlock, tuple[BlockMember, ...]], ...]:
        """Returns the program's blocks; the driver is asked once, and not in every frame."""
        known = self._blocks.get(program)
        if known is None:
            blocks = [block for name in program if isinstance(block := program[name], moderngl.UniformBlock)]
            known = self._blocks[program] = tuple((block, members_of(program, block)) for block in blocks)
        return known


def members_of(
    program: moderngl.Program | moderngl.ComputeShader, block: moderngl.UniformBlock
) -> tuple[BlockMember, ...]:
    """Returns the active members of a block, as the driver laid them out; the program's context must be current."""
    return tuple(_members(program.glo, block.index))


def _members(program: int, block: int) -> Iterator[BlockMember]:
    from OpenGL.raw.GL.VERSION.GL_3_1 import glGetActiveUniformBlockiv, glGetActiveUniformName, glGetActiveUniformsiv

    count = np.zeros(1, dtype=np.int32)
    glGetActiveUniformBlockiv(program, block, _ACTIVE_UNIFORMS, count)
    indices = np.zeros(int(count[0]), dtype=np.int32)
    if not indices.size:
        return
    glGetActiveUniformBlockiv(program, block, _ACTIVE_UNIFORM_INDICES, indices)
    found = np.zeros((len(_QUERIES), len(indices)), dtype=np.int32)
    for row, query in zip(found, _QUERIES, strict=True):
        glGetActiveUniformsiv(program, len(indices), indices.astype(np.uint32), query, row)
    for index, numbers in zip(indices.tolist(), found.T.tolist(), strict=True):
        gl_type, size, offset, array_stride, matrix_stride, is_row_major = numbers
        length, text = np.zeros(1, dtype=np.int32), np.zeros(_LONGEST_NAME, dtype=np.int8)
        glGetActiveUniformName(program, index, _LONGEST_NAME, length, text)
        name = text[: int(length[0])].tobytes().decode("ascii", errors="replace")
        if gl_type in _TYPES:  # doubles have no value in a file
            kind, columns, rows = _TYPES[gl_type]
            yield BlockMember(
                name.removesuffix("[0]"), kind, columns, rows, size, offset, array_stride, matrix_stride,
                bool(is_row_major),
            )  # fmt: skip


def packed(members: tuple[BlockMember, ...], size: int, values: Mapping[str, UniformValue]) -> bytes:
    """Returns the content of a block of `size` bytes: values flat, array element after element, column by column."""
    data = np.zeros(size, dtype=np.uint8)
    for member in members:
        if member.name not in values:
            continue
        each = member.columns * member.rows
        numbers = _numbers(values[member.name], member.kind)[: each * member.count]
        for position, number in enumerate(numbers):
            element, within = divmod(position, each)
            column, row = divmod(within, member.rows)
            major, minor = (row, column) if member.is_row_major else (column, row)
            at = member.offset + element * member.array_stride + major * member.matrix_stride + 4 * minor
            data[at : at + 4] = np.frombuffer(number.tobytes(), dtype=np.uint8)
    return data.tobytes()


def _numbers(value: UniformValue, kind: str) -> NDArray[Any]:
    numbers = np.atleast_1d(np.asarray(value))
    with np.errstate(over="ignore"):  # a number beyond the shader's range becomes infinity there
        return (numbers != 0).astype("<u4") if kind == "bool" else numbers.astype(kind)
