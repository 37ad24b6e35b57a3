"""Runs the body of a block on values that represent texels, and returns what it returns or stores.

Statements run in order as in GLSL: loops with known counts are unrolled, helper functions
entered, macros expanded before. Nothing that depends on a texel's value or the pixel's place is guessed.
"""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.dialects.mpv.network.block_functions import (
    BlockFunction,
    FunctionParameter,
    qualifiers_of,
)
from texelscope.pipeline.dialects.mpv.network.expressions import ExpressionEvaluation, name_in, sized
from texelscope.pipeline.dialects.mpv.network.scopes import SharedArray, Variable
from texelscope.pipeline.dialects.mpv.network.shared_memory import Filling
from texelscope.pipeline.dialects.mpv.network.surroundings import BlockSurroundings
from texelscope.pipeline.dialects.mpv.network.values import ZERO, NotUnderstoodError
from texelscope.pipeline.dialects.mpv.network.variable_types import (
    Value,
)
from texelscope.pipeline.glsl.semantics.questions import function_name
from texelscope.pipeline.glsl.semantics.statements import (
    BreakStatement,
    CompoundStatement,
    ContinueStatement,
    Declaration,
    DoWhileLoop,
    ElseClause,
    ExpressionStatement,
    ForLoop,
    FunctionDeclarator,
    FunctionDefinition,
    IfStatement,
    InitDeclarator,
    ReturnStatement,
    StructSpecifier,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode, Token

MOST_TURNS = 4096
_DEEPEST_CALL = 16
# The most statements of a run: nested loops must not delay the opening of an untrusted file.
_MOST_STATEMENTS = 1 << 17


class _Returned(Exception):  # noqa: N818 - no error: this ends a function
    def __init__(self, value: Value | None) -> None:
        super().__init__()
        self.value = value


class _LoopEnded(Exception):  # noqa: N818 - no error: this ends a loop, or one turn of it
    def __init__(self, *, whole: bool) -> None:
        super().__init__()
        self.whole = whole


class BlockEvaluation(ExpressionEvaluation):
    """Runs a block's text once over the values of `surroundings`; see `run`."""

    def __init__(self, root: SyntaxNode, surroundings: BlockSurroundings, first_line: int = 1) -> None:
        super().__init__(root, surroundings, first_line)
        self._depth = 0
        self._done = 0
        for each in root.children:
            if isinstance(each, Declaration):
                self._statement(each)
            elif isinstance(each, StructSpecifier):
                self.define(each)
            elif isinstance(each, FunctionDefinition):
                self._add_function(each)

    def run(self, name: str = "hook") -> Value | None:
        """Returns the result of a function without parameters.

        Raises NotUnderstoodError, with the line, for unsupported code.
        """
        hooks = [each for each in self.functions.all(name) if not each.parameters]
        if len(hooks) != 1:
            raise NotUnderstoodError(f"no function {name}()", self._first_line)
        result, _ = self.entered(hooks[0], [])
        return None if hooks[0].result is None else result

    def _add_function(self, node: FunctionDefinition) -> None:
        parameters = []
        for each in node.parameters:
            if each.declarator is None and each.type is not None and each.type.text == "void":
                continue
            words = qualifiers_of(each)
            kind = self.type_named(each.type, each.declarator)
            name = name_in(each.declarator) if each.declarator is not None else ""
            parameters.append(FunctionParameter(name, kind, "out" not in words, bool(words & {"out", "inout"})))
        result = self.type_named(node.type)
        is_nothing = result.name == "void"
        self.functions.add(function_name(node), BlockFunction(tuple(parameters), None if is_nothing else result, node))

    # -- statements --------------------------------------------------------------------------------------------

    def _statement(self, node: SyntaxNode) -> None:
        try:
            self._do(node)
        except NotUnderstoodError as error:
            if error.line:
                raise
            raise NotUnderstoodError(error.what, node.row + self._first_line) from error

    def _do(self, node: SyntaxNode) -> None:
        self._done += 1
        if self._done > _MOST_STATEMENTS:
            raise NotUnderstoodError(f"more than {_MOST_STATEMENTS} statements one after another")
        match node:
            case Declaration():
                self._declare(node)
            case ExpressionStatement():
                for child in node.named_children:
                    self.whole(child)
            case ReturnStatement():
                values = [child for child in node.named_children if not isinstance(child, Comment)]
                raise _Returned(self.whole(values[0]) if values else None)
            case CompoundStatement():
                self._scoped(node.named_children)
            case IfStatement():
                self._branch(node)
            case ForLoop():
                self._loop(node)
            case BreakStatement() | ContinueStatement():
                raise _LoopEnded(whole=isinstance(node, BreakStatement))
            case Comment() | Token(kind=";"):
                pass
            case _:
                raise NotUnderstoodError(f"'{node.text.splitlines()[0].strip()[:60]}'")

    def _scoped(self, statements: Sequence[SyntaxNode]) -> None:
        with self.scopes.inner():
            for each in statements:
                self._statement(each)

    def _declare(self, node: Declaration) -> None:
        is_shared = any(not isinstance(child, Comment) and child.text == "shared" for child in node.children)
        if isinstance(node.type, StructSpecifier) and not node.declarators:
            self.define(node.type)
        for declarator in node.declarators:
            if isinstance(declarator, FunctionDeclarator):
                continue
            own = declarator.declarator if isinstance(declarator, InitDeclarator) else declarator
            name, kind = name_in(own), self.type_named(node.type, own)
            if isinstance(declarator, InitDeclarator):
                self.functions.check_order(declarator.value)
                value = self.initial(kind, declarator.value)
                self.scopes.declare(name, Variable(value, sized(kind, value)))
            elif is_shared:
                self.scopes.declare(name, SharedArray(kind))
            else:
                self.scopes.declare(name, Variable(kind.unset(name, own.row + self._first_line), kind))

    def _branch(self, node: IfStatement) -> None:
        other = node.alternative
        branches = [[node.consequence], [] if other is None else [other]]
        if isinstance(other, ElseClause):
            branches[1] = list(other.named_children)
        if self.filling is not None and self.filling.is_probing:
            self._scoped(self._probed_branch(node, branches, self.filling))
        else:
            self._scoped(branches[0] if self.decided(node.condition) else branches[1])

    def _probed_branch(
        self, node: IfStatement, branches: Sequence[list[SyntaxNode]], filling: Filling
    ) -> list[SyntaxNode]:
        """Returns the branch with the store, the chosen one, or none where nothing says which is chosen."""
        at = filling.store.assignment.number
        with_store = [branch for branch in branches if any(each.number <= at < each.behind for each in branch)]
        if with_store:
            return with_store[0]
        try:
            return branches[0] if self.decided(node.condition) else branches[1]
        except NotUnderstoodError:
            return []

    def _loop(self, node: ForLoop) -> None:
        if self.filling is not None:
            if self._shared.fills(node):
                self._shared.turn(node, self.filling)
                return
        elif self._shared.collect(node):
            return
        with self.scopes.inner():
            self.started(node)
            for _ in range(MOST_TURNS):
                if not self.goes_on(node) or not self.turned(node):
                    return
                if node.update is not None:
                    self.whole(node.update)
        raise NotUnderstoodError(f"a loop of more than {MOST_TURNS} turns")

    def barrier(self) -> None:
        """Does nothing: loops that fill shared memory run where their elements are read."""

    def started(self, node: ForLoop) -> None:
        """Runs what a loop begins with."""
        if isinstance(node.initializer, Declaration):
            self._statement(node.initializer)
        elif node.initializer is not None:
            self.whole(node.initializer)

    def turned(self, node: ForLoop | WhileLoop | DoWhileLoop) -> bool:
        """Runs the body of a loop once; returns whether the loop goes on."""
        try:
            self._scoped([node.body])
        except _LoopEnded as ended:
            return not ended.whole
        return True

    # -- functions ---------------------------------------------------------------------------------------------

    def entered(self, function: BlockFunction, arguments: Sequence[Value]) -> tuple[Value, list[Value]]:
        name, line = function_name(function.definition), function.definition.row + self._first_line
        if self._depth >= _DEEPEST_CALL:
            raise NotUnderstoodError(f"a call of {name}(), {self._depth} calls deep")
        given = [
            parameter.type.converted(value) if parameter.is_in else parameter.type.unset(parameter.name, line)
            for parameter, value in zip(function.parameters, arguments, strict=True)
        ]
        self._depth += 1
        try:
            with self.scopes.function():
                for parameter, value in zip(function.parameters, given, strict=True):
                    self.scopes.declare(parameter.name, Variable(value, sized(parameter.type, value)))
                result = self._returned(function.definition)
                left = [self.scopes.find(each.name) for each in function.parameters if each.is_out]
        finally:
            self._depth -= 1
        if function.result is not None and result is None:
            raise NotUnderstoodError(f"{name}() without a result", line)
        returned = [each.value for each in left if isinstance(each, Variable)]
        return ZERO if function.result is None or result is None else function.result.converted(result), returned

    def _returned(self, node: FunctionDefinition) -> Value | None:
        """Runs a function's body in the scope of its parameters; returns what it returns, None for nothing."""
        try:
            for each in node.body.named_children:
                self._statement(each)
        except _Returned as ended:
            return ended.value
        return None
