"""Finds the types that names in WGSL say (WGSL, 6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from texelscope.pipeline.errors import nearest
from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.wgsl.numbers import Value
from texelscope.pipeline.wgsl.scope import Scope
from texelscope.pipeline.wgsl.syntax import Expression, NameNode
from texelscope.pipeline.wgsl.types import (
    F16,
    F32,
    SCALARS,
    ArrayOf,
    AtomicType,
    Dimensions,
    MatrixType,
    PointerType,
    SamplerType,
    ScalarType,
    TextureType,
    Type,
    VectorType,
    said,
)

Constant = Callable[[Expression], Value | None]

_VECTOR = re.compile(r"vec(?P<size>[234])(?P<kind>[fiuh]?)$")
_MATRIX = re.compile(r"mat(?P<columns>[234])x(?P<rows>[234])(?P<kind>[fh]?)$")
_KINDS = {"f": "f32", "i": "i32", "u": "u32", "h": "f16"}
# Formats of storage textures with GLSL's names of them (WGSL, 6.5.4; GLSL 4.60, 4.4.7).
FORMATS: Mapping[str, tuple[str, str]] = {
    **{f"{parts}{bits}float": (f"{parts}{bits}f", "f32") for parts in ("r", "rg", "rgba") for bits in ("16", "32")},
    **{
        f"{parts}{bits}uint": (f"{parts}{bits}ui", "u32") for parts in ("r", "rg", "rgba") for bits in ("8", "16", "32")
    },
    **{f"{parts}{bits}sint": (f"{parts}{bits}i", "i32") for parts in ("r", "rg", "rgba") for bits in ("8", "16", "32")},
    **{f"{parts}8unorm": (f"{parts}8", "f32") for parts in ("r", "rg", "rgba")},
    "rgba8snorm": ("rgba8_snorm", "f32"),
}
_DIMENSIONS: Mapping[str, Dimensions] = {"2d": "2d", "2d_array": "2d_array", "3d": "3d"}
_TEXTURE = re.compile(r"texture_(?P<storage>storage_)?(?P<dimensions>2d|2d_array|3d)$")


def may_be_type(name: str, scope: Scope) -> bool:
    """Whether a name says a type."""
    return (
        name in SCALARS or name in scope.structures or name in scope.aliases or name in ("array", "atomic", "ptr")
        or _VECTOR.match(name) is not None or _MATRIX.match(name) is not None
    )  # fmt: skip


def type_named(name: NameNode, scope: Scope, constant: Constant) -> Type:
    """Returns the type that a name with its arguments says. Raises AuthorTextError for another name."""
    if name.name in SCALARS:
        return _allowed(SCALARS[name.name], name)
    declared = scope.structures.get(name.name) or scope.aliases.get(name.name)
    if declared is not None:
        return declared
    if (vector := _VECTOR.match(name.name)) is not None:
        return VectorType(int(vector["size"]), _component(name, vector["kind"], scope, constant))
    if (matrix := _MATRIX.match(name.name)) is not None:
        component = _component(name, matrix["kind"], scope, constant)
        return MatrixType(int(matrix["columns"]), int(matrix["rows"]), component)
    if name.name in ("sampler", "sampler_comparison"):
        return SamplerType()
    if (texture := _TEXTURE.match(name.name)) is not None:
        return _texture(name, texture, scope, constant)
    if name.name == "array" and name.arguments:
        return _array(name, scope, constant)
    if name.name == "atomic" and len(name.arguments) == 1:
        value = _inner(name, 0, scope, constant)
        if isinstance(value, ScalarType) and value.name in ("i32", "u32"):
            return AtomicType(value)
        raise AuthorTextError(name.row, "atomic<i32> or atomic<u32>", f"atomic<{said(value)}>", "Use one of them.")
    if name.name == "ptr" and len(name.arguments) >= 2 and isinstance(name.arguments[0], NameNode):
        return PointerType(name.arguments[0].name, _inner(name, 1, scope, constant))
    if name.name.startswith("texture_"):
        raise AuthorTextError(
            name.row, "texture_2d, texture_2d_array, texture_3d or a storage texture of them", name.name, "Use one."
        )
    known = [*SCALARS, *scope.structures, *scope.aliases, "vec2", "vec3", "vec4", "array", "mat4x4"]
    raise AuthorTextError(name.row, "a type", f"'{name.name}'", nearest(name.name, known))


def _allowed(kind: ScalarType, name: NameNode) -> ScalarType:
    if kind == F16:
        raise AuthorTextError(
            name.row, "types that OpenGL has", "f16, floats of 16 bits", "Use f32 here; on a device f16 can stay."
        )
    return kind


def _inner(name: NameNode, which: int, scope: Scope, constant: Constant) -> Type:
    argument = name.arguments[which]
    if not isinstance(argument, NameNode):
        raise AuthorTextError(name.row, f"a type in {name.name}<…>", "a number", "Correct it.")
    return type_named(argument, scope, constant)


def _component(name: NameNode, kind: str, scope: Scope, constant: Constant) -> ScalarType:
    if kind:
        return _allowed(SCALARS[_KINDS[kind]], name)
    if len(name.arguments) == 1:
        found = _inner(name, 0, scope, constant)
        if isinstance(found, ScalarType):
            return found
    raise AuthorTextError(name.row, f"a type of components: {name.name}<f32>", name.name, "Add it.")


def _array(name: NameNode, scope: Scope, constant: Constant) -> ArrayOf:
    element = _inner(name, 0, scope, constant)
    if len(name.arguments) == 1:
        return ArrayOf(element, None)
    value = constant(name.arguments[1])
    if not isinstance(value, int) or not 0 < value < 2**24:
        raise AuthorTextError(name.row, "a constant number of elements", f"{value}", "Use a const or a number.")
    return ArrayOf(element, str(value), value)


def _texture(name: NameNode, texture: re.Match[str], scope: Scope, constant: Constant) -> TextureType:
    dimensions = texture["dimensions"]
    size = _DIMENSIONS[dimensions]
    if not texture["storage"]:
        component = _inner(name, 0, scope, constant) if name.arguments else F32
        return TextureType(size, component if isinstance(component, ScalarType) else F32)
    words = [each.name for each in name.arguments if isinstance(each, NameNode)]
    if len(words) != 2 or words[0] not in FORMATS:
        raise AuthorTextError(
            name.row,
            f"{name.name}<format, access>",
            f"<{', '.join(words)}>",
            "Use rgba32float, r32float or another one.",
        )
    texel_format, component_name = FORMATS[words[0]]
    return TextureType(size, SCALARS[component_name], texel_format, words[1])
