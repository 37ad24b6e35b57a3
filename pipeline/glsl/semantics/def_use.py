"""Which definitions of a variable a use may see, and which uses a definition may reach.

A definition gives a variable a value: a declaration with one, an assignment, an update, a parameter. Control flow is
followed as far as branches and loops tell: a whole assignment hides what came before where every way to the use goes
through it; in a loop, what stands later reaches what stands earlier. Where that is not enough there are too many.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    Parenthesised,
    Subscript,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import function_around, value_of
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    CaseLabel,
    CompoundStatement,
    Declaration,
    DoWhileLoop,
    ForLoop,
    FunctionDeclarator,
    FunctionDefinition,
    IfStatement,
    InitDeclarator,
    LoopStatement,
    ParameterDeclaration,
    SwitchStatement,
    TranslationUnit,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

_SCOPES = (CompoundStatement, ForLoop, FunctionDefinition, TranslationUnit)
_CHANGED = ("out", "inout")


@dataclass(frozen=True)
class Symbol:
    """A variable of the text: its name, the identifier that declares it, and the block that knows it."""

    name: str
    declared_at: Identifier
    scope: SyntaxNode


@dataclass(frozen=True)
class VariableDefinition:
    """Where a variable gets a value: `node` is the declaration, assignment, update, call or parameter that gives it.

    `value` is the expression that it gets; None of an update, a call and a parameter. One that is not `is_whole` keeps
    a part of the old value: it adds to it, or is of one lane or element.
    """

    symbol: Symbol
    node: SyntaxNode
    value: SyntaxNode | None
    is_whole: bool


class DefUse:
    """The variables of one parsed shader with their definitions and uses, in the order of the text."""

    def __init__(self, root: SyntaxNode) -> None:
        self._known: dict[tuple[SyntaxNode, str], Symbol] = {}
        self._symbols: dict[Identifier, Symbol] = {}
        self._uses: dict[Symbol, list[Identifier]] = {}
        self._definitions: dict[Symbol, list[VariableDefinition]] = {}
        self.functions = {each.name: each for each in root.of_type(FunctionDefinition)}
        for name in root.of_type(Identifier):
            if not _is_of_a_function(name):
                self._note(name)

    def symbol(self, name: Identifier) -> Symbol | None:
        """The variable that an identifier names; None of a function, and of what the text does not declare."""
        return self._symbols.get(name)

    def all_definitions(self, symbol: Symbol) -> tuple[VariableDefinition, ...]:
        """Yields every definition of a variable."""
        return tuple(self._definitions.get(symbol, ()))

    def definitions(self, use: Identifier) -> tuple[VariableDefinition, ...]:
        """The definitions whose value a use may see."""
        symbol = self._symbols.get(use)
        found: list[VariableDefinition] = []
        hiding: SyntaxNode | None = None
        for each in self._definitions.get(symbol, ()) if symbol is not None else ():
            if function_around(each.node) is not function_around(use):
                found.append(each)
            elif _comes_before(each.node, use):
                if each.is_whole and _is_on_every_way(each.node, use):
                    found, hiding = [], each.node
                found.append(each)
            elif any(_is_in(each.node, loop) for loop in _loops_around(use, each.symbol, hiding)):
                found.append(each)
        return tuple(found)

    def uses(self, definition: VariableDefinition) -> tuple[Identifier, ...]:
        """The uses that a definition may reach."""
        return tuple(use for use in self._uses.get(definition.symbol, ()) if definition in self.definitions(use))

    def _note(self, name: Identifier) -> None:
        declaring = _declaring(name)
        if declaring is not None:
            scope = next(each for each in name.ancestors() if isinstance(each, _SCOPES) or each.parent is None)
            symbol = self._known[scope, name.text] = self._symbols[name] = Symbol(name.text, name, scope)
            if isinstance(declaring, InitDeclarator | ParameterDeclaration):
                self._define(VariableDefinition(symbol, declaring, value_of(declaring), is_whole=True))
            return
        around = (self._known.get((each, name.text)) for each in name.ancestors())
        known = next((each for each in around if each is not None), None)
        if known is None:
            return
        self._symbols[name] = known
        whole = _whole(name)
        node = whole.parent
        if isinstance(node, Assignment) and node.left is whole:
            is_whole = node.operator == "=" and whole is name
            self._define(VariableDefinition(known, node, node.right, is_whole))
            if node.operator == "=":
                return
        elif isinstance(node, UpdateExpression):
            self._define(VariableDefinition(known, node, None, is_whole=False))
        elif (call := self._changing(whole)) is not None:
            self._define(VariableDefinition(known, call, None, is_whole=False))
        self._uses.setdefault(known, []).append(name)

    def _define(self, definition: VariableDefinition) -> None:
        self._definitions.setdefault(definition.symbol, []).append(definition)

    def _changing(self, argument: SyntaxNode) -> FunctionCall | None:
        """The call of a function of the text that changes an argument."""
        call = argument.parent.parent if argument.parent is not None else None
        if not isinstance(call, FunctionCall) or argument not in call.arguments or call.name not in self.functions:
            return None
        parameters, place = self.functions[call.name].parameters, call.arguments.index(argument)
        is_changed = place < len(parameters) and any(parameters[place].has_word(word) for word in _CHANGED)
        return call if is_changed else None


def _is_of_a_function(name: Identifier) -> bool:
    parent = name.parent
    is_called = isinstance(parent, FunctionCall) and parent.callee is name
    return is_called or (isinstance(parent, FunctionDeclarator) and parent.declarator is name)


def _declaring(name: Identifier) -> SyntaxNode | None:
    """The declaration of a variable that a name stands in as what is declared."""
    inner: SyntaxNode = name
    for each in name.ancestors():
        if isinstance(each, ArrayDeclarator):
            if each.declarator is not inner:
                return None
        elif isinstance(each, InitDeclarator | ParameterDeclaration):
            return each if each.declarator is inner else None
        else:
            return each if isinstance(each, Declaration) and inner in each.declarators else None
        inner = each
    return None


def _whole(name: SyntaxNode) -> SyntaxNode:
    """`w[i].xy` around `w`."""
    parent = name.parent
    while isinstance(parent, Parenthesised) or (
        isinstance(parent, FieldAccess | Subscript) and parent.argument is name
    ):
        name, parent = parent, parent.parent
    return name


def _steps(node: SyntaxNode) -> Iterator[tuple[SyntaxNode, SyntaxNode]]:
    """Each node on the way up with what it stands in."""
    inner = node
    for each in node.ancestors():
        yield inner, each
        inner = each


def _order(node: SyntaxNode, byte: int) -> int:
    """When a byte is come to: the update of a loop comes behind its body."""
    for inner, outer in _steps(node):
        if isinstance(outer, ForLoop) and outer.update is inner:
            return outer.end_byte
    return byte


def _comes_before(definition: SyntaxNode, use: SyntaxNode) -> bool:
    """Whether a definition may be done before a use without a loop's turn between: not in the other branch."""
    if _order(definition, definition.end_byte) > _order(use, use.start_byte):
        return False
    choices = (each for each in use.ancestors() if isinstance(each, IfStatement) and each.alternative is not None)
    return not any(_is_in(definition, each.consequence) and not _is_in(use, each.consequence) for each in choices)


def _is_on_every_way(definition: SyntaxNode, use: SyntaxNode) -> bool:
    """Whether no condition and no loop around a definition may pass it by on the way to a use."""
    part = next((inner for inner, outer in _steps(definition) if _may_be_passed_by(inner, outer)), None)
    return part is None or _is_in(use, part)


def _may_be_passed_by(inner: SyntaxNode, outer: SyntaxNode) -> bool:
    if isinstance(outer, IfStatement | ConditionalExpression):
        return inner is not outer.condition
    if isinstance(outer, ForLoop):
        return inner is outer.body or inner is outer.update
    if isinstance(outer, LoopStatement | SwitchStatement):
        return not isinstance(outer, DoWhileLoop)
    return isinstance(outer, CaseLabel)


def _loops_around(use: SyntaxNode, symbol: Symbol, hiding: SyntaxNode | None) -> Iterator[SyntaxNode]:
    """The loops around a use that bring it an older value of a variable, turn by turn."""
    for inner, outer in _steps(use):
        if isinstance(outer, ForLoop) and outer.initializer is inner:
            continue
        if not isinstance(outer, LoopStatement) or _is_in(symbol.declared_at, _body(outer)):
            continue
        if hiding is None or not _is_in(hiding, outer) or _is_in_initializer(hiding, outer):
            yield outer


def _body(loop: LoopStatement) -> SyntaxNode:
    return loop.body if isinstance(loop, ForLoop) else loop


def _is_in_initializer(node: SyntaxNode, loop: LoopStatement) -> bool:
    return isinstance(loop, ForLoop) and loop.initializer is not None and _is_in(node, loop.initializer)


def _is_in(node: SyntaxNode, outer: SyntaxNode) -> bool:
    return outer.number <= node.number < outer.behind
