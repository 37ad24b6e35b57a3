"""Types expressions of WGSL and writes them in GLSL (WGSL, 8)."""

from __future__ import annotations

import re

from texelscope.pipeline.errors import nearest
from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.reserved_words import safe_name
from texelscope.pipeline.wgsl import numbers
from texelscope.pipeline.wgsl.calls import Calls
from texelscope.pipeline.wgsl.divisors import Divisors
from texelscope.pipeline.wgsl.operators import binary_text, binary_type, unary_type
from texelscope.pipeline.wgsl.scope import NameMeaning, Scope
from texelscope.pipeline.wgsl.syntax import (
    BinaryNode,
    BracketedNode,
    CallNode,
    ElementNode,
    Expression,
    MemberNode,
    NameNode,
    NumberNode,
    UnaryNode,
    parts_of,
)
from texelscope.pipeline.wgsl.type_names import type_named
from texelscope.pipeline.wgsl.types import (
    ABSTRACT_FLOAT,
    ABSTRACT_INT,
    FLOATS,
    I32,
    U32,
    ArrayOf,
    MatrixType,
    PointerType,
    ScalarType,
    StructType,
    Type,
    VectorType,
    concrete,
    glsl,
    is_abstract,
    said,
    scalar_of,
    with_scalar,
)

_COMPONENTS = re.compile(r"(?:[xyzw]{1,4}|[rgba]{1,4})$")


class Expressions:
    """Types and writes the expressions of one text; `scope` is that of the place which is written."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.divisors = Divisors()
        self.calls = Calls(self)
        # A node's type stays the same. The node is held, so that no other one gets its number.
        self._types: dict[int, tuple[Expression, Type]] = {}

    def named(self, name: NameNode) -> Type:
        """Returns the type that a name says. Raises AuthorTextError for another name."""
        return type_named(name, self.scope, self.constant)

    def type_of(self, node: Expression) -> Type:
        """Returns the type of an expression. Raises AuthorTextError where it has none."""
        known = self._types.get(id(node))
        if known is None:
            known = self._types[id(node)] = (node, self._found_type(node))
        return known[1]

    def value_type(self, node: Expression) -> Type:
        """Returns the type of the value that an expression is or points to."""
        found = self.type_of(node)
        return found.target if isinstance(found, PointerType) else found

    def text(self, node: Expression, want: Type | None = None) -> str:
        """Returns an expression in GLSL; an abstract one as one of the scalar type that is wanted.

        Raises AuthorTextError where it is of another type.
        """
        kind = self.value_type(node)
        wanted = scalar_of(want) if want is not None else None
        if not is_abstract(kind):
            if wanted is not None and scalar_of(kind) is not None and scalar_of(kind) != wanted:
                raise AuthorTextError(
                    node.row, f"a value of {said(with_scalar(kind, wanted))}", said(kind), "Convert it, as in f32(x)."
                )
            return self._text(node, None)
        scalar = wanted or scalar_of(concrete(kind))
        if scalar in (I32, U32) and scalar_of(kind) == ABSTRACT_FLOAT:
            raise AuthorTextError(node.row, f"a whole number of {scalar.name}", "a float", "Convert it.")
        if (
            scalar is not None
            and isinstance(kind, ScalarType)
            and (folded := self._folded(node, kind, scalar)) is not None
        ):
            return folded
        return self._text(node, scalar)

    def constant(self, node: Expression) -> numbers.Value | None:
        """Returns the number that a constant expression is; None where it is not known before it runs."""
        match node:
            case NumberNode():
                return numbers.value_of_literal(node.text)
            case NameNode():
                symbol = self.scope.symbols.get(node.name)
                return None if symbol is None else symbol.value
            case BracketedNode():
                return self.constant(node.inner)
            case UnaryNode(operator="-"):
                inner = self.constant(node.operand)
                return None if inner is None else -inner
            case BinaryNode():
                left, right = self.constant(node.left), self.constant(node.right)
                if left is None or right is None:
                    return None
                found = numbers.computed(node.operator, left, right)
                is_unsigned = scalar_of(self.type_of(node)) == U32
                return found % 2**32 if is_unsigned and isinstance(found, int) and found is not True else found
            case CallNode() if len(node.arguments) == 1 and node.callee.name in ("u32", "i32", "f32"):
                inner = self.constant(node.arguments[0])
                if inner is None:
                    return None
                return float(inner) if node.callee.name == "f32" else int(inner)
            case _:
                return None

    def is_size(self, node: Expression) -> bool:
        """Whether an expression is made of constants and uniforms alone."""
        match node:
            case NameNode():
                symbol = self.scope.symbols.get(node.name)
                return symbol is not None and (symbol.is_size or symbol.value is not None)
            case CallNode():
                return self.is_pure(node) and all(map(self.is_size, node.arguments))
            case _:
                return all(map(self.is_size, parts_of(node)))

    def is_natural(self, node: Expression) -> bool:
        """Whether a whole number is known to be 0 or more: it is made of such alone."""
        match node:
            case NumberNode():
                return True
            case NameNode():
                symbol = self.scope.symbols.get(node.name)
                return symbol is not None and (symbol.is_natural or _is_unsigned(symbol.type))
            case BracketedNode():
                return self.is_natural(node.inner)
            case BinaryNode(operator="/" | "%") if self.is_size(node.right):
                return self.is_natural(node.left)  # nobody divides by a size below 0
            case BinaryNode(operator="+" | "*" | "/" | "%" | ">>" | "&"):
                return self.is_natural(node.left) and self.is_natural(node.right)
            case CallNode() if node.callee.name in ("i32", "u32", "min", "max"):
                return all(self.is_natural(each) for each in node.arguments)
            case _:
                return not isinstance(node, UnaryNode) and _is_unsigned(self.value_type(node))

    def is_pure(self, node: Expression) -> bool:
        """Whether an expression may be written twice: it calls no function of the author's and changes nothing."""
        if isinstance(node, CallNode):
            name = node.callee.name
            if name in self.scope.functions or name.startswith("atomic"):
                return False
        return all(map(self.is_pure, parts_of(node)))

    def twice(self, node: Expression, want: Type | None = None) -> str:
        """Returns the text of an expression that is written more than once. Raises AuthorTextError if it cannot be."""
        if not self.is_pure(node):
            raise AuthorTextError(
                node.row, "an expression without calls of your functions at this place", "a call",
                "Name its result before, as in let x = f();.",
            )  # fmt: skip
        return self.text(node, want)

    def symbol(self, node: NameNode) -> NameMeaning:
        """Returns what a name means. Raises AuthorTextError where that is nothing."""
        found = self.scope.symbols.get(node.name)
        if found is None:
            raise AuthorTextError(
                node.row, "a name that is declared", f"'{node.name}'", nearest(node.name, self.scope.known())
            )
        return found

    def _found_type(self, node: Expression) -> Type:
        match node:
            case NumberNode():
                return numbers.scalar_of_literal(node.text)
            case NameNode():
                return self.symbol(node).type
            case BracketedNode():
                return self.type_of(node.inner)
            case UnaryNode(operator="&"):
                inner = self.type_of(node.operand)
                return inner if isinstance(inner, PointerType) else PointerType(self._space(node.operand), inner)
            case UnaryNode(operator="*"):
                return self.value_type(node.operand)
            case UnaryNode():
                return unary_type(node, self.value_type(node.operand))
            case BinaryNode():
                found = binary_type(node, self.value_type(node.left), self.value_type(node.right))
                # A number that is shifted while it runs is an i32 by then.
                is_running = node.operator in ("<<", ">>") and self.constant(node.right) is None
                return concrete(found) if is_running else found
            case ElementNode():
                return self._element_type(node)
            case MemberNode():
                return self._member_type(node)
            case _:
                return self.calls.type_of(node)

    def _space(self, node: Expression) -> str:
        """Returns the address space that a pointer to an expression is of."""
        while isinstance(node, ElementNode | MemberNode):
            node = node.whole
        if isinstance(node, NameNode):
            kind = self.symbol(node).type
            return kind.space if isinstance(kind, PointerType) else "variable"
        return "variable"

    def _element_type(self, node: ElementNode) -> Type:
        whole = self.value_type(node.whole)
        index = scalar_of(self.type_of(node.index))
        if not isinstance(self.type_of(node.index), ScalarType) or index not in (I32, U32, ABSTRACT_INT):
            raise AuthorTextError(
                node.index.row, "an index of i32 or u32", said(self.type_of(node.index)), "Convert it."
            )
        match whole:
            case ArrayOf():
                return whole.element
            case VectorType():
                return whole.component
            case MatrixType():
                return VectorType(whole.rows, whole.component)
            case _:
                raise AuthorTextError(node.row, "an array, a vector or a matrix before [", said(whole), "Correct it.")

    def _member_type(self, node: MemberNode) -> Type:
        whole = self.value_type(node.whole)
        if isinstance(whole, StructType):
            member = whole.member(node.name)
            if member is None:
                names = [each.name for each in whole.members]
                raise AuthorTextError(
                    node.row, f"a member of {whole.name}", f"'{node.name}'", nearest(node.name, names)
                )
            return member.type
        if isinstance(whole, VectorType) and _COMPONENTS.match(node.name) is not None:
            last = max("xyzw".find(each) if each in "xyzw" else "rgba".find(each) for each in node.name)
            if last < whole.size:
                return whole.component if len(node.name) == 1 else VectorType(len(node.name), whole.component)
        raise AuthorTextError(node.row, f"a component of {said(whole)}", f"'.{node.name}'", "Correct the name.")

    def _folded(self, node: Expression, kind: ScalarType, scalar: ScalarType) -> str | None:
        """Returns the number of an abstract expression where its text in GLSL would compute another one."""
        if isinstance(node, NumberNode):
            spelled = node.text if not (scalar in FLOATS and kind == ABSTRACT_INT) else ""
            return numbers.number(numbers.value_of_literal(node.text), scalar, spelled)
        if isinstance(node, NameNode | BracketedNode | CallNode):
            return None
        value = self.constant(node)
        if value is None:
            return None
        if isinstance(node, UnaryNode):
            return numbers.number(value, scalar) if value == -(2**31) or scalar == U32 else None
        if not isinstance(node, BinaryNode) or kind != ABSTRACT_FLOAT:
            return numbers.number(value, scalar) if scalar in FLOATS or int(value) < 0 else None
        left, right = self.constant(node.left), self.constant(node.right)
        if left is None or right is None or numbers.is_same_in_32_bits(node.operator, left, right):
            return None
        return numbers.number(value, scalar)

    def _text(self, node: Expression, scalar: ScalarType | None) -> str:
        match node:
            case NumberNode():
                return numbers.number(
                    numbers.value_of_literal(node.text),
                    numbers.scalar_of_literal(node.text),
                    numbers.digits(node.text),
                )
            case NameNode():
                return self._text_of_name(node, scalar)
            case BracketedNode():
                return f"({self.text(node.inner, scalar)})"
            case UnaryNode(operator="&" | "*"):
                return self.text(node.operand)
            case UnaryNode():
                operand = self.text(node.operand, scalar)
                if node.operator == "!" and isinstance(self.value_type(node.operand), VectorType):
                    return f"not({operand})"
                return f"{node.operator}{' ' if operand.startswith(node.operator) else ''}{operand}"
            case BinaryNode():
                return binary_text(self, node, scalar)
            case ElementNode():
                return f"{self.text(node.whole)}[{self.text(node.index)}]"
            case MemberNode():
                return self._member(node)
            case _:
                return self.calls.text(node, scalar)

    def _text_of_name(self, node: NameNode, scalar: ScalarType | None) -> str:
        symbol = self.symbol(node)
        if (symbol.by_member or symbol.is_block) and isinstance(symbol.type, StructType):
            parts = ", ".join(_part(symbol, each.name) for each in symbol.type.members)
            return f"{symbol.type.name}({parts})"
        if scalar is None or not is_abstract(symbol.type):
            return symbol.text
        own = scalar_of(concrete(symbol.type))
        return symbol.text if own == scalar else f"{glsl(with_scalar(symbol.type, scalar))}({symbol.text})"

    def _member(self, node: MemberNode) -> str:
        inner = node.whole
        while isinstance(inner, BracketedNode) or (isinstance(inner, UnaryNode) and inner.operator in ("&", "*")):
            inner = inner.inner if isinstance(inner, BracketedNode) else inner.operand
        symbol = self.symbol(inner) if isinstance(inner, NameNode) else None
        if symbol is not None and (symbol.by_member or symbol.is_block):
            return _part(symbol, node.name)
        whole = self.text(node.whole)
        if isinstance(self.value_type(node.whole), VectorType):
            return f"{whole}.{node.name}"
        return f"{whole}.{safe_name(node.name)}"


def _is_unsigned(kind: Type) -> bool:
    return scalar_of(kind) == U32


def _part(symbol: NameMeaning, name: str) -> str:
    """Returns a member of a block in GLSL: a variable of its own, or behind the block's name."""
    return f"{symbol.text}_{name}" if symbol.by_member else f"{symbol.text}.{safe_name(name)}"
