"""Finds what an invocation need not do whose own results are not asked for.

The other invocations of a work group matter for what they put into shared memory, and for how they get there: tests,
indices, and numbers that these are made of. Their sums stay with them, and what they do behind the last barrier is
seen by nobody. Variables are told apart by their names alone, so that sometimes more is done than need be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    FieldAccess,
    FunctionCall,
    Identifier,
    Parenthesised,
    Subscript,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.statements import (
    BreakStatement,
    CaseLabel,
    CompoundStatement,
    ContinueStatement,
    Declaration,
    DoWhileLoop,
    ElseClause,
    ExpressionStatement,
    ForLoop,
    FunctionDefinition,
    IfStatement,
    OtherStatement,
    ReturnStatement,
    SwitchStatement,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.variables import parameters_of, variables_of

_LOOPS = (ForLoop, WhileLoop, DoWhileLoop, SwitchStatement)
_CONTAINERS = (CompoundStatement, ElseClause, CaseLabel)
_LEAVING = (ReturnStatement, OtherStatement)
# Built-in functions that write.
_WRITING = frozenset(
    {
        "imageStore", "atomicAdd", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor", "atomicExchange",
        "atomicCompSwap",
    }
)  # fmt: skip


def unneeded_statements(
    main: FunctionDefinition, waiting: Collection[str], functions: Collection[FunctionDefinition]
) -> frozenset[SyntaxNode]:
    """Returns the statements of main that need not be run for another invocation.

    `waiting` are functions in which an invocation waits, `functions` all of the text.
    """
    return _Slice(main, waiting, functions).unneeded()


class _Slice:
    """Finds needed statements and names in turn, until there are no more."""

    def __init__(
        self, main: FunctionDefinition, waiting: Collection[str], functions: Collection[FunctionDefinition]
    ) -> None:
        self._waiting = waiting
        self._acting = _acting(functions) | {*waiting}
        self._own = _declared(main)
        self._names: set[str] = set()
        self._needed: set[SyntaxNode] = set()
        inside = _statements_in(main.body)
        last = max((at for at, each in enumerate(inside) if self._waits(each)), default=-1)
        self._inside, self._behind = inside[: last + 1], inside[last + 1 :]

    def unneeded(self) -> frozenset[SyntaxNode]:
        """Returns statements that are not needed, without those within them."""
        size = -1
        while size != len(self._names) + len(self._needed):
            size = len(self._names) + len(self._needed)
            for each in self._inside:
                self._visit(each)
        return frozenset({*self._behind, *self._left_out(self._inside)})

    def _left_out(self, nodes: Iterable[SyntaxNode]) -> Iterator[SyntaxNode]:
        for each in nodes:
            if isinstance(each, _CONTAINERS) or each in self._needed:
                yield from self._left_out(_statements_in(each))
            elif isinstance(each, (ExpressionStatement, Declaration, IfStatement, *_LOOPS)):
                yield each

    def _waits(self, node: SyntaxNode) -> bool:
        return any(call.name in self._waiting for call in node.of_type(FunctionCall))

    def _visit(self, node: SyntaxNode) -> bool:
        """Says whether a statement is needed, and keeps the names that it needs."""
        statements = _statements_in(node)
        inside = [self._visit(each) for each in statements]
        if isinstance(node, BreakStatement | ContinueStatement):
            return node.enclosing(*_LOOPS) in self._needed
        if not isinstance(node, (ExpressionStatement, Declaration, IfStatement, *_LOOPS, *_LEAVING)):
            return any(inside)
        heads = [node] if not statements else [each for each in node.named_children if each not in statements]
        needed = any(inside) or isinstance(node, _LEAVING)
        needed = needed or any(self._acts(head) or self._changes(head, node) for head in heads)
        if needed:
            self._needed.add(node)
            self._names.update(name.text for head in heads for name in head.of_type(Identifier))
        return needed

    def _acts(self, node: SyntaxNode) -> bool:
        """Whether a node writes what is not a variable of main, or calls a function that does, or waits."""
        if any(call.name in self._acting for call in node.of_type(FunctionCall)):
            return True
        return not _assigned(node) <= self._own

    def _changes(self, head: SyntaxNode, statement: SyntaxNode) -> bool:
        """Whether a node changes a variable whose value matters; a loop's own counter does not."""
        changed = _assigned(head)
        if isinstance(statement, Declaration):
            changed |= {each.name for each in variables_of(head)}
        elif isinstance(statement, ForLoop) and isinstance(statement.initializer, Declaration):
            changed -= {each.name for each in variables_of(statement.initializer)}
        return bool(changed & self._names)


def _statements_in(node: SyntaxNode) -> list[SyntaxNode]:
    """Returns the statements that a statement holds."""
    if isinstance(node, _LOOPS):
        return [node.body]
    if isinstance(node, IfStatement):
        return [each for each in (node.consequence, node.alternative) if each is not None]
    if isinstance(node, CaseLabel):
        return [each for each in node.named_children if each is not node.value]
    return list(node.named_children) if isinstance(node, _CONTAINERS) else []


def _declared(function: FunctionDefinition) -> set[str]:
    """Returns the names of a function's own variables."""
    declared = (each for node in function.body.of_type(Declaration) for each in variables_of(node))
    return {each.name for each in (*declared, *parameters_of(function))}


def _assigned(node: SyntaxNode) -> set[str]:
    """Returns the names of variables that a node gives a value, or a part of one."""
    targets = [
        each.left if isinstance(each, Assignment) else each.argument
        for each in node.of_type(Assignment, UpdateExpression)
    ]
    found = set()
    for target in targets:
        while isinstance(target, FieldAccess | Subscript | Parenthesised):
            inner = target.inner if isinstance(target, Parenthesised) else target.argument
            if inner is None:
                break
            target = inner
        found.add(target.text)
    return found


def _acting(functions: Collection[FunctionDefinition]) -> set[str]:
    """Returns functions that write what is not their own: variables of others, blocks, images."""
    found = {*_WRITING}
    size = 0
    while size != len(found):
        size = len(found)
        for each in functions:
            calls = {call.name for call in each.body.of_type(FunctionCall)}
            gives_back = any(parameter.qualifiers & {"out", "inout"} for parameter in parameters_of(each))
            if gives_back or calls & found or not _assigned(each.body) <= _declared(each):
                found.add(each.name)
    return found
