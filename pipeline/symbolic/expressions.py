"""Compiles GLSL's expressions to functions without arguments, which run on one memory of variables."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    BooleanLiteral,
    CommaExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    InitializerList,
    NumberLiteral,
    Parenthesised,
    Subscript,
    UnaryExpression,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, scalar_of
from texelscope.pipeline.symbolic import builtins
from texelscope.pipeline.symbolic.terms import (
    COMPARISONS,
    Binary,
    MatrixValue,
    SymbolicTerm,
    called,
    lanewise,
    operation,
    product,
    single,
    value_of,
    wrapped,
)
from texelscope.pipeline.symbolic.values import (
    Part,
    UnknownTextError,
    constructed,
    converted,
    matrix_size,
    part_of,
    scalar_type,
    with_part,
)

Run = Callable[[], Any]
# A place that can be assigned: the slot of a variable, and the way into it.
Place = tuple[int, tuple[Part, ...]]
# Names that `constructors_as_calls` writes in capitals.
_CAPITALS = MappingProxyType({"INT": "int", "UINT": "uint", "FLOAT": "float", "BOOL": "bool"})
_WHOLE = re.compile(r"0[xX][0-9a-fA-F]+|\d+")
_MASK = (1 << 32) - 1


def uncommented(nodes: Iterable[SyntaxNode]) -> list[SyntaxNode]:
    """Returns nodes without the comments among them."""
    return [each for each in nodes if not isinstance(each, Comment)]


def truth(value: Any) -> bool:
    """Returns the value of a condition."""
    return bool(value_of(value))


class ExpressionCompiler(ABC):
    """Compiles expressions; variables, functions and what is bound are the subclass's."""

    def __init__(self, types: Types) -> None:
        self.memory: list[Any] = []
        self.types = types
        # Whether the text may have unsigned numbers; where it has none, no type need be found for them.
        self.has_unsigned = True
        self.structures: dict[str, tuple[tuple[str, str, tuple[int, ...]], ...]] = {}
        # Where calls left their results that are run before the statement that they stand in.
        self.results: dict[SyntaxNode, int] = {}

    @abstractmethod
    def slot_of(self, name: str) -> tuple[int, str]:
        """Returns the slot and the type of a variable in scope. Raises UnknownTextError."""

    @abstractmethod
    def call_of(self, name: str, node: FunctionCall) -> Run | None:
        """Returns a call of the text's own functions, or of what reads and writes what is bound; else None."""

    @abstractmethod
    def stored(self, node: SyntaxNode, value: Run) -> Run | None:
        """Returns an assignment to what is bound, such as an element of a block; None for a variable."""

    @abstractmethod
    def loaded(self, node: SyntaxNode) -> Run | None:
        """Returns the read of a part of a block; None for a variable."""

    @abstractmethod
    def length_of(self, node: SyntaxNode) -> Run | None:
        """Returns the number of elements of an array in a block; None for a variable."""

    @abstractmethod
    def kind_of(self, node: SyntaxNode) -> str:
        """Returns the type of an expression; empty where it is not known."""

    def compile(self, node: SyntaxNode) -> Run:
        """Returns a function that evaluates an expression. Raises UnknownTextError."""
        method = _METHODS.get(type(node))
        if method is not None:
            run: Run = getattr(self, method)(node)
            return run
        raise UnknownTextError(f"'{node.text}'")

    def _number(self, node: NumberLiteral) -> Run:
        text = node.text.lower()
        bare = text.lstrip("+-")
        sign = -1 if text.startswith("-") else 1
        digits = bare.removesuffix("u")
        if _WHOLE.fullmatch(digits):
            is_octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
            number: Any = sign * (int(digits, 8) if is_octal else int(digits, 0))
            number = number & _MASK if bare.endswith("u") else wrapped(number)
        else:
            number = single(sign * float(bare.removesuffix("lf").removesuffix("f")))
        return lambda: number

    def _boolean(self, node: BooleanLiteral) -> Run:
        value = node.text == "true"
        return lambda: value

    def _parenthesised(self, node: Parenthesised) -> Run:
        inside = uncommented(node.named_children)
        if len(inside) != 1:
            raise UnknownTextError(f"'{node.text}'")
        return self.compile(inside[0])

    def _identifier(self, node: Identifier) -> Run:
        if (loaded := self.loaded(node)) is not None:
            return loaded
        slot, _ = self.slot_of(node.text)
        memory = self.memory
        return lambda: memory[slot]

    def _comma(self, node: CommaExpression) -> Run:
        first, second = self.compile(node.left), self.compile(node.right)

        def run() -> Any:
            first()
            return second()

        return run

    def _conditional(self, node: ConditionalExpression) -> Run:
        condition, row = self.compile(node.condition), node.row
        taken, other = self.compile(node.consequence), self.compile(node.alternative)

        def run() -> Any:
            found = condition()
            if type(found) is not SymbolicTerm:
                return taken() if found else other()
            a, b = taken(), other()

            def chosen(x: Any, y: Any, _row: int) -> Any:
                if type(x) is not SymbolicTerm and type(y) is not SymbolicTerm and x == y:
                    return x
                return SymbolicTerm("select", (found, x, y), value_of(x) if found.value else value_of(y), row)

            return lanewise(chosen, a, b, row) if not isinstance(a, list | dict) else (a if found.value else b)

        return run

    def _unary(self, node: UnaryExpression) -> Run:
        inner, sign, row = self.compile(node.argument), node.operator, node.row
        if sign == "+":
            return inner
        if sign == "!":
            return lambda: called("!", lambda x: not x, (inner(),), row)
        if sign == "~":
            return lambda: lanewise(operation("^"), inner(), -1, row)
        minus, is_unsigned = operation("-"), self._is_unsigned(node)

        def run() -> Any:
            value = inner()
            zero = 0.0 if _is_float(value) else 0
            found = lanewise(minus, zero, value, row)
            return _masked(found) if is_unsigned else found

        return run

    def _is_unsigned(self, node: SyntaxNode) -> bool:
        return self.has_unsigned and scalar_of(self.kind_of(node)) == "uint"

    def _binary(self, node: BinaryExpression) -> Run:
        sign, row = node.operator, node.row
        a, b = self.compile(node.left), self.compile(node.right)
        if sign in ("&&", "||"):
            return self._joined(a, b, sign, row)
        if sign in ("==", "!="):
            return self._equal(a, b, sign, row)
        if sign in COMPARISONS or sign == "^^":
            compare = operation(sign)
            return lambda: compare(a(), b(), row)
        return self._operated(a, b, sign, row, is_unsigned=self._is_unsigned(node))

    @staticmethod
    def _joined(a: Run, b: Run, sign: str, row: int) -> Run:
        """Returns a condition of two; where the first depends on what is read, both are asked."""
        ends = sign == "||"

        def run() -> Any:
            x = a()
            if type(x) is not SymbolicTerm:
                return x if bool(x) == ends else b()
            y = b()
            if type(y) is not SymbolicTerm:
                return y if bool(y) == ends else x
            return SymbolicTerm(sign, (x, y), (x.value or y.value) if ends else (x.value and y.value), row)

        return run

    @staticmethod
    def _equal(a: Run, b: Run, sign: str, row: int) -> Run:
        compare = operation(sign)

        def run() -> Any:
            x, y = a(), b()
            if not isinstance(x, tuple | list | dict):
                return compare(x, y, row)
            return (_values(x) == _values(y)) == (sign == "==")

        return run

    @staticmethod
    def _operated(a: Run, b: Run, sign: str, row: int, *, is_unsigned: bool) -> Run:
        function: Binary = operation(sign)

        def run() -> Any:
            x, y = a(), b()
            if not isinstance(x, tuple) and not isinstance(y, tuple):
                found = function(x, y, row)
            elif sign == "*":
                found = product(x, y, row)
            else:
                found = lanewise(function, x, y, row)
            return _masked(found) if is_unsigned else found

        return run

    def _assignment(self, node: Assignment) -> Run:
        value, row = self.compile(node.right), node.row
        if node.operator != "=":
            before = self.compile(node.left)
            value = self._operated(
                before, value, node.operator.removesuffix("="), row, is_unsigned=self._is_unsigned(node.left)
            )
        return self.assigned(node.left, value)

    def assigned(self, target: SyntaxNode, value: Run) -> Run:
        """Returns an assignment of a value; it returns what it assigns. Raises UnknownTextError."""
        if (stored := self.stored(target, value)) is not None:
            return stored
        place, memory, adapt, row = self.place(target), self.memory, self.adapting(target), target.row

        def run() -> Any:
            new = adapt(value(), row)
            slot, parts = place()
            memory[slot] = with_part(memory[slot], parts, new)
            return new

        return run

    @abstractmethod
    def adapting(self, target: SyntaxNode) -> Callable[[Any, int], Any]:
        """Returns the conversion of a value for a target."""

    def _update(self, node: UpdateExpression) -> Run:
        before, row = self.compile(node.argument), node.row
        sign, is_before = operation(node.operator[0]), node.is_before
        is_unsigned = self._is_unsigned(node.argument)
        old: list[Any] = [None]

        def changed() -> Any:
            value = old[0] = before()
            new = lanewise(sign, value, 1.0 if _is_float(value) else 1, row)
            return _masked(new) if is_unsigned else new

        assign = self.assigned(node.argument, changed)

        def run() -> Any:
            new = assign()
            return new if is_before else old[0]

        return run

    def place(self, node: SyntaxNode) -> Callable[[], Place]:
        """Returns a function that finds a place which can be assigned. Raises UnknownTextError."""
        if isinstance(node, Identifier):
            found: Place = (self.slot_of(node.text)[0], ())
            return lambda: found
        if isinstance(node, Parenthesised) and node.inner is not None:
            return self.place(node.inner)
        if isinstance(node, FieldAccess):
            outer, part = self.place(node.argument), node.field.text

            def of_field() -> Place:
                slot, parts = outer()
                return slot, (*parts, part)

            return of_field
        if isinstance(node, Subscript):
            outer, index = self.place(node.argument), self.compile(node.index)

            def of_index() -> Place:
                slot, parts = outer()
                return slot, (*parts, int(value_of(index())))

            return of_index
        raise UnknownTextError(f"an assignment to '{node.text}'")

    def _field(self, node: FieldAccess) -> Run:
        if (loaded := self.loaded(node)) is not None:
            return loaded
        base, part = self.compile(node.argument), node.field.text
        return lambda: part_of(base(), part)

    def _subscript(self, node: Subscript) -> Run:
        if (loaded := self.loaded(node)) is not None:
            return loaded
        base, index = self.compile(node.argument), self.compile(node.index)
        return lambda: part_of(base(), int(value_of(index())))

    def _initializers(self, node: InitializerList) -> Run:
        parts = [self.compile(each) for each in uncommented(node.named_children)]
        return lambda: [each() for each in parts]

    def _array(self, node: FunctionCall, callee: Subscript) -> Run:
        parts, row = [self.compile(each) for each in uncommented(node.arguments)], node.row
        inner: SyntaxNode = callee
        while isinstance(inner, Subscript):
            inner = inner.argument
        kind = "" if isinstance(callee.argument, Subscript) else _CAPITALS.get(inner.text, inner.text)
        return lambda: [converted(kind, each(), row) for each in parts]

    def _call(self, node: FunctionCall) -> Run:
        callee, row = node.callee, node.row
        if isinstance(callee, FieldAccess) and callee.field.text == "length":
            if (length := self.length_of(callee.argument)) is not None:
                return length
            of = self.compile(callee.argument)
            return lambda: len(of())
        if isinstance(callee, Subscript):  # an array's constructor
            return self._array(node, callee)
        if node in self.results:
            memory, slot = self.memory, self.results[node]
            return lambda: memory[slot]
        name = _CAPITALS.get(node.name, node.name)
        if (run := self.call_of(name, node)) is not None:
            return run
        given = [self.compile(each) for each in uncommented(node.arguments)]
        if name in self.structures:
            kinds = [("" if sizes else kind, member) for kind, member, sizes in self.structures[name]]
            return lambda: {
                member: converted(kind, each(), row) for (kind, member), each in zip(kinds, given, strict=True)
            }
        if scalar_type(name)[0] or matrix_size(name)[0]:
            return lambda: constructed(name, [each() for each in given], row)
        if not builtins.is_known(name):
            raise UnknownTextError(f"the function {name}")
        return lambda: builtins.call(name, [each() for each in given], row)


_METHODS: Mapping[type[SyntaxNode], str] = MappingProxyType(
    {
        Identifier: "_identifier", NumberLiteral: "_number", BinaryExpression: "_binary", FieldAccess: "_field",
        FunctionCall: "_call", Parenthesised: "_parenthesised", Assignment: "_assignment", Subscript: "_subscript",
        UnaryExpression: "_unary", UpdateExpression: "_update", ConditionalExpression: "_conditional",
        BooleanLiteral: "_boolean", CommaExpression: "_comma", InitializerList: "_initializers",
    }
)  # fmt: skip


def _is_float(value: Any) -> bool:
    while isinstance(value, tuple):
        value = value[0]
    return isinstance(value_of(value), float)


def _masked(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_masked(each) for each in value)
    return value if type(value) is SymbolicTerm else value & _MASK


def _values(value: Any) -> Any:
    if isinstance(value, MatrixValue | tuple | list):
        return [_values(each) for each in value]
    return {name: _values(each) for name, each in value.items()} if isinstance(value, dict) else value_of(value)
