"""What a value is used for: as an address, a bound, an accumulator, a divisor, the argument of a curve."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from texelscope.pipeline.glsl.semantics.def_use import DefUse, VariableDefinition
from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    ConditionalExpression,
    FunctionCall,
    Identifier,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import OTHER_READS, READS, declared_name
from texelscope.pipeline.glsl.semantics.statements import (
    ForLoop,
    FunctionDefinition,
    IfStatement,
    InitDeclarator,
    LoopStatement,
    ParameterDeclaration,
    ReturnStatement,
    Statement,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
_ADDING = frozenset(("+=", "-=", "*=", "/="))
# Built-in functions of one number that are no step on the way to an address: activations and what they are made of.
_CURVES = frozenset(
    {
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "exp2", "inversesqrt", "log", "log2",
        "pow", "sin", "sinh", "sqrt", "tan", "tanh",
    }
)  # fmt: skip


class ValueRole(Enum):
    """A use that a value has on its way to the result."""

    ADDRESS = auto()
    BOUND = auto()
    ACCUMULATOR = auto()
    DIVISOR = auto()
    CURVE_ARGUMENT = auto()


def roles_of(node: SyntaxNode, def_use: DefUse) -> frozenset[ValueRole]:
    """The roles of an expression's value, those of the variables that it becomes among them.

    An expression on the left of an assignment has the roles of the variable.
    """
    return frozenset(_Roles(def_use).of(node))


class _Roles:
    def __init__(self, def_use: DefUse) -> None:
        self._def_use = def_use
        self._seen: set[VariableDefinition | FunctionDefinition] = set()

    def of(self, node: SyntaxNode) -> Iterator[ValueRole]:
        if isinstance(node, Identifier) and (symbol := self._def_use.symbol(node)) is not None:
            for definition in self._def_use.all_definitions(symbol):
                if _accumulates(definition.node):
                    yield ValueRole.ACCUMULATOR
        inner = node
        for outer in node.ancestors():
            role = _role_in(inner, outer)
            if role is not None:
                yield role
            if role is not None and role is not ValueRole.DIVISOR:
                return
            if isinstance(outer, FunctionCall) and isinstance(inner, ArgumentList):
                yield from self._handed(outer, node)
            elif isinstance(outer, Assignment | InitDeclarator):
                yield from self._given(outer)
                return
            elif isinstance(outer, ReturnStatement):
                yield from self._returned(outer)
                return
            elif isinstance(outer, Statement):
                return
            inner = outer

    def _given(self, node: Assignment | InitDeclarator) -> Iterator[ValueRole]:
        """Of the variable that is given the value."""
        target = node.left if isinstance(node, Assignment) else node.declarator
        name = next(target.of_type(Identifier), None)
        symbol = self._def_use.symbol(name) if name is not None else None
        for definition in self._def_use.all_definitions(symbol) if symbol is not None else ():
            if definition.node is node:
                yield from self._followed(definition)

    def _followed(self, definition: VariableDefinition) -> Iterator[ValueRole]:
        if definition in self._seen:
            return
        self._seen.add(definition)
        if _accumulates(definition.node):
            yield ValueRole.ACCUMULATOR
        for use in self._def_use.uses(definition):
            yield from self.of(use)

    def _handed(self, call: FunctionCall, node: SyntaxNode) -> Iterator[ValueRole]:
        """Of the parameter that a function of the text knows the value by."""
        function = self._def_use.functions.get(call.name)
        for parameter, given in zip(function.parameters if function is not None else (), call.arguments, strict=False):
            if given.number <= node.number < given.behind:
                names = parameter.of_type(Identifier)
                symbols = (self._def_use.symbol(each) for each in names if each.text == declared_name(parameter))
                for symbol in symbols:
                    for definition in self._def_use.all_definitions(symbol) if symbol is not None else ():
                        if isinstance(definition.node, ParameterDeclaration):
                            yield from self._followed(definition)

    def _returned(self, node: ReturnStatement) -> Iterator[ValueRole]:
        """Of the calls of the function that returns the value."""
        function = node.enclosing(FunctionDefinition)
        if function is None or function in self._seen:
            return
        self._seen.add(function)
        for call in function.tree.nodes[0].of_type(FunctionCall):
            if call.name == function.name:
                yield from self.of(call)


def _accumulates(node: SyntaxNode) -> bool:
    """Whether an assignment adds to its variable turn by turn."""
    if not isinstance(node, Assignment) or node.enclosing(LoopStatement) is None:
        return False
    adds = isinstance(node.right, BinaryExpression) and node.left.text in (node.right.left.text, node.right.right.text)
    return node.operator in _ADDING or (node.operator == "=" and adds)


def _role_in(inner: SyntaxNode, outer: SyntaxNode) -> ValueRole | None:
    """The role of a value in what it stands in."""
    if isinstance(outer, Subscript) and outer.index is inner:
        return ValueRole.ADDRESS
    if isinstance(outer, ArgumentList) and isinstance(outer.parent, FunctionCall):
        name, given = outer.parent.name, outer.parent.arguments
        if name in READS | OTHER_READS and inner is not given[0]:
            return ValueRole.ADDRESS
        return ValueRole.CURVE_ARGUMENT if name in _CURVES else None
    if isinstance(outer, BinaryExpression):
        if outer.operator in ("/", "%") and outer.right is inner:
            return ValueRole.DIVISOR
        return ValueRole.BOUND if outer.operator in _COMPARISONS else None
    is_asked = isinstance(outer, ConditionalExpression | IfStatement | ForLoop) and outer.condition is inner
    return ValueRole.BOUND if is_asked else None
