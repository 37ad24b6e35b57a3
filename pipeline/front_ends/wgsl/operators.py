"""Types operators of WGSL and writes them in GLSL (WGSL, 8.6 to 8.9)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from texelscope.pipeline.front_ends.wgsl.syntax import Binary, Expression, Unary
from texelscope.pipeline.front_ends.wgsl.types import (
    ABSTRACT_FLOAT,
    ABSTRACT_INT,
    BOOL,
    FLOATS,
    I32,
    INTEGERS,
    NUMBERS,
    U32,
    Matrix,
    Scalar,
    Type,
    Vector,
    concrete,
    glsl,
    said,
    scalar_of,
    with_scalar,
)
from texelscope.pipeline.glsl.authored.refused import AuthorTextError

if TYPE_CHECKING:
    from texelscope.pipeline.front_ends.wgsl.expressions import Expressions

_COMPARED = {"<": "lessThan", "<=": "lessThanEqual", ">": "greaterThan", ">=": "greaterThanEqual",
             "==": "equal", "!=": "notEqual"}  # fmt: skip
_BITS = ("&", "|", "^")


@dataclass
class Divisors:
    """Notes for which types a division needs a divisor that GLSL can divide by: how many components of i32."""

    sizes: set[int] = field(default_factory=set)

    def rows(self) -> list[str]:
        """Returns the functions that the divisions use.

        By 0, and the lowest number by -1, WGSL divides as by 1 (WGSL, 8.7); in GLSL the result is undefined.
        """
        if not self.sizes:
            return []
        found = [
            "int divisor_of(int a, int b) { return b == 0 || (b == -1 && a == (-2147483647 - 1)) ? 1 : b; }",
        ]
        for size in sorted(self.sizes - {1}):
            parts = ", ".join(f"divisor_of(a.{each}, b.{each})" for each in "xyzw"[:size])
            found.append(f"ivec{size} divisor_of(ivec{size} a, ivec{size} b) {{ return ivec{size}({parts}); }}")
        return found


def common(left: Scalar, right: Scalar) -> Scalar | None:
    """Returns the scalar type that two become together; None where they do not."""
    if left == right:
        return left
    for one, other in ((left, right), (right, left)):
        if one == ABSTRACT_INT and other in NUMBERS:
            return other
        if one == ABSTRACT_FLOAT and other in FLOATS:
            return other
    return None


def unary_type(node: Unary, operand: Type) -> Type:
    """Returns the type of an operator before an operand."""
    scalar = scalar_of(operand)
    allowed = {"-": (*FLOATS, I32, ABSTRACT_INT), "!": (BOOL,), "~": INTEGERS}[node.operator]
    if scalar not in allowed:
        expected = {"-": "a signed number", "!": "a bool", "~": "an integer"}[node.operator]
        raise AuthorTextError(node.row, f"{expected} behind '{node.operator}'", said(operand), "Convert it.")
    return operand


def binary_type(node: Binary, left: Type, right: Type) -> Type:
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
    if node.operator == "*" and (isinstance(left, Matrix) or isinstance(right, Matrix)):
        return _product(node, left, right, scalar)
    if isinstance(left, Scalar):
        return with_scalar(right, scalar)
    if not isinstance(right, Scalar) and _shape(left) != _shape(right):
        raise _unfit(node, left, right)
    return with_scalar(left, scalar)


def _is_allowed(sign: str, scalar: Scalar) -> bool:
    if sign in ("&&", "||"):
        return scalar == BOOL
    if sign in ("&", "|"):
        return scalar == BOOL or scalar in INTEGERS
    if sign == "^":
        return scalar in INTEGERS
    return sign in ("==", "!=") or scalar != BOOL


def _shape(kind: Type) -> tuple[int, ...]:
    if isinstance(kind, Vector):
        return (kind.size,)
    return (kind.columns, kind.rows) if isinstance(kind, Matrix) else ()


def _product(node: Binary, left: Type, right: Type, scalar: Scalar) -> Type:
    match left, right:
        case Matrix(), Matrix() if left.columns == right.rows:
            return Matrix(right.columns, left.rows, scalar)
        case Matrix(), Vector() if left.columns == right.size:
            return Vector(left.rows, scalar)
        case Vector(), Matrix() if left.size == right.rows:
            return Vector(right.columns, scalar)
        case Matrix(), Scalar():
            return with_scalar(left, scalar)
        case Scalar(), Matrix():
            return with_scalar(right, scalar)
        case _:
            raise _unfit(node, left, right)


def _unfit(node: Binary, left: Type, right: Type) -> AuthorTextError:
    got = f"{said(left)} and {said(right)}"
    return AuthorTextError(node.row, f"two operands of one type for '{node.operator}'", got, "Convert one of them.")


def binary_text(writer: Expressions, node: Binary, wanted: Scalar | None) -> str:
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
    if sign in _COMPARED and isinstance(left_type, Vector):
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


def _spread(writer: Expressions, node: Expression, kind: Type, scalar: Scalar) -> str:
    text = writer.text(node, scalar)
    is_one = isinstance(kind, Vector) and isinstance(writer.value_type(node), Scalar)
    return f"{glsl(with_scalar(kind, scalar))}({text})" if is_one else text


def _shift(writer: Expressions, node: Binary, wanted: Scalar | None) -> str:
    """Returns a shift by the lowest 5 bits of how far, as WGSL has it; in GLSL more is undefined."""
    left = writer.text(node.left, wanted)
    far = writer.constant(node.right)
    if isinstance(far, int) and 0 <= far < 32:
        return f"{left} {node.operator} {writer.text(node.right, U32)}"
    return f"{left} {node.operator} ({writer.text(node.right, U32)} & 31u)"


def _both(writer: Expressions, node: Binary, kind: Type) -> str:
    sign = node.operator * 2
    if not isinstance(kind, Vector):
        return f"({writer.text(node.left)} {sign} {writer.text(node.right)})"
    left, right = _within(writer.twice(node.left)), _within(writer.twice(node.right))
    parts = ", ".join(f"{left}.{each} {sign} {right}.{each}" for each in "xyzw"[: kind.size])
    return f"bvec{kind.size}({parts})"


def _divided(writer: Expressions, node: Binary, scalar: Scalar) -> str:
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
    size = kind.size if isinstance(kind, Vector) else 1
    spread = glsl(kind) if size > 1 else ""
    one = f"{spread}({left})" if spread and isinstance(writer.value_type(node.left), Scalar) else left
    other = f"{spread}({right})" if spread and isinstance(writer.value_type(node.right), Scalar) else right
    writer.divisors.sizes.add(size)
    divisor = f"divisor_of({one}, {other})"
    if node.operator == "%":
        left = _within(left)
        return f"({left} - {left} / {divisor} * {divisor})"
    return f"{left} / {divisor}"
