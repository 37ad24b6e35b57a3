"""Types and writes values that are made of others: `f32(i)`, `vec4<f32>(v, 1)`, `array(1, 2)`, `Pair(a, b)`."""

from __future__ import annotations

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.wgsl import numbers
from texelscope.pipeline.wgsl.expression_writer import ExpressionWriter
from texelscope.pipeline.wgsl.operators import common
from texelscope.pipeline.wgsl.syntax import CallNode, Expression, NameNode
from texelscope.pipeline.wgsl.types import (
    ABSTRACT_FLOAT,
    F32,
    I32,
    U32,
    ArrayOf,
    MatrixType,
    ScalarType,
    StructType,
    Type,
    VectorType,
    concrete,
    count_of,
    glsl,
    is_abstract,
    said,
    scalar_of,
    with_scalar,
    zero,
)

# The floats next to what fits: outside, WGSL takes the nearest whole number (WGSL, 8.7.1), GLSL anything.
_RANGES = {U32: ("0.0", "4294967040.0"), I32: ("-2147483648.0", "2147483520.0")}


def constructed_type(writer: ExpressionWriter, node: CallNode) -> Type:
    """Returns the type of the value that is made."""
    name = node.callee
    inferred = name.name in ("vec2", "vec3", "vec4", "array") or name.name.startswith("mat")
    if name.arguments or not inferred or (name.name.startswith("mat") and name.name[-1] in "fh"):
        return writer.named(name)
    if not node.arguments:
        raise AuthorTextError(node.row, f"a type of components: {name.name}<f32>", name.name, "Add it.")
    if name.name == "array":
        first = writer.value_type(node.arguments[0])
        scalar = _together(writer, node)
        element = first if scalar is None else with_scalar(first, scalar)
        return ArrayOf(element, str(len(node.arguments)), len(node.arguments))
    scalar = _together(writer, node)
    if scalar is None:
        raise AuthorTextError(node.row, f"components of {name.name} of one type", "several", "Convert them.")
    if name.name.startswith("mat"):
        return MatrixType(int(name.name[3]), int(name.name[5]), scalar if scalar_of(scalar) != I32 else F32)
    return VectorType(int(name.name[3]), scalar)


def _together(writer: ExpressionWriter, node: CallNode) -> ScalarType | None:
    found: ScalarType | None = None
    for argument in node.arguments:
        scalar = scalar_of(writer.value_type(argument))
        if scalar is None:
            return None
        found = scalar if found is None else common(found, scalar)
        if found is None:
            return None
    return found


def constructed_text(writer: ExpressionWriter, node: CallNode, scalar: ScalarType | None) -> str:
    """Returns the value that is made, in GLSL; `scalar` is what abstract components become."""
    kind = constructed_type(writer, node)
    if is_abstract(kind):
        kind = concrete(kind) if scalar is None else with_scalar(kind, scalar)
    if not node.arguments:
        return zero(kind)
    match kind:
        case ScalarType():
            return _converted(writer, node, kind)
        case VectorType() | MatrixType():
            return _of_parts(writer, node, kind)
        case ArrayOf():
            return _listed(writer, node, [kind.element] * (kind.length or 0))
        case StructType():
            return _listed(writer, node, [each.type for each in kind.members])
        case _:
            raise AuthorTextError(node.row, "a type whose values can be made", said(kind), "Use another one.")


def _listed(writer: ExpressionWriter, node: CallNode, wanted: list[Type]) -> str:
    if len(wanted) != len(node.arguments):
        got = f"{len(node.arguments)}"
        raise AuthorTextError(node.row, f"{len(wanted)} values of {node.callee.name}", got, "Correct the list.")
    parts = [writer.text(each, kind) for each, kind in zip(node.arguments, wanted, strict=True)]
    kind = constructed_type(writer, node)
    head = glsl(ArrayOf(wanted[0], str(len(wanted)), len(wanted))) if isinstance(kind, ArrayOf) else glsl(kind)
    return f"{head}({', '.join(parts)})"


def _converted(writer: ExpressionWriter, node: CallNode, kind: ScalarType) -> str:
    argument = _only(node)
    given = writer.value_type(argument)
    if not isinstance(given, ScalarType):
        raise AuthorTextError(node.row, f"a scalar in {node.callee.name}()", said(given), "Take a component.")
    return _as_scalar(writer, argument, given, kind)


def _as_scalar(writer: ExpressionWriter, argument: Expression, given: Type, kind: Type) -> str:
    """Returns a scalar or vector converted to another scalar type, as WGSL converts it."""
    scalar, own = scalar_of(kind), scalar_of(given)
    assert scalar is not None, "only numbers are converted"
    if is_abstract(given):
        value = writer.constant(argument)
        if isinstance(value, float) and scalar in _RANGES:
            return numbers.number(int(value), scalar)
        fits = scalar in (F32, I32, U32) and not (own == ABSTRACT_FLOAT and scalar != F32)
        if fits and not isinstance(argument, NameNode):
            return writer.text(argument, scalar)
    if own == scalar:
        return writer.text(argument)
    text = writer.text(argument)
    if own in (F32, ABSTRACT_FLOAT) and scalar in _RANGES:
        low, high = _RANGES[scalar]
        text = f"clamp({text}, {low}, {high})"
    return f"{glsl(kind)}({text})"


def _of_parts(writer: ExpressionWriter, node: CallNode, kind: VectorType | MatrixType) -> str:
    first = writer.value_type(node.arguments[0])
    if len(node.arguments) == 1 and type(first) is type(kind):
        return _as_scalar(writer, node.arguments[0], first, kind)
    count = sum(count_of(writer.value_type(each)) for each in node.arguments)
    is_spread = isinstance(kind, VectorType) and len(node.arguments) == 1 and isinstance(first, ScalarType)
    if not is_spread and count != count_of(kind):
        got = f"{count}"
        raise AuthorTextError(node.row, f"{count_of(kind)} components of {said(kind)}", got, "Correct the list.")
    return f"{glsl(kind)}({', '.join(writer.text(each, kind.component) for each in node.arguments)})"


def _only(node: CallNode) -> Expression:
    if len(node.arguments) != 1:
        got = f"{len(node.arguments)}"
        raise AuthorTextError(node.row, f"one value in {node.callee.name}()", got, "Correct the call.")
    return node.arguments[0]
