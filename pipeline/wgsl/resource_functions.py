"""Lists WGSL's built-in functions on buffers, textures and memory that is shared (WGSL, 17.4, 17.7, 17.8, 17.11)."""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.wgsl.call_rules import BuiltIn, Text, TypeOf, check_count
from texelscope.pipeline.wgsl.expression_writer import ExpressionWriter
from texelscope.pipeline.wgsl.syntax import CallNode
from texelscope.pipeline.wgsl.types import (
    F32,
    I32,
    U32,
    ArrayOf,
    AtomicType,
    NothingType,
    ScalarType,
    TextureType,
    Type,
    VectorType,
    concrete,
    said,
    scalar_of,
)


def _length_type(writer: ExpressionWriter, node: CallNode) -> Type:
    check_count(node, 1)
    if not isinstance(writer.value_type(node.arguments[0]), ArrayOf):
        got = said(writer.value_type(node.arguments[0]))
        raise AuthorTextError(node.row, "a pointer to an array: arrayLength(&A)", got, "Correct it.")
    return U32


def _length_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    return f"uint({writer.text(node.arguments[0])}.length())"


def _barrier(text: str) -> BuiltIn:
    def type_of(_writer: ExpressionWriter, node: CallNode) -> Type:
        check_count(node, 0)
        return NothingType()

    return BuiltIn(type_of, lambda writer, node, scalar: text)


def _atomic(pattern: str, count: int, *, gives: bool = True) -> BuiltIn:
    def type_of(writer: ExpressionWriter, node: CallNode) -> Type:
        check_count(node, count)
        kind = writer.value_type(node.arguments[0])
        if not isinstance(kind, AtomicType):
            raise AuthorTextError(node.row, "a pointer to an atomic", said(kind), "Declare it as atomic<u32>.")
        return kind.value if gives else NothingType()

    def text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
        kind = writer.value_type(node.arguments[0])
        parts = [writer.text(each, scalar_of(kind) if number else None) for number, each in enumerate(node.arguments)]
        return pattern.format(*parts)

    return BuiltIn(type_of, text)


def _texture_of(writer: ExpressionWriter, node: CallNode, which: int = 0) -> TextureType:
    kind = writer.value_type(node.arguments[which]) if len(node.arguments) > which else NothingType()
    if not isinstance(kind, TextureType):
        raise AuthorTextError(node.row, f"a texture in {node.callee.name}()", said(kind), "Correct the call.")
    return kind


def _texel_type(which: int = 0) -> TypeOf:
    return lambda writer, node: VectorType(4, _texture_of(writer, node, which).component)


def _at(writer: ExpressionWriter, node: CallNode, kind: TextureType, first: int, scalar: ScalarType) -> tuple[str, int]:
    """Returns the coordinates, with the layer of an array behind, and which argument is next."""
    place = writer.text(node.arguments[first], scalar_of(concrete(writer.value_type(node.arguments[first]))))
    size = 3 if kind.dimensions != "2d" else 2
    if kind.dimensions == "2d_array":
        layer = writer.text(node.arguments[first + 1])
        place, first = f"{place}, {layer}", first + 1
    vector = "ivec" if scalar == I32 else "vec"
    is_same = scalar_of(concrete(writer.value_type(node.arguments[first]))) == scalar and "," not in place
    return (place if is_same else f"{vector}{size}({place})"), first + 1


def _load_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    kind = _texture_of(writer, node)
    place, behind = _at(writer, node, kind, 1, I32)
    name = writer.text(node.arguments[0])
    if kind.texel_format:
        return f"imageLoad({name}, {place})"
    check_count(node, behind + 1)
    level = writer.text(node.arguments[behind])
    is_int = scalar_of(concrete(writer.value_type(node.arguments[behind]))) == I32
    return f"texelFetch({name}, {place}, {level if is_int else f'int({level})'})"


def _store_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    kind = _texture_of(writer, node)
    place, behind = _at(writer, node, kind, 1, I32)
    check_count(node, behind + 1)
    return (
        f"imageStore({writer.text(node.arguments[0])}, {place}, {writer.text(node.arguments[behind], kind.component)})"
    )


def _sample_text(name: str, extra: int) -> Text:
    def text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
        kind = _texture_of(writer, node)
        place, behind = _at(writer, node, kind, 2, F32)
        check_count(node, behind + extra)
        more = "".join(f", {writer.text(each, F32)}" for each in node.arguments[behind:])
        return f"{name}({writer.text(node.arguments[0])}, {place}{more})"

    return text


def _gather_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    check_count(node, 4, 5)
    kind = _texture_of(writer, node, 1)
    place, _ = _at(writer, node, kind, 3, F32)
    return f"textureGather({writer.text(node.arguments[1])}, {place}, {writer.text(node.arguments[0], I32)})"


def _one_number(writer: ExpressionWriter, node: CallNode) -> Type:
    check_count(node, 1)
    _texture_of(writer, node)
    return U32


def _layers_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    name = writer.text(node.arguments[0])
    size = f"imageSize({name})" if _texture_of(writer, node).texel_format else f"textureSize({name}, 0)"
    return f"uint({size}.z)"


def _levels_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    return f"uint(textureQueryLevels({writer.text(node.arguments[0])}))"


def _dimensions_type(writer: ExpressionWriter, node: CallNode) -> Type:
    return VectorType(3 if _texture_of(writer, node).dimensions == "3d" else 2, U32)


def _dimensions_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    kind = _texture_of(writer, node)
    name = writer.text(node.arguments[0])
    if kind.texel_format:
        size = f"imageSize({name})"
    else:
        size = f"textureSize({name}, {writer.text(node.arguments[1], I32) if len(node.arguments) > 1 else '0'})"
    return f"uvec3({size})" if kind.dimensions == "3d" else f"uvec2({size}{'.xy' if kind.dimensions != '2d' else ''})"


def _nothing(_writer: ExpressionWriter, _node: CallNode) -> Type:
    return NothingType()


RESOURCE_FUNCTIONS: Mapping[str, BuiltIn] = {
    "arrayLength": BuiltIn(_length_type, _length_text),
    "workgroupBarrier": _barrier("barrier()"),
    "storageBarrier": _barrier("memoryBarrierBuffer()"),
    "textureBarrier": _barrier("memoryBarrierImage()"),
    "atomicLoad": _atomic("{0}", 1),
    "atomicStore": _atomic("atomicExchange({0}, {1})", 2, gives=False),
    "atomicSub": _atomic("atomicAdd({0}, -({1}))", 2),
    **{name: _atomic(f"{name}({{0}}, {{1}})", 2) for name in (
        "atomicAdd", "atomicMax", "atomicMin", "atomicAnd", "atomicOr", "atomicXor", "atomicExchange",
    )},
    "textureLoad": BuiltIn(_texel_type(), _load_text),
    "textureStore": BuiltIn(_nothing, _store_text),
    "textureSample": BuiltIn(_texel_type(), _sample_text("texture", 0)),
    "textureSampleLevel": BuiltIn(_texel_type(), _sample_text("textureLod", 1)),
    "textureGather": BuiltIn(_texel_type(1), _gather_text),
    "textureNumLayers": BuiltIn(_one_number, _layers_text),
    "textureNumLevels": BuiltIn(_one_number, _levels_text),
    "textureDimensions": BuiltIn(_dimensions_type, _dimensions_text),
}  # fmt: skip
