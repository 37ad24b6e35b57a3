"""Defines the types of WGSL's values and spells them in GLSL.

An abstract number (WGSL, 6.2.1) is a literal or made of literals: it becomes whatever type is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Dimensions = Literal["2d", "2d_array", "3d"]
ScalarName = Literal["f32", "i32", "u32", "bool", "f16", "abstract int", "abstract float"]


@dataclass(frozen=True)
class ScalarType:
    """Describes a scalar type."""

    name: ScalarName


@dataclass(frozen=True)
class VectorType:
    """Describes a vector of 2 to 4 components."""

    size: int
    component: ScalarType


@dataclass(frozen=True)
class MatrixType:
    """A matrix of floats by its columns."""

    columns: int
    rows: int
    component: ScalarType


@dataclass(frozen=True)
class ArrayOf:
    """An array; `count` is how many elements it has, as it is written in GLSL, None where the buffer's size says it.

    `length` is the number, None where a macro or nothing says it.
    """

    element: Type
    count: str | None
    length: int | None = None


@dataclass(frozen=True)
class MemberOf:
    """Describes a member of a structure by its name in WGSL.

    `align` and `size` are what its attributes say in bytes, 0 for nothing.
    """

    name: str
    type: Type
    align: int = 0
    size: int = 0
    builtin: str = ""
    location: int | None = None


@dataclass(frozen=True)
class StructType:
    """Describes a structure."""

    name: str
    members: tuple[MemberOf, ...]

    def member(self, name: str) -> MemberOf | None:
        """Returns the member of a name."""
        return next((each for each in self.members if each.name == name), None)


@dataclass(frozen=True)
class AtomicType:
    """An integer that is changed as one."""

    value: ScalarType


@dataclass(frozen=True)
class PointerType:
    """A pointer; `space` is the address space of what it points to."""

    space: str
    target: Type


@dataclass(frozen=True)
class TextureType:
    """A texture of `texture_2d` and the like; `texel_format` is a storage texture's."""

    dimensions: Dimensions
    component: ScalarType
    texel_format: str = ""
    access: str = ""


@dataclass(frozen=True)
class SamplerType:
    """Describes a sampler."""


@dataclass(frozen=True)
class NothingType:
    """What a function without a result returns."""


Type = (
    ScalarType
    | VectorType
    | MatrixType
    | ArrayOf
    | StructType
    | AtomicType
    | PointerType
    | TextureType
    | SamplerType
    | NothingType
)

F32, I32, U32, BOOL, F16 = (
    ScalarType("f32"),
    ScalarType("i32"),
    ScalarType("u32"),
    ScalarType("bool"),
    ScalarType("f16"),
)
ABSTRACT_INT, ABSTRACT_FLOAT = ScalarType("abstract int"), ScalarType("abstract float")
NUMBERS = (F32, I32, U32, F16, ABSTRACT_INT, ABSTRACT_FLOAT)
INTEGERS = (I32, U32, ABSTRACT_INT)
FLOATS = (F32, F16, ABSTRACT_FLOAT)
SCALARS = {"f32": F32, "i32": I32, "u32": U32, "bool": BOOL, "f16": F16}

_GLSL = {"f32": "float", "i32": "int", "u32": "uint", "bool": "bool", "abstract int": "int", "abstract float": "float"}
_VECTORS = {"f32": "vec", "i32": "ivec", "u32": "uvec", "bool": "bvec", "abstract int": "ivec", "abstract float": "vec"}


def scalar_of(kind: Type) -> ScalarType | None:
    """Returns the scalar type that a scalar, vector, matrix or atomic is made of."""
    if isinstance(kind, ScalarType):
        return kind
    if isinstance(kind, VectorType | MatrixType):
        return kind.component
    return kind.value if isinstance(kind, AtomicType) else None


def with_scalar(kind: Type, scalar: ScalarType) -> Type:
    """Returns a scalar, vector or matrix type of another scalar type."""
    if isinstance(kind, VectorType):
        return VectorType(kind.size, scalar)
    if isinstance(kind, MatrixType):
        return MatrixType(kind.columns, kind.rows, scalar)
    if isinstance(kind, ArrayOf):
        return ArrayOf(with_scalar(kind.element, scalar), kind.count, kind.length)
    return scalar if isinstance(kind, ScalarType) else kind


def is_abstract(kind: Type) -> bool:
    """Whether values of a type become another type where one is asked for."""
    if isinstance(kind, ArrayOf):
        return is_abstract(kind.element)
    return scalar_of(kind) in (ABSTRACT_INT, ABSTRACT_FLOAT)


def concrete(kind: Type) -> Type:
    """Returns the type that a value has where none is asked for."""
    if isinstance(kind, ArrayOf) and is_abstract(kind):
        return ArrayOf(concrete(kind.element), kind.count, kind.length)
    scalar = scalar_of(kind)
    if scalar == ABSTRACT_INT:
        return with_scalar(kind, I32)
    return with_scalar(kind, F32) if scalar == ABSTRACT_FLOAT else kind


def said(kind: Type) -> str:
    """Returns a type as it is spelled in WGSL, for a message."""
    match kind:
        case ScalarType():
            return kind.name
        case VectorType():
            return f"vec{kind.size}<{kind.component.name}>"
        case MatrixType():
            return f"mat{kind.columns}x{kind.rows}<{kind.component.name}>"
        case ArrayOf():
            behind = "" if kind.count is None else f", {kind.count}"
            return f"array<{said(kind.element)}{behind}>"
        case StructType():
            return kind.name
        case AtomicType():
            return f"atomic<{kind.value.name}>"
        case PointerType():
            return f"ptr<{kind.space}, {said(kind.target)}>"
        case TextureType():
            return f"texture_{kind.dimensions}"
        case SamplerType():
            return "sampler"
        case _:
            return "nothing"


def glsl(kind: Type) -> str:
    """Returns a type as it is spelled in GLSL; that of an array has its sizes behind it, the outermost first."""
    match kind:
        case ScalarType():
            return _GLSL[kind.name]
        case VectorType():
            return f"{_VECTORS[kind.component.name]}{kind.size}"
        case MatrixType():
            return f"mat{kind.columns}" if kind.columns == kind.rows else f"mat{kind.columns}x{kind.rows}"
        case ArrayOf():
            return f"{glsl(innermost(kind))}{sizes(kind)}"
        case StructType():
            return kind.name
        case AtomicType():
            return _GLSL[kind.value.name]
        case PointerType():
            return glsl(kind.target)
        case _:
            return "void"


def innermost(kind: Type) -> Type:
    """Returns the type of an element that is no array."""
    return innermost(kind.element) if isinstance(kind, ArrayOf) else kind


def sizes(kind: Type) -> str:
    """Returns the sizes of an array in GLSL, `[2][3]`; of what is none, nothing."""
    return f"[{kind.count or ''}]{sizes(kind.element)}" if isinstance(kind, ArrayOf) else ""


def declared(kind: Type, name: str) -> str:
    """Returns a declaration of a variable in GLSL, without initial value."""
    return f"{glsl(innermost(kind))} {name}{sizes(kind)}"


def zero(kind: Type) -> str:
    """Returns the value that a variable begins with, in GLSL."""
    match kind:
        case ScalarType():
            return {"bool": "false", "f32": "0.0", "u32": "0u"}.get(kind.name, "0")
        case VectorType() | MatrixType():
            return f"{glsl(kind)}({zero(kind.component)})"
        case ArrayOf():
            return f"{glsl(kind)}({', '.join([zero(kind.element)] * (kind.length or 1))})"
        case StructType():
            return f"{kind.name}({', '.join(zero(each.type) for each in kind.members)})"
        case _:
            return "0"


def count_of(kind: Type) -> int:
    """Returns of how many scalars a type's value is made, 0 where that is not known."""
    match kind:
        case VectorType():
            return kind.size
        case MatrixType():
            return kind.columns * kind.rows
        case ArrayOf():
            return (kind.length or 0) * count_of(kind.element)
        case StructType():
            return sum(count_of(each.type) for each in kind.members)
        case _:
            return 1
