"""Types operators of WGSL and writes them in GLSL (WGSL, 8.6 to 8.9)."""

from __future__ import annotations

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.wgsl.expression_writer import ExpressionWriter
from texelscope.pipeline.wgsl.syntax import BinaryNode, Expression, UnaryNode
from texelscope.pipeline.wgsl.types import (
    ABSTRACT_FLOAT,
    ABSTRACT_INT,
    BOOL,
    FLOATS,
    I32,
    INTEGERS,
    NUMBERS,
    U32,
    MatrixType,
    ScalarType,
    Type,
    VectorType,
    concrete,
    glsl,
    said,
    scalar_of,
    with_scalar,
)

_COMPARED = {"<": "lessThan", "<=": "lessThanEqual", ">": "greaterThan", ">=": "greaterThanEqual",
             "==": "equal", "!=": "notEqual"}  # fmt: skip
_BITS = ("&", "|", "^")


def common(left: ScalarType, right: ScalarType) -> ScalarType | None:
    """Returns the scalar type that two become together; None where they do not."""
    if left == right:
        return left
    for one, other in ((left, right), (right, left)):
        if one == ABSTRACT_INT and other in NUMBERS:
            return other
        if one == ABSTRACT_FLOAT and other in FLOATS:
            return other
    return None


def unary_type(node: UnaryNode, operand: Type) -> Type:
    """Returns the type of an operator before an operand."""
    scalar = scalar_of(operand)
    allowed = {"-": (*FLOATS, I32, ABSTRACT_INT), "!": (BOOL,), "~": INTEGERS}[node.operator]
    if scalar not in allowed:
        expected = {"-": "a signed number", "!": "a bool", "~": "an integer"}[node.operator]
        raise AuthorTextError(node.row, f"{expected} behind '{node.operator}'", said(operand), "Convert it.")
    return operand


def binary_type(node: BinaryNode, left: Type, right: Type) -> Type:
    """Returns the type of an operator between two operands. Raises AuthorTextError where they do not fit."""
    one, other = scalar_of(left), scalar_of(right)
    if one is None or other is None:
        raise _unfit(node, left, right)
    if node.operator in ("<<", ">>"):
        if one not in INTEGERS or other not in (U32, ABSTRACT_INT):
            raise AuthorTextError(
                node.row, "an integer shifted by a u32", f"{said(left)} by {said(right)}", "Convert it."
            )
        return left
    scalar = common(one, other)
    if scalar is None or not _is_allowed(node.operator, scalar):
        raise _unfit(node, left, right)
    if node.operator in _COMPARED:
        if _shape(left) != _shape(right):
            raise _unfit(node, left, right)
        return with_scalar(left, BOOL)
    if node.operator == "*" and (isinstance(left, MatrixType) or isinstance(right, MatrixType)):
        return _product(node, left, right, scalar)
    if isinstance(left, ScalarType):
        return with_scalar(right, scalar)
    if not isinstance(right, ScalarType) and _shape(left) != _shape(right):
        raise _unfit(node, left, right)
    return with_scalar(left, scalar)


def _is_allowed(sign: str, scalar: ScalarType) -> bool:
    if sign in ("&&", "||"):
        return scalar == BOOL
    if sign in ("&", "|"):
        return scalar == BOOL or scalar in INTEGERS
    if sign == "^":
        return scalar in INTEGERS
    return sign in ("==", "!=") or scalar != BOOL


def _shape(kind: Type) -> tuple[int, ...]:
    if isinstance(kind, VectorType):
        return (kind.size,)
    return (kind.columns, kind.rows) if isinstance(kind, MatrixType) else ()


def _product(node: BinaryNode, left: Type, right: Type, scalar: ScalarType) -> Type:
    match left, right:
        case MatrixType(), MatrixType() if left.columns == right.rows:
            return MatrixType(right.columns, left.rows, scalar)
        case MatrixType(), VectorType() if left.columns == right.size:
            return VectorType(left.rows, scalar)
        case VectorType(), MatrixType() if left.size == right.rows:
            return VectorType(right.columns, scalar)
        case MatrixType(), ScalarType():
            return with_scalar(left, scalar)
        case ScalarType(), MatrixType():
            return with_scalar(right, scalar)
        case _:
            raise _unfit(node, left, right)


def _unfit(node: BinaryNode, left: Type, right: Type) -> AuthorTextError:
    got = f"{said(left)} and {said(right)}"
    return AuthorTextError(node.row, f"two operands of one type for '{node.operator}'", got, "Convert one of them.")


def binary_text(writer: ExpressionWriter, node: BinaryNode, wanted: ScalarType | None) -> str:
    """Returns an operator between two operands in GLSL; `wanted` is the scalar type of an abstract one."""
    sign = node.operator
    left_type, right_type = writer.value_type(node.left), writer.value_type(node.right)
    if sign in ("<<", ">>"):
        return _shift(writer, node, wanted)
    one, other = scalar_of(left_type), scalar_of(right_type)
    assert one is not None, "binary_type has found it"
    assert other is not None, "binary_type has found it"
    scalar = common(one, other)
    if scalar in (ABSTRACT_INT, ABSTRACT_FLOAT):
        asked = wanted if sign not in _COMPARED else None
        scalar = asked or scalar_of(concrete(scalar))
    assert scalar is not None, "binary_type has found one"
    if sign in _COMPARED and isinstance(left_type, VectorType):
        return f"{_COMPARED[sign]}({writer.text(node.left, scalar)}, {writer.text(node.right, scalar)})"
    if sign in ("&", "|") and scalar == BOOL:
        return _both(writer, node, left_type)
    if sign in ("/", "%") and scalar in INTEGERS:
        return _divided(writer, node, scalar)
    if sign == "%":
        left, right = writer.twice(node.left, scalar), writer.twice(node.right, scalar)
        return f"({left} - {_within(right)} * trunc({left} / {_within(right)}))"
    if scalar in INTEGERS and sign in _BITS:
        kind = writer.value_type(node)
        left, right = _spread(writer, node.left, kind, scalar), _spread(writer, node.right, kind, scalar)
        return f"{left} {sign} {right}"
    return f"{writer.text(node.left, scalar)} {sign} {writer.text(node.right, scalar)}"


def _within(text: str) -> str:
    return text if text.replace("_", "").replace(".", "").isalnum() else f"({text})"


def _spread(writer: ExpressionWriter, node: Expression, kind: Type, scalar: ScalarType) -> str:
    text = writer.text(node, scalar)
    is_one = isinstance(kind, VectorType) and isinstance(writer.value_type(node), ScalarType)
    return f"{glsl(with_scalar(kind, scalar))}({text})" if is_one else text


def _shift(writer: ExpressionWriter, node: BinaryNode, wanted: ScalarType | None) -> str:
    """Returns a shift by the lowest 5 bits of how far, as WGSL has it; in GLSL more is undefined."""
    left = writer.text(node.left, wanted)
    far = writer.constant(node.right)
    if isinstance(far, int) and 0 <= far < 32:
        return f"{left} {node.operator} {writer.text(node.right, U32)}"
    return f"{left} {node.operator} ({writer.text(node.right, U32)} & 31u)"


def _both(writer: ExpressionWriter, node: BinaryNode, kind: Type) -> str:
    sign = node.operator * 2
    if not isinstance(kind, VectorType):
        return f"({writer.text(node.left)} {sign} {writer.text(node.right)})"
    left, right = _within(writer.twice(node.left)), _within(writer.twice(node.right))
    parts = ", ".join(f"{left}.{each} {sign} {right}.{each}" for each in "xyzw"[: kind.size])
    return f"bvec{kind.size}({parts})"


def _divided(writer: ExpressionWriter, node: BinaryNode, scalar: ScalarType) -> str:
    """Returns a division of whole numbers; by what may be 0 while it runs, with what WGSL says of that."""
    left, right = writer.text(node.left, scalar), writer.text(node.right, scalar)
    value = writer.constant(node.right)
    if value == 0:
        raise AuthorTextError(node.row, "a divisor that is not 0", "0", "Correct it.")
    is_known = value is not None or writer.is_size(node.right)
    # What is left of negative numbers is undefined in GLSL (GLSL 4.60, 5.9), and no driver has WGSL's rule.
    may_be_negative = node.operator == "%" and scalar != U32 and not writer.is_natural(node.left)
    if is_known and not may_be_negative:
        return f"{left} {node.operator} {right}"
    if is_known:
        left, right = _within(writer.twice(node.left, scalar)), _within(writer.twice(node.right, scalar))
        return f"({left} - {left} / {right} * {right})"
    if scalar == U32:
        return f"{left} {node.operator} max({right}, 1u)"
    kind = writer.value_type(node)
    left, right = writer.twice(node.left, scalar), writer.twice(node.right, scalar)
    size = kind.size if isinstance(kind, VectorType) else 1
    spread = glsl(kind) if size > 1 else ""
    one = f"{spread}({left})" if spread and isinstance(writer.value_type(node.left), ScalarType) else left
    other = f"{spread}({right})" if spread and isinstance(writer.value_type(node.right), ScalarType) else right
    writer.divisors.sizes.add(size)
    divisor = f"divisor_of({one}, {other})"
    if node.operator == "%":
        left = _within(left)
        return f"({left} - {left} / {divisor} * {divisor})"
    return f"{left} / {divisor}"
