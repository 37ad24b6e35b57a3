"""Compiles GLSL's statements and declarations; there is no recursion, so that every variable has one slot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.glsl.semantics.expressions import Identifier
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
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
    IfStatement,
    InitDeclarator,
    OtherDirective,
    Preprocessor,
    ReturnStatement,
    SwitchStatement,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode, Token
from texelscope.pipeline.glsl.semantics.types import Types
from texelscope.pipeline.glsl.semantics.variables import DeclaredVariable, variables_of
from texelscope.pipeline.symbolic.expressions import ExpressionCompiler, Run, truth, uncommented
from texelscope.pipeline.symbolic.terms import MatrixValue, SymbolicTerm, value_of
from texelscope.pipeline.symbolic.values import UnknownTextError, blank, converted, copied

# How a statement ends; None goes on with the next one.
BREAK, CONTINUE, RETURN = "break", "continue", "return"
# A run that takes more turns of loops than this is given up.
MOST_TURNS = 60_000


class DiscardedError(Exception):
    """The fragment was discarded."""


class TooLongError(Exception):
    """A run takes too many turns."""


class StatementCompiler(ExpressionCompiler):
    """Compiles statements and functions."""

    def __init__(self, types: Types) -> None:
        super().__init__(types)
        self._scopes: list[dict[str, tuple[int, str]]] = [{}]
        self._result = -1
        self._returned = ""
        # Statements that the run being compiled does not need.
        self.left_out: frozenset[SyntaxNode] = frozenset()
        self.turns = 0
        self.writes = 0
        # In the call under way: the conditions at which it left early, and how those are to be decided.
        self._decisions: list[tuple[SymbolicTerm, bool]] = []
        self._forced: list[bool] = []

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Opens a scope for variables."""
        self._scopes.append({})
        try:
            yield
        finally:
            self._scopes.pop()

    def take_turn(self) -> None:
        """Counts a turn of a loop, or of an invocation of a work group. Raises TooLongError."""
        self.turns += 1
        if self.turns > MOST_TURNS:
            raise TooLongError

    # -- variables -----------------------------------------------------------------------------------------------

    def is_declared(self, name: str) -> bool:
        """Whether a variable of that name is in scope."""
        return any(name in scope for scope in self._scopes)

    def slot_of(self, name: str) -> tuple[int, str]:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        raise UnknownTextError(f"the variable {name}")

    def declare(self, name: str, kind: str, value: Any = None) -> int:
        """Returns the slot of a new variable in the innermost scope."""
        self.memory.append(value)
        self._scopes[-1][name] = (len(self.memory) - 1, kind)
        return len(self.memory) - 1

    def sizes(self, variable: DeclaredVariable) -> tuple[int, ...]:
        """Returns the sizes of a variable's array, as numbers. Raises UnknownTextError for one without."""
        return tuple(self.constant_size(each) for each in variable.sizes)

    def constant_size(self, text: str) -> int:
        """Returns the value of an expression of constants."""
        if text.rstrip("uU").isdigit():
            return int(text.rstrip("uU"))
        tree = parse(constructors_as_calls(f"int size = {text};".encode()))
        value = next((each.value for each in tree.of_type(InitDeclarator)), None)
        try:
            if value is None:
                raise UnknownTextError
            return int(value_of(self.compile(value)()))
        except (UnknownTextError, TypeError, ValueError):
            raise UnknownTextError(f"the size {text or 'left open'}") from None

    def declaration(self, node: Declaration) -> Run:
        """Returns a function that gives the variables of a declaration their values."""
        given = {_name(each): each.value for each in node.declarators if isinstance(each, InitDeclarator)}
        runs: list[Callable[[], None]] = []
        for each in variables_of(node):
            value = self.compile(given[each.name]) if each.name in given else None
            runs.append(self._given(each, value, node.row))

        def run() -> None:
            for each in runs:
                each()

        return run

    def _given(self, variable: DeclaredVariable, value: Run | None, row: int) -> Callable[[], None]:
        kind, memory, structures = variable.type, self.memory, self.structures
        if value is None:
            sizes = self.sizes(variable)
            slot = self.declare(variable.name, kind + "[]" * len(sizes), blank(kind, sizes, structures))

            def cleared() -> None:
                memory[slot] = blank(kind, sizes, structures)

            return cleared
        slot = self.declare(variable.name, kind + "[]" * len(variable.sizes))
        own = kind if not variable.sizes else ""

        def run() -> None:
            memory[slot] = converted(own, value(), row)

        if "const" in variable.qualifiers and own in ("int", "uint"):
            with suppress(Exception):  # it may be the size of an array; one of what is read is none
                run()
        return run

    def adapting(self, target: SyntaxNode) -> Callable[[Any, int], Any]:
        kind = self.kind_of(target)
        return lambda value, row: converted(kind, value, row)

    # -- statements ----------------------------------------------------------------------------------------------

    def statement(self, node: SyntaxNode) -> Run:
        """Returns a function that runs a statement and says how it ended."""
        if node in self.left_out:
            return nothing
        method = _METHODS.get(type(node))
        if method is not None:
            run: Run = getattr(self, method)(node)
            return run
        if isinstance(node, _SILENT):
            return nothing
        if node.text.strip().rstrip(";").strip() == "discard":
            return _discard
        raise UnknownTextError(f"the statement '{node.text[:60]}'")

    def _compound(self, node: CompoundStatement) -> Run:
        return self._block(node.named_children)

    def _alone(self, node: ExpressionStatement) -> Run:
        inside = uncommented(node.named_children)
        return self._expression(inside[0]) if inside else nothing

    def _break(self, _node: BreakStatement) -> Run:
        return lambda: BREAK

    def _continue(self, _node: ContinueStatement) -> Run:
        return lambda: CONTINUE

    def _while(self, node: WhileLoop) -> Run:
        return self._loop(self.compile(node.condition), self._scoped(node.body), None)

    def _do(self, node: DoWhileLoop) -> Run:
        return self._loop(self.compile(node.condition), self._scoped(node.body), None, first=True)

    def _expression(self, node: SyntaxNode) -> Run:
        if node.text == "discard":
            return _discard
        run = self.compile(node)

        def alone() -> None:
            run()

        return alone

    def _block(self, nodes: Sequence[SyntaxNode]) -> Run:
        with self.scope():
            runs = [self.statement(each) for each in uncommented(nodes)]

        def run() -> Any:
            for each in runs:
                ended = each()
                if ended is not None:
                    return ended
            return None

        return run

    def _scoped(self, node: SyntaxNode) -> Run:
        return self._block([node]) if not isinstance(node, CompoundStatement) else self.statement(node)

    def _return(self, node: ReturnStatement) -> Run:
        inside = uncommented(node.named_children)
        if not inside:
            return lambda: RETURN
        value, result, kind, memory, row = self.compile(inside[0]), self._result, self._returned, self.memory, node.row

        def run() -> str:
            memory[result] = converted(kind, value(), row)
            return RETURN

        return run

    def _if(self, node: IfStatement) -> Run:
        condition, taken = self.compile(node.condition), self._scoped(node.consequence)
        other = nothing
        if node.alternative is not None:
            inner = node.alternative
            if isinstance(inner, ElseClause):
                inner = uncommented(inner.named_children)[-1]
            other = self._scoped(inner)

        def run() -> Any:
            found = condition()
            if type(found) is not SymbolicTerm:
                return taken() if found else other()
            return self._either(found, taken, other, node.row)

        return run

    def _either(self, condition: SymbolicTerm, taken: Run, other: Run, row: int) -> Any:
        """Runs both branches of a condition that depends on what is read, and merges the variables.

        Where a branch leaves its function, the call is run once for each branch; where it writes, one branch runs.
        """
        memory, writes = self.memory, self.writes
        before, turns = snapshot(memory), self.turns
        ends, states = [], []
        for branch in (taken, other):
            memory[:] = snapshot(before)
            try:
                ends.append(branch())
            except (UnknownTextError, DiscardedError, TooLongError, ArithmeticError, ValueError, TypeError):
                ends.append("failed")
            states.append(memory[:])
        self.turns = turns
        if ends == [None, None] and self.writes == writes:
            memory[:] = [a if a is b else merged(condition, a, b, row) for a, b in zip(*states, strict=True)]
            return None
        memory[:] = before
        at = len(self._decisions)
        value = self._forced[at] if at < len(self._forced) else bool(condition.value)
        self._decisions.append((condition, value))
        return taken() if value else other()

    def _for(self, node: ForLoop) -> Run:
        with self.scope():
            start = self.started(node.initializer) if node.initializer is not None else nothing
            condition = self.compile(node.condition) if node.condition is not None else None
            update = self.compile(node.update) if node.update is not None else None
            loop = self._loop(condition, self._scoped(node.body), update)

        def run() -> Any:
            start()
            return loop()

        return run

    def started(self, node: SyntaxNode) -> Run:
        """Returns the start of a loop: a declaration or an expression."""
        return self.declaration(node) if isinstance(node, Declaration) else self._expression(node)

    def _loop(self, condition: Run | None, body: Run, update: Run | None, *, first: bool = False) -> Run:
        def run() -> Any:
            is_first = first
            while is_first or condition is None or truth(condition()):
                is_first = False
                self.take_turn()
                ended = body()
                if ended == BREAK:
                    break
                if ended == RETURN:
                    return RETURN
                if update is not None:
                    update()
            return None

        return run

    def _switch(self, node: SwitchStatement) -> Run:
        chosen = self.compile(node.condition)
        cases: list[tuple[Run | None, list[Run]]] = []
        with self.scope():
            for each in node.body.named_children:
                if isinstance(each, CaseLabel):
                    inner = [part for part in each.named_children if part is not each.value]
                    value = self.compile(each.value) if each.value is not None else None
                    cases.append((value, [self.statement(part) for part in inner]))

        def run() -> Any:
            wanted = value_of(chosen())
            start = next((at for at, (of, _) in enumerate(cases) if of is not None and value_of(of()) == wanted), None)
            if start is None:
                start = next((at for at, (of, _) in enumerate(cases) if of is None), len(cases))
            for _, runs in cases[start:]:
                for each in runs:
                    ended = each()
                    if ended is not None:
                        return None if ended == BREAK else ended
            return None

        return run


def snapshot(memory: Sequence[Any]) -> list[Any]:
    """Returns a copy of the memory that later assignments leave as it is."""
    return [copied(each) if type(each) in (list, dict) else each for each in memory]


def merged(condition: SymbolicTerm, a: Any, b: Any, row: int) -> Any:
    """Returns a value that is one of two by a condition."""
    if isinstance(a, dict) and isinstance(b, dict):
        return {name: merged(condition, each, b[name], row) for name, each in a.items()}
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [merged(condition, x, y, row) for x, y in zip(a, b, strict=True)]
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        found = (merged(condition, x, y, row) for x, y in zip(a, b, strict=True))
        return MatrixValue(found) if type(a) is MatrixValue else tuple(found)
    numbers = (bool, int, float, SymbolicTerm)
    if not isinstance(a, numbers) or not isinstance(b, numbers):
        return a if condition.value else b
    if a is b or (type(a) is not SymbolicTerm and type(b) is not SymbolicTerm and a == b):
        return a
    return SymbolicTerm("select", (condition, a, b), value_of(a) if condition.value else value_of(b), row)


def nothing() -> None:
    """Does nothing, as an empty statement."""


def _discard() -> None:
    raise DiscardedError


def _name(declarator: InitDeclarator) -> str:
    inner: SyntaxNode = declarator.declarator
    while not isinstance(inner, Identifier) and inner.named_children:
        inner = inner.named_children[0]
    return inner.text


_METHODS: Mapping[type[SyntaxNode], str] = MappingProxyType(
    {
        CompoundStatement: "_compound", ExpressionStatement: "_alone", Declaration: "declaration",
        ReturnStatement: "_return", BreakStatement: "_break", ContinueStatement: "_continue", IfStatement: "_if",
        ForLoop: "_for", WhileLoop: "_while", DoWhileLoop: "_do", SwitchStatement: "_switch",
    }
)  # fmt: skip
_SILENT = (Comment, Preprocessor, OtherDirective, Token)
