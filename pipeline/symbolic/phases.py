"""Runs the invocations of a work group side by side: each up to its next barrier, then the next one.

A statement in which an invocation waits is compiled to a generator, which yields at each barrier; all other statements
are plain functions, as in a text without barriers. One memory of variables serves all invocations: where another one
goes on, its own variables are put there, and only shared ones stay.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from texelscope.pipeline.glsl.semantics.expressions import FunctionCall
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    Declaration,
    DoWhileLoop,
    ElseClause,
    ExpressionStatement,
    ForLoop,
    IfStatement,
    ReturnStatement,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.symbolic.expressions import Run, truth, uncommented
from texelscope.pipeline.symbolic.functions import FunctionCompiler, TextFunction
from texelscope.pipeline.symbolic.statements import BREAK, RETURN, nothing
from texelscope.pipeline.symbolic.text import BARRIERS
from texelscope.pipeline.symbolic.values import UnknownTextError, copied

# A statement that may wait: it yields at each barrier, and returns how it ended.
Waiting = Generator[None, None, Any]
WaitingRun = Callable[[], Waiting]


class PhaseCompiler(FunctionCompiler):
    """Compiles statements in which an invocation waits for the others of its work group."""

    def waits(self, node: SyntaxNode) -> bool:
        """Whether an invocation may wait within a node."""
        return bool(self.waiting) and any(call.name in self.waiting for call in node.of_type(FunctionCall))

    def waiting_statement(self, node: SyntaxNode) -> WaitingRun:
        """Returns a function that starts a statement in which an invocation waits. Raises UnknownTextError."""
        if isinstance(node, CompoundStatement):
            return self._waiting_block(node.named_children)
        if isinstance(node, IfStatement):
            return self._waiting_if(node)
        if isinstance(node, ForLoop):
            return self._waiting_for(node)
        if isinstance(node, WhileLoop | DoWhileLoop) and not self.waits(node.condition):
            body, condition = self._waiting_scope(node.body), self.compile(node.condition)
            return self._waiting_loop(condition, body, None, first=isinstance(node, DoWhileLoop))
        if isinstance(node, ExpressionStatement | Declaration | ReturnStatement):
            return self._waiting_calls(node)
        raise UnknownTextError(f"a barrier in '{node.text[:60]}'")

    def _waiting_or_not(self, node: SyntaxNode) -> WaitingRun:
        if self.waits(node):
            return self.waiting_statement(node)
        plain = self.statement(node)

        def run() -> Waiting:
            return plain()
            yield

        return run

    def _waiting_scope(self, node: SyntaxNode) -> WaitingRun:
        return self._waiting_block([node] if not isinstance(node, CompoundStatement) else node.named_children)

    def _waiting_block(self, nodes: Sequence[SyntaxNode]) -> WaitingRun:
        with self.scope():
            runs: list[tuple[Run | None, WaitingRun | None]] = [
                (None, self.waiting_statement(each)) if self.waits(each) else (self.statement(each), None)
                for each in uncommented(nodes)
            ]

        def run() -> Waiting:
            for plain, waiting in runs:
                ended = plain() if plain is not None else None
                if waiting is not None:
                    ended = yield from waiting()
                if ended is not None:
                    return ended
            return None

        return run

    def _waiting_if(self, node: IfStatement) -> WaitingRun:
        before = self._waiting_calls_in(node.condition)
        condition, taken = self.compile(node.condition), self._waiting_or_not(node.consequence)
        other = None
        if node.alternative is not None:
            inner: SyntaxNode = node.alternative
            if isinstance(inner, ElseClause):
                inner = uncommented(inner.named_children)[-1]
            other = self._waiting_or_not(inner)

        def run() -> Waiting:
            for each in before:
                yield from each()
            if truth(condition()):
                return (yield from taken())
            return (yield from other()) if other is not None else None

        return run

    def _waiting_for(self, node: ForLoop) -> WaitingRun:
        with self.scope():
            start = nothing
            if node.initializer is not None:
                start = self.started(node.initializer)
            if any(each is not None and self.waits(each) for each in (node.condition, node.update, node.initializer)):
                raise UnknownTextError("a barrier in a loop's head")
            condition = self.compile(node.condition) if node.condition is not None else None
            update = self.compile(node.update) if node.update is not None else None
            loop = self._waiting_loop(condition, self._waiting_scope(node.body), update)

        def run() -> Waiting:
            start()
            return (yield from loop())

        return run

    def _waiting_loop(
        self, condition: Run | None, body: WaitingRun, update: Run | None, *, first: bool = False
    ) -> WaitingRun:
        def run() -> Waiting:
            is_first = first
            while is_first or condition is None or truth(condition()):
                is_first = False
                self.take_turn()
                ended = yield from body()
                if ended == BREAK:
                    break
                if ended == RETURN:
                    return RETURN
                if update is not None:
                    update()
            return None

        return run

    def _waiting_calls(self, node: SyntaxNode) -> WaitingRun:
        """Runs the calls that wait first, then the statement with their results."""
        before = self._waiting_calls_in(node)
        plain = self.statement(node)

        def run() -> Waiting:
            for each in before:
                yield from each()
            return plain()

        return run

    def _waiting_calls_in(self, node: SyntaxNode) -> list[WaitingRun]:
        """Returns the calls in an expression that wait, the inner ones first; `compile` finds their results."""
        found: list[WaitingRun] = []
        for call in reversed([*node.of_type(FunctionCall)]):
            if call.name in BARRIERS and call.name in self.waiting:
                found.append(_barrier)
            elif call.name in self.waiting:
                found.append(self._waiting_call(call))
        return found

    def _waiting_call(self, node: FunctionCall) -> WaitingRun:
        arguments = uncommented(node.arguments)
        function = self.resolved(node.name, arguments)
        if function is None:
            raise UnknownTextError(f"the function {node.name}")
        body = self._waiting_body(function)
        enter, leave = self.prepared(function, arguments, node.row)
        slot = self.results[node] = self.declare("", self.result_kind(function))
        memory, result = self.memory, function.result

        def run() -> Waiting:
            enter()
            memory[result] = None
            yield from body()
            leave()
            memory[slot] = memory[result]

        return run

    def _waiting_body(self, function: TextFunction) -> WaitingRun:
        if function.waiting is None:
            with self.inside(function):
                function.waiting = self.waiting_statement(function.definition.body)
        waiting: WaitingRun = function.waiting
        return waiting


def _barrier() -> Waiting:
    yield


class GroupRun:
    """Runs the invocations of one work group, side by side, until one of them has ended."""

    def __init__(
        self,
        memory: list[Any],
        shared: Sequence[int],
        own: Sequence[int],
        start: WaitingRun,
        others: WaitingRun,
        switched: Callable[[], None],
    ) -> None:
        """`start` starts main for the invocation that is wanted, `others` for all others.

        The `memory` is as a run begins. `switched` is told each time that another invocation goes on.

        `shared` are the slots of shared variables, `own` those of arrays and structures of which each invocation has
        its own from the start.
        """
        self._memory, self._shared, self._copied = memory, shared, own
        self._start, self._others = start, others
        self._switched = switched
        self._own: dict[int, list[Any]] = {}
        self._runs: dict[int, Waiting] = {}

    def run(self, invocations: Sequence[Mapping[int, Any]], wanted: int) -> None:
        """Runs invocation `wanted` to its end; each has values of its own by slot. The memory is then its own."""
        order = [wanted, *(number for number in range(len(invocations)) if number != wanted)]
        before = list(self._memory)
        for number in order:
            self._own[number] = list(before)
            for slot in self._copied:
                self._own[number][slot] = copied(before[slot])
            for slot, value in invocations[number].items():
                self._own[number][slot] = value
            self._runs[number] = self._start() if number == wanted else self._others()
        while True:
            for number in order:
                if number in self._runs and self._goes_on(number) and number == wanted:
                    return

    def _goes_on(self, number: int) -> bool:
        """Runs an invocation to its next barrier; says whether it has ended."""
        self._switched()
        memory, own = self._memory, self._own[number]
        for slot in self._shared:
            own[slot] = memory[slot]
        memory[:] = own
        try:
            next(self._runs[number])
        except StopIteration:
            del self._runs[number]
            return True
        self._own[number] = memory[:]
        return False
