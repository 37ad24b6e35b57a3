"""Lists WGSL's built-in functions with their types and what they are in GLSL (WGSL, 17): one row a function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.wgsl.call_rules import BuiltIn, Text, check_count
from texelscope.pipeline.wgsl.expression_writer import ExpressionWriter
from texelscope.pipeline.wgsl.operators import common
from texelscope.pipeline.wgsl.resource_functions import RESOURCE_FUNCTIONS
from texelscope.pipeline.wgsl.syntax import CallNode, Expression, NameNode
from texelscope.pipeline.wgsl.types import (
    ABSTRACT_FLOAT,
    BOOL,
    F32,
    FLOATS,
    I32,
    INTEGERS,
    U32,
    MatrixType,
    ScalarType,
    Type,
    VectorType,
    concrete,
    glsl,
    is_abstract,
    said,
    scalar_of,
    with_scalar,
)


def _unified(writer: ExpressionWriter, node: CallNode, arguments: Sequence[Expression] | None = None) -> Type:
    """Returns the type that all arguments have together: of the first vector, if one is."""
    chosen = node.arguments if arguments is None else arguments
    kinds = [writer.value_type(each) for each in chosen]
    scalar: ScalarType | None = None
    for number, kind in enumerate(kinds):
        own = scalar_of(kind)
        scalar = own if number == 0 or own is None or scalar is None else common(scalar, own)
        if scalar is None:
            got = ", ".join(said(each) for each in kinds)
            name = node.callee.name
            raise AuthorTextError(node.row, f"arguments of {name}() of one type", got, "Convert them.")
    assert scalar is not None, "a call has arguments"
    shape = next((each for each in kinds if isinstance(each, VectorType)), kinds[0])
    return with_scalar(shape, scalar)


def _joined(writer: ExpressionWriter, node: CallNode, name: str, kind: Type) -> str:
    return f"{name}({', '.join(writer.text(each, scalar_of(kind)) for each in node.arguments)})"


def _as_all(name: str, count: int, *, floats: bool = False, ints: str = "") -> BuiltIn:
    """Returns a function whose arguments and result are of one type; `ints` is its name for whole numbers."""

    def type_of(writer: ExpressionWriter, node: CallNode) -> Type:
        check_count(node, count)
        kind = _unified(writer, node)
        scalar = scalar_of(kind)
        if floats and scalar in INTEGERS and not is_abstract(kind):
            raise AuthorTextError(
                node.row, f"floats in {node.callee.name}()", said(kind), "Convert them, as in f32(i)."
            )
        return with_scalar(kind, ABSTRACT_FLOAT) if floats and scalar not in FLOATS else kind

    def text(writer: ExpressionWriter, node: CallNode, scalar: ScalarType | None) -> str:
        kind = type_of(writer, node)
        kind = concrete(with_scalar(kind, scalar) if scalar is not None and is_abstract(kind) else kind)
        return _joined(writer, node, ints if ints and scalar_of(kind) in INTEGERS else name, kind)

    return BuiltIn(type_of, text)


def _to_scalar(name: str, count: int) -> BuiltIn:
    def type_of(writer: ExpressionWriter, node: CallNode) -> Type:
        check_count(node, count)
        found = scalar_of(_unified(writer, node))
        assert found is not None, "vectors have one"
        return found if found in FLOATS or name == "dot" else ABSTRACT_FLOAT

    def text(writer: ExpressionWriter, node: CallNode, scalar: ScalarType | None) -> str:
        kind = _unified(writer, node)
        own = scalar_of(kind) if not is_abstract(kind) else scalar
        if name == "dot" and own in (I32, U32) and isinstance(kind, VectorType):
            left, right = (_part(writer.twice(each, own)) for each in node.arguments)
            return f"({' + '.join(f'{left}.{each} * {right}.{each}' for each in 'xyzw'[: kind.size])})"
        return _joined(writer, node, name, own or F32)

    return BuiltIn(type_of, text)


def _part(text: str) -> str:
    return text if text.replace("_", "").isalnum() else f"({text})"


def _template(pattern: str, count: int, result: Type | None = None, argument: ScalarType | None = None) -> BuiltIn:
    """Returns a function that GLSL writes as a pattern: `{0}` is the first argument, `{type}` the result's type.

    The result is of the arguments' type unless `result` says another; of a scalar type, it has as many components.
    """

    def type_of(writer: ExpressionWriter, node: CallNode) -> Type:
        check_count(node, count)
        kind = concrete(_unified(writer, node)) if argument is None else writer.value_type(node.arguments[0])
        if argument is not None and is_abstract(kind):
            kind = with_scalar(kind, argument)
        if result is None:
            return kind
        return with_scalar(kind, result) if isinstance(result, ScalarType) else result

    def text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
        kind = type_of(writer, node)
        own = argument or scalar_of(concrete(_unified(writer, node)))
        repeated = {number for number in range(count) if pattern.count(f"{{{number}}}") > 1}
        parts = [
            writer.twice(each, own) if number in repeated else writer.text(each, own)
            for number, each in enumerate(node.arguments)
        ]
        return pattern.format(*parts, type=glsl(kind))

    return BuiltIn(type_of, text)


def _packed(name: str, of: Type, result: Type) -> BuiltIn:
    def type_of(_writer: ExpressionWriter, node: CallNode) -> Type:
        check_count(node, 1)
        return result

    return BuiltIn(type_of, lambda writer, node, scalar: f"{name}({writer.text(node.arguments[0], scalar_of(of))})")


def _select_type(writer: ExpressionWriter, node: CallNode) -> Type:
    check_count(node, 3)
    return (
        _unified(writer, node, node.arguments[:2])
        if scalar_of(writer.value_type(node.arguments[0]))
        else (writer.value_type(node.arguments[0]))
    )


def _select_text(writer: ExpressionWriter, node: CallNode, scalar: ScalarType | None) -> str:
    kind = _select_type(writer, node)
    own = scalar or scalar_of(concrete(kind))
    condition = writer.value_type(node.arguments[2])
    if not isinstance(condition, VectorType):
        yes, no = writer.text(node.arguments[1], own), writer.text(node.arguments[0], own)
        return f"({writer.text(node.arguments[2])} ? {yes} : {no})"
    if own == F32:
        return f"mix({writer.text(node.arguments[0], own)}, {writer.text(node.arguments[1], own)}, " + (
            f"{writer.text(node.arguments[2])})"
        )
    no, yes, asked = (
        _part(writer.twice(each, own if number < 2 else None)) for number, each in enumerate(node.arguments)
    )
    assert isinstance(kind, VectorType)
    parts = ", ".join(f"{asked}.{each} ? {yes}.{each} : {no}.{each}" for each in "xyzw"[: kind.size])
    return f"{glsl(with_scalar(kind, own) if own is not None else kind)}({parts})"


def _bitcast_type(writer: ExpressionWriter, node: CallNode) -> Type:
    check_count(node, 1)
    if len(node.callee.arguments) != 1 or not isinstance(node.callee.arguments[0], NameNode):
        raise AuthorTextError(node.row, "bitcast<type>(value)", "no type", "Add it.")
    return writer.named(node.callee.arguments[0])


def _bitcast_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    to = _bitcast_type(writer, node)
    given = concrete(writer.value_type(node.arguments[0]))
    text = writer.text(node.arguments[0], scalar_of(given))
    names = {
        (F32, I32): "floatBitsToInt", (F32, U32): "floatBitsToUint", (I32, F32): "intBitsToFloat",
        (U32, F32): "uintBitsToFloat",
    }  # fmt: skip
    one, other = scalar_of(given), scalar_of(to)
    if one == other:
        return text
    assert one is not None
    assert other is not None
    return f"{names.get((one, other), glsl(to))}({text})"


def _all_text(name: str) -> Text:
    def text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
        inner = writer.text(node.arguments[0])
        return f"{name}({inner})" if isinstance(writer.value_type(node.arguments[0]), VectorType) else f"({inner})"

    return text


def _bool_type(_writer: ExpressionWriter, node: CallNode) -> Type:
    check_count(node, 1)
    return BOOL


def _bits_type(writer: ExpressionWriter, node: CallNode) -> Type:
    check_count(node, {"extractBits": 3, "insertBits": 4}.get(node.callee.name, 1))
    return concrete(writer.value_type(node.arguments[0]))


def _unsigned(kind: Type) -> str:
    return glsl(with_scalar(kind, U32))


def _leading_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    kind = _bits_type(writer, node)
    bits = f"findMSB({_unsigned(kind)}({writer.text(node.arguments[0])}))"
    return f"{glsl(kind)}(31 - {bits})"


def _trailing_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    kind = _bits_type(writer, node)
    bits = f"findLSB({writer.text(node.arguments[0])})"
    return f"{glsl(kind)}(min({_unsigned(kind)}({bits}), 32u))"


def _extract_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    """Returns bits of a number; of less than are asked for, where it has less (WGSL, 17.5.19)."""
    return f"bitfieldExtract({writer.text(node.arguments[0])}, {_bits(writer, node, 1)})"


def _insert_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    kind = _bits_type(writer, node)
    whole, new = (writer.text(each, scalar_of(kind)) for each in node.arguments[:2])
    return f"bitfieldInsert({whole}, {new}, {_bits(writer, node, 2)})"


def _bits(writer: ExpressionWriter, node: CallNode, at: int) -> str:
    """Returns the arguments that say the first bit and how many, no more than there are."""
    first, count = (writer.twice(each, U32) for each in node.arguments[at : at + 2])
    known, number = (writer.constant(each) for each in node.arguments[at : at + 2])
    if isinstance(known, int) and isinstance(number, int) and known + number <= 32:
        return f"{known}, {number}"
    return f"int(min({first}, 32u)), int(min({count}, 32u - min({first}, 32u)))"


def _transposed_type(writer: ExpressionWriter, node: CallNode) -> Type:
    check_count(node, 1)
    kind = writer.value_type(node.arguments[0])
    if not isinstance(kind, MatrixType):
        raise AuthorTextError(node.row, "a matrix in transpose()", said(kind), "Correct the call.")
    return MatrixType(kind.rows, kind.columns, kind.component)


def _transposed_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    return f"transpose({writer.text(node.arguments[0])})"


_abs = _as_all("abs", 1)


def _ldexp_type(writer: ExpressionWriter, node: CallNode) -> Type:
    check_count(node, 2)
    kind = writer.value_type(node.arguments[0])
    return with_scalar(kind, F32) if is_abstract(kind) else kind


def _ldexp_text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
    return f"ldexp({writer.text(node.arguments[0], F32)}, {writer.text(node.arguments[1], I32)})"


def _abs_text(writer: ExpressionWriter, node: CallNode, scalar: ScalarType | None) -> str:
    """An unsigned number is its own absolute value; GLSL has no function for it."""
    kind = _abs.type_of(writer, node)
    return writer.text(node.arguments[0]) if scalar_of(kind) == U32 else _abs.text(writer, node, scalar)


_BYTE_PLACES = (("x", 0), ("y", 8), ("z", 16), ("w", 24))


def _packed_bytes(suffix: str) -> BuiltIn:
    """Returns the function that packs the lowest bytes of four numbers, unsigned ones with a suffix."""

    def type_of(_writer: ExpressionWriter, node: CallNode) -> Type:
        check_count(node, 1)
        return U32

    def text(writer: ExpressionWriter, node: CallNode, _scalar: ScalarType | None) -> str:
        whole = _part(writer.twice(node.arguments[0], U32 if suffix else I32))
        parts = (f"({whole}.{part} & 255{suffix}) << {at}" for part, at in _BYTE_PLACES)
        return f"uint({' | '.join(parts)})"

    return BuiltIn(type_of, text)


def _summed(pattern: str) -> str:
    """Returns the sum of a pattern for each of four bytes, `{at}` being its first bit."""
    return f"({' + '.join(pattern.replace('{at}', str(at)) for _, at in _BYTE_PLACES)})"


_HALVES = VectorType(2, F32)
_BYTES = VectorType(4, F32)
BUILT_IN: Mapping[str, BuiltIn] = {
    **{name: _as_all(name, 1, floats=True) for name in (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "degrees", "exp", "exp2", "floor",
        "fract", "log", "log2", "normalize", "radians", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
    )},
    "inverseSqrt": _as_all("inversesqrt", 1, floats=True),
    "round": _as_all("roundEven", 1, floats=True),
    "atan2": _as_all("atan", 2, floats=True),
    "pow": _as_all("pow", 2, floats=True),
    "step": _as_all("step", 2, floats=True),
    "reflect": _as_all("reflect", 2, floats=True),
    "cross": _as_all("cross", 2, floats=True),
    "mix": _as_all("mix", 3, floats=True),
    "smoothstep": _as_all("smoothstep", 3, floats=True),
    "fma": _as_all("fma", 3, floats=True),
    "faceForward": _as_all("faceforward", 3, floats=True),
    "refract": _as_all("refract", 3, floats=True),
    "min": _as_all("min", 2),
    "max": _as_all("max", 2),
    "clamp": _as_all("clamp", 3),
    "sign": _as_all("sign", 1),
    "abs": BuiltIn(_abs.type_of, _abs_text),
    "dot": _to_scalar("dot", 2),
    "length": _to_scalar("length", 1),
    "distance": _to_scalar("distance", 2),
    "determinant": _to_scalar("determinant", 1),
    "ldexp": BuiltIn(_ldexp_type, _ldexp_text),
    "saturate": _template("clamp({0}, 0.0, 1.0)", 1, None, F32),
    "quantizeToF16": _template("unpackHalf2x16(packHalf2x16(vec2({0}, 0.0))).x", 1, F32, F32),
    "countOneBits": _template("{type}(bitCount({0}))", 1),
    "reverseBits": _template("bitfieldReverse({0})", 1),
    "firstLeadingBit": _template("{type}(findMSB({0}))", 1),
    "firstTrailingBit": _template("{type}(findLSB({0}))", 1),
    "countLeadingZeros": BuiltIn(_bits_type, _leading_text),
    "countTrailingZeros": BuiltIn(_bits_type, _trailing_text),
    "extractBits": BuiltIn(_bits_type, _extract_text),
    "insertBits": BuiltIn(_bits_type, _insert_text),
    "transpose": BuiltIn(_transposed_type, _transposed_text),
    "all": BuiltIn(_bool_type, _all_text("all")),
    "any": BuiltIn(_bool_type, _all_text("any")),
    "select": BuiltIn(_select_type, _select_text),
    "bitcast": BuiltIn(_bitcast_type, _bitcast_text),
    "pack2x16float": _packed("packHalf2x16", _HALVES, U32),
    "pack2x16unorm": _packed("packUnorm2x16", _HALVES, U32),
    "pack2x16snorm": _packed("packSnorm2x16", _HALVES, U32),
    "pack4x8unorm": _packed("packUnorm4x8", _BYTES, U32),
    "pack4x8snorm": _packed("packSnorm4x8", _BYTES, U32),
    "unpack2x16float": _packed("unpackHalf2x16", U32, _HALVES),
    "unpack2x16unorm": _packed("unpackUnorm2x16", U32, _HALVES),
    "unpack2x16snorm": _packed("unpackSnorm2x16", U32, _HALVES),
    "unpack4x8unorm": _packed("unpackUnorm4x8", U32, _BYTES),
    "unpack4x8snorm": _packed("unpackSnorm4x8", U32, _BYTES),
    "pack4xU8": _packed_bytes("u"),
    "pack4xI8": _packed_bytes(""),
    "dot4U8Packed": _template(_summed("bitfieldExtract({0}, {at}, 8) * bitfieldExtract({1}, {at}, 8)"), 2, U32, U32),
    "dot4I8Packed": _template(
        _summed("bitfieldExtract(int({0}), {at}, 8) * bitfieldExtract(int({1}), {at}, 8)"), 2, I32, U32
    ),
    "unpack4xU8": _template("((uvec4({0}) >> uvec4(0u, 8u, 16u, 24u)) & 255u)", 1, VectorType(4, U32), U32),
    "unpack4xI8": _template("(ivec4(uvec4({0}) << uvec4(24u, 16u, 8u, 0u)) >> 24)", 1, VectorType(4, I32), U32),
    "dpdx": _as_all("dFdx", 1, floats=True),
    "dpdy": _as_all("dFdy", 1, floats=True),
    "fwidth": _as_all("fwidth", 1, floats=True),
    **RESOURCE_FUNCTIONS,
}  # fmt: skip
