"""Compiles the functions of a text, and their calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    FunctionCall,
    Identifier,
    Parenthesised,
    UnaryExpression,
)
from texelscope.pipeline.glsl.semantics.statements import (
    BreakStatement,
    ContinueStatement,
    FunctionDefinition,
    IfStatement,
    OtherStatement,
    ReturnStatement,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, lanes_of
from texelscope.pipeline.glsl.semantics.variables import parameters_of, returned_type
from texelscope.pipeline.symbolic.expressions import Run
from texelscope.pipeline.symbolic.statements import (
    DiscardedError,
    StatementCompiler,
    TooLongError,
    merged,
    nothing,
    snapshot,
)
from texelscope.pipeline.symbolic.values import UnknownTextError, blank, converted, with_part

# The most ways on which a function is run that returns early by what was read.
_MOST_WAYS = 8


class TextFunction:
    """Holds a function of the text: its parameters' slots, its body once compiled, and its result.

    `waiting` starts the body of a function in which an invocation waits for its work group.
    """

    def __init__(self, definition: FunctionDefinition) -> None:
        self.definition = definition
        self.parameters = parameters_of(definition)
        self.kinds = [each.type + "[]" * len(each.sizes) for each in self.parameters]
        self.slots: list[int] = []
        self.result = -1
        self.body: Run | None = None
        self.waiting: Any = None


class FunctionCompiler(StatementCompiler):
    """Compiles functions."""

    def __init__(self, types: Types) -> None:
        super().__init__(types)
        self._functions: dict[str, list[TextFunction]] = {}
        # Functions in which an invocation waits for its work group.
        self.waiting: frozenset[str] = frozenset()

    def define(self, definition: FunctionDefinition) -> None:
        """Makes a function known; its body is compiled where it is first called."""
        self._functions.setdefault(definition.name, []).append(TextFunction(definition))

    @property
    def definitions(self) -> list[FunctionDefinition]:
        """The functions of the text."""
        return [each.definition for functions in self._functions.values() for each in functions]

    def resolved(self, name: str, arguments: Sequence[SyntaxNode]) -> TextFunction | None:
        """Returns the function that a call means; None where the text has none of that name."""
        if name not in self._functions:
            return None
        fitting = [each for each in self._functions[name] if len(each.parameters) == len(arguments)]
        if not fitting:
            raise UnknownTextError(f"the function {name} with {len(arguments)} arguments")
        if len(fitting) == 1:
            return fitting[0]
        kinds = [self.kind_of(each) for each in arguments]
        return max(fitting, key=lambda each: sum(map(_likeness, kinds, each.kinds)))

    @staticmethod
    def result_kind(function: TextFunction) -> str:
        """Returns the type of a function's result."""
        kind, sizes = returned_type(function.definition)
        return kind + "[]" * len(sizes)

    def kind_of(self, node: SyntaxNode) -> str:
        """Returns the type of an expression, by the variables in scope; empty where it is not known."""
        if isinstance(node, Identifier):
            return self.slot_of(node.text)[1] if self.is_declared(node.text) else self.types.of(node)
        if isinstance(node, Parenthesised) and node.inner is not None:
            return self.kind_of(node.inner)
        if isinstance(node, UnaryExpression):
            return self.kind_of(node.argument)
        if isinstance(node, FunctionCall) and (function := self.resolved(node.name, node.arguments)) is not None:
            return self.result_kind(function)
        if known := self.types.of(node):
            return known
        parts = [node.left, node.right] if isinstance(node, BinaryExpression) else []
        return max(map(self.kind_of, parts), key=lanes_of, default="")

    def function(self, name: str, arguments: Sequence[SyntaxNode], node: SyntaxNode) -> Run | None:
        """Returns a call of a function of the text; None where it has none of that name."""
        function = self.resolved(name, arguments)
        if function is None:
            return None
        if name in self.waiting:
            raise UnknownTextError(f"a barrier in '{node.text[:60]}'")
        if function.body is None:
            with self.inside(function):
                function.body = nothing  # a call of itself does nothing: GLSL has no recursion
                function.body = self.statement(function.definition.body)
        enter, leave = self.prepared(function, arguments, node.row)
        body, memory, result, row = function.body, self.memory, function.result, node.row
        is_pure = not any(each.qualifiers & {"out", "inout"} for each in function.parameters)
        if not _leaves_early(function.definition):

            def run_straight() -> Any:
                enter()
                memory[result] = None
                body()
                leave()
                return memory[result]

            return run_straight

        def run() -> Any:
            enter()
            self._on_each_way(body, result, row, is_pure=is_pure)
            leave()
            return memory[result]

        return run

    def prepared(
        self, function: TextFunction, arguments: Sequence[SyntaxNode], row: int
    ) -> tuple[Callable[[], None], Callable[[], None]]:
        """Returns what gives a function its arguments, and what gives `out` parameters back."""
        memory = self.memory
        given = [
            None if "out" in each.qualifiers else self.compile(argument)
            for each, argument in zip(function.parameters, arguments, strict=True)
        ]
        back = [
            (slot, self._given_back(argument, slot))
            for each, argument, slot in zip(function.parameters, arguments, function.slots, strict=True)
            if each.qualifiers & {"out", "inout"}
        ]
        kinds = [each.type if not each.sizes else "" for each in function.parameters]
        slots = function.slots

        def enter() -> None:
            values = [None if each is None else each() for each in given]
            for slot, value, kind in zip(slots, values, kinds, strict=True):
                if value is not None:
                    memory[slot] = converted(kind, value, row) if not callable(value) else value

        def leave() -> None:
            for _, give in back:
                give()

        return enter, leave

    def _given_back(self, argument: SyntaxNode, slot: int) -> Callable[[], object]:
        memory = self.memory
        if (stored := self.stored(argument, lambda: memory[slot])) is not None:
            return stored
        place = self.place(argument)

        def give() -> None:
            target, parts = place()
            memory[target] = with_part(memory[target], parts, memory[slot])

        return give

    @contextmanager
    def inside(self, function: TextFunction) -> Iterator[None]:
        """Opens the scope of a function, with its parameters."""
        outer, outer_result, outer_kind = self._scopes, self._result, self._returned
        self._scopes = [outer[0], {}]
        kind, sizes = returned_type(function.definition)
        self._result = function.result = self.declare("", kind)
        self._returned = kind if not sizes else ""
        for each, kind in zip(function.parameters, function.kinds, strict=True):
            value = None
            if "out" in each.qualifiers:
                value = blank(each.type, self.sizes(each), self.structures)
            function.slots.append(self.declare(each.name, kind, value))
        try:
            yield
        finally:
            self._scopes, self._result, self._returned = outer, outer_result, outer_kind

    def _on_each_way(self, body: Run, result: int, row: int, *, is_pure: bool) -> None:
        """Runs a function's body; where it returns early by what was read, on each way, up to a few."""
        memory, outer = self.memory, (self._decisions, self._forced)
        writes, start = self.writes, snapshot(memory)
        left = [_MOST_WAYS]

        def explore(forced: list[bool]) -> Any:
            left[0] -= 1
            memory[:] = snapshot(start)
            self._decisions, self._forced = [], forced
            memory[result] = None
            body()
            found, made = memory[result], self._decisions
            for at in range(len(made) - 1, len(forced) - 1, -1):
                if left[0] <= 0:
                    break
                condition, value = made[at]
                beside = explore([*(of for _, of in made[:at]), not value])
                found = merged(condition, *((found, beside) if value else (beside, found)), row)
            return found

        try:
            self._decisions, self._forced = [], []
            memory[result] = None
            body()
            if self._decisions and is_pure and self.writes == writes and memory[result] is not None:
                after = memory[:]
                with suppress(UnknownTextError, DiscardedError, TooLongError):
                    after[result] = explore([])
                memory[:] = after
        finally:
            self._decisions, self._forced = outer


def _leaves_early(definition: FunctionDefinition) -> bool:
    """Whether a function has a statement that leaves it, or a loop of it, on a condition."""
    leaving = (ReturnStatement, BreakStatement, ContinueStatement, OtherStatement)
    return any(isinstance(each, leaving) for node in definition.of_type(IfStatement) for each in node.walk())


def _likeness(kind: str, wanted: str) -> int:
    """Returns how well an argument of a type fits a parameter."""
    if kind == wanted:
        return 2
    return int(lanes_of(kind) == lanes_of(wanted) > 0)
