"""Models GLSL's types: what a variable of one holds, what assignments convert, and what a value's own type is.

Whole numbers become floats wherever a float is expected (GLSL 4.60, section 4.1.10), which decides what a later `/`
does. Arrays and structures are values: a copy changes nothing else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from texelscope.pipeline.dialects.mpv.network.functions import real
from texelscope.pipeline.dialects.mpv.network.rounding import truncated
from texelscope.pipeline.dialects.mpv.network.textures import BlockTexture
from texelscope.pipeline.dialects.mpv.network.values import (
    LinearForm,
    LiteralNumber,
    NotUnderstoodError,
    Position,
    Scalar,
    Unset,
    form_of,
)

_VECTOR = re.compile(r"(?P<kind>f16|i16|u16|i|u|b|)vec(?P<lanes>[234])")
_MATRIX = re.compile(r"(?:f16)?mat(?P<columns>[234])(?:x(?P<rows>[234]))?")
_FLOATS = frozenset({"float", "float16_t", "FLOAT", "half"})
_BOOLS = frozenset({"bool", "BOOL"})
_UNSIGNED = frozenset({"uint", "UINT", "uint16_t"})
_WHOLE = frozenset({"int", "INT", "int16_t"}) | _UNSIGNED | _BOOLS
# The most elements of an array: no shader of weights has more, and a size can be any number.
_MOST_ELEMENTS = 4096


@dataclass(frozen=True)
class Matrix:
    """Holds columns of scalars."""

    columns: tuple[tuple[Scalar, ...], ...]


@dataclass(frozen=True)
class NamedReference:
    """Refers to the sampler of a bound texture by its name."""

    texture: BlockTexture


@dataclass(frozen=True)
class ArrayValue:
    """Holds the elements of an array."""

    items: tuple[Value, ...]


@dataclass(frozen=True)
class StructureValue:
    """Holds the members of a structure, in the order of its definition `name`."""

    name: str
    members: Mapping[str, Value]


Vector = tuple[Scalar, ...]
Value: TypeAlias = "Scalar | Vector | Matrix | NamedReference | ArrayValue | StructureValue"


def lanes_of(value: Value) -> Vector:
    """Returns a scalar's or a vector's lanes. Raises NotUnderstoodError for anything else."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, LiteralNumber | Position | LinearForm):
        return (value,)
    raise NotUnderstoodError("a matrix, sampler, structure or array where a vector is expected")


def scalar_of(value: Value) -> Scalar:
    """Returns a scalar, or the first lane. Raises NotUnderstoodError for values without lanes."""
    return lanes_of(value)[0]


def is_type(name: str) -> bool:
    """Reports whether GLSL has a numeric type of that name."""
    return (
        name in _FLOATS or name in _WHOLE or _VECTOR.fullmatch(name) is not None or _MATRIX.fullmatch(name) is not None
    )


def is_whole_type(name: str) -> bool:
    """Reports whether a type, or its lanes, are whole numbers or truth values."""
    vector = _VECTOR.fullmatch(name)
    return name in _WHOLE or (vector is not None and vector["kind"] not in ("", "f16"))


def lanes_in(name: str) -> int | None:
    """Returns the number of lanes of a vector's type; None of others."""
    vector = _VECTOR.fullmatch(name)
    return int(vector["lanes"]) if vector is not None else None


def sides_of(name: str) -> tuple[int, int] | None:
    """Returns columns and rows of a matrix's type; None of others."""
    matrix = _MATRIX.fullmatch(name)
    return (int(matrix["columns"]), int(matrix["rows"] or matrix["columns"])) if matrix is not None else None


def lane_as(name: str, lane: Scalar) -> Scalar:
    """Returns the scalar as the type, or a lane of it, holds it. Raises NotUnderstoodError."""
    if name in _BOOLS or name.startswith("bvec"):
        if isinstance(lane, LiteralNumber):
            return LiteralNumber(float(bool(lane.value)), lane.line, integer=True)
        raise NotUnderstoodError("a decision that depends on texels or the pixel's place")
    if not is_whole_type(name):
        return real(lane)
    whole = truncated(lane)
    if (name in _UNSIGNED or name.startswith("u")) and isinstance(whole, LiteralNumber) and whole.value < 0:
        raise NotUnderstoodError(f"{whole.value:g} as a number without a sign")
    return whole


@dataclass(frozen=True)
class VariableType:
    """Names a type, `sizes` being those of its arrays from the outside in; 0 where the value decides.

    `structures` are those that the block defines, by name.
    """

    name: str
    sizes: tuple[int, ...] = ()
    structures: Mapping[str, Mapping[str, VariableType]] = field(default_factory=dict, repr=False)

    def leaves(self) -> int:
        """Counts the scalars, vectors and matrices in a value of this type, an array without a size as one.

        Raises NotUnderstoodError for more than a shader has: structures of structures double at each step.
        """
        members = self.structures.get(self.name, {}).values()
        count = math.prod(size or 1 for size in self.sizes) * max(1, sum(each.leaves() for each in members))
        if count > _MOST_ELEMENTS:
            raise NotUnderstoodError(f"a '{self.name}' of more than {_MOST_ELEMENTS} values")
        return count

    def element(self) -> VariableType:
        """Returns the type of an element, a lane or a column. Raises NotUnderstoodError."""
        if self.sizes:
            return VariableType(self.name, self.sizes[1:], self.structures)
        sides = sides_of(self.name)
        if sides is not None:
            return VariableType(f"vec{sides[1]}")
        if lanes_in(self.name) is None:
            raise NotUnderstoodError(f"an element of a '{self.name}'")
        return VariableType("int" if is_whole_type(self.name) else "float")

    def member(self, name: str) -> VariableType | None:
        """Returns the type of a structure's member; None if this is no structure, or has none of that name."""
        return None if self.sizes else self.structures.get(self.name, {}).get(name)

    def unset(self, name: str, line: int) -> Value:
        """Returns what a new variable `name` of this type holds before assignments. Raises NotUnderstoodError."""
        if self.sizes:
            if math.prod(self.sizes) > _MOST_ELEMENTS or min(self.sizes) < 1:
                raise NotUnderstoodError(f"an array of {' x '.join(map(str, self.sizes))} elements")
            return ArrayValue((self.element().unset(name, line),) * self.sizes[0])
        if self.name in self.structures:
            members = self.structures[self.name].items()
            return StructureValue(self.name, {key: kind.unset(name, line) for key, kind in members})
        lane: Scalar = form_of(Unset(name, line))
        sides, lanes = sides_of(self.name), lanes_in(self.name)
        if sides is not None:
            return Matrix(((lane,) * sides[1],) * sides[0])
        if lanes is None and not is_type(self.name):
            raise NotUnderstoodError(f"'{name}' of the type '{self.name}'")
        return lane if lanes is None else (lane,) * lanes

    def converted(self, value: Value) -> Value:
        """Returns the value as a variable of this type holds it. Raises NotUnderstoodError for one of another type."""
        if self.sizes:
            if not isinstance(value, ArrayValue) or self.sizes[0] not in (0, len(value.items)):
                raise NotUnderstoodError(f"another value than the array of {self.sizes[0]} '{self.name}' expected")
            return ArrayValue(tuple(map(self.element().converted, value.items)))
        if isinstance(value, StructureValue) and value.name == self.name:
            return value
        if isinstance(value, NamedReference) and self.name == "sampler2D":
            return value
        lanes, sides = lanes_in(self.name), sides_of(self.name)
        if isinstance(value, Matrix) and sides == (len(value.columns), len(value.columns[0])):
            return value
        if isinstance(value, tuple) and lanes == len(value):
            return tuple(self._lane(lane) for lane in value)
        is_scalar = isinstance(value, LiteralNumber | Position | LinearForm)
        if is_scalar and lanes is None and sides is None and is_type(self.name):
            return self._lane(scalar_of(value))
        raise NotUnderstoodError(f"a {type_of(value).name} where a '{self.name}' is expected")

    def _lane(self, lane: Scalar) -> Scalar:
        """Returns a lane as this type holds it; what nothing was assigned to stays that."""
        return lane if isinstance(lane, LinearForm) and lane.unset is not None else lane_as(self.name, lane)


def type_of(value: Value) -> VariableType:
    """Returns the type of a value; of whole numbers `int`, whether they have a sign or are truth values."""
    if isinstance(value, ArrayValue):
        inner = type_of(value.items[0]) if value.items else VariableType("float")
        return VariableType(inner.name, (len(value.items), *inner.sizes))
    if isinstance(value, StructureValue):
        return VariableType(value.name)
    if isinstance(value, Matrix):
        return VariableType(f"mat{len(value.columns)}x{len(value.columns[0])}")
    if isinstance(value, NamedReference):
        return VariableType("sampler2D")
    lanes = lanes_of(value)
    is_whole = all(isinstance(lane, LiteralNumber | Position) and lane.integer for lane in lanes)
    if not isinstance(value, tuple):
        return VariableType("int" if is_whole else "float")
    return VariableType(f"{'i' if is_whole else ''}vec{len(lanes)}")


def fit(parameter: VariableType, argument: VariableType) -> int | None:
    """Returns 0 if a parameter takes an argument as it is, 1 if it is converted; None if it does not take it."""
    if len(parameter.sizes) != len(argument.sizes) or any(
        size not in (0, other) for size, other in zip(parameter.sizes, argument.sizes, strict=True)
    ):
        return None
    if is_type(parameter.name) and is_type(argument.name):
        if (lanes_in(parameter.name), sides_of(parameter.name)) != (lanes_in(argument.name), sides_of(argument.name)):
            return None
        if is_whole_type(parameter.name) == is_whole_type(argument.name):
            return 0
        return 1 if is_whole_type(argument.name) and not parameter.sizes else None
    return 0 if parameter.name == argument.name else None
