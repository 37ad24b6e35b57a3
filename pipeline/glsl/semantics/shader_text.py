"""Queries a shader's syntax tree: on which line a value is read, summed, written, or written as a literal.

Lines are the author's: (file, 1-based line), from `pipeline.glsl.lines.line_map`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from texelscope.pipeline.glsl.lines import GENERATED, Line, line_map
from texelscope.pipeline.glsl.semantics.block_text import accesses
from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    BooleanLiteral,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.makers import accessors, maker_of, written_through
from texelscope.pipeline.glsl.semantics.outputs import BUILT_IN_OUTPUTS
from texelscope.pipeline.glsl.semantics.parsing import parse, without_precisions
from texelscope.pipeline.glsl.semantics.questions import (
    OTHER_READS,
    READS,
    function_called,
    function_name,
    name_around,
    names_in,
)
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    Declaration,
    DoWhileLoop,
    ForLoop,
    FunctionDefinition,
    IfStatement,
    InitDeclarator,
    ParameterMacro,
    ReturnStatement,
    TypeQualifier,
    WhileLoop,
    declarator_in,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.variables import words_of
from texelscope.pipeline.plan import ProgramSource

# Functions that a generated main calls: the value is computed in the author's function.
_AUTHORED = frozenset({"compute", "compute4", "compute_here"})
_MAINS = _AUTHORED | {"main"}
_LOOPS = (ForLoop, WhileLoop, DoWhileLoop)
_FIXED = ("uniform", "const", "in", "out")


@dataclass(frozen=True)
class LoopFound:
    """A for loop: where its head is, and the text of its condition."""

    line: Line
    condition: str
    variable: str
    depth: int


@dataclass(frozen=True)
class AssignmentFound:
    """An assignment: the variable it changes, its operator (`=`, `+=` …), its text."""

    line: Line
    variable: str
    operator: str
    text: str
    depth: int
    value: SyntaxNode


class ShaderText:
    """Holds the parsed fragment shader of a pass."""

    def __init__(self, program: ProgramSource) -> None:
        self._source = program.fragment.encode()
        self._lines = line_map(program)
        self._root = parse(without_precisions(self._source))
        self._bound = accesses(self._root)
        self._accessors = accessors(self._root)

    def line(self, node: SyntaxNode) -> Line:
        """Returns the line where the node starts."""
        return self._lines[node.row]

    def text(self, node: SyntaxNode) -> str:
        """Returns the node's text."""
        return self._source[node.start_byte : node.end_byte].decode()

    def reads(self, uniform: str) -> tuple[Line, ...]:
        """Returns lines that read the sampler: by a built-in, or by the author's calls of its generated accessor.

        Of a storage block, or an image: lines that read its elements.
        """
        if uniform in self._bound.reads:
            return tuple(dict.fromkeys(map(self.line, self._bound.reads[uniform])))
        found: dict[Line, None] = {}
        pending = [(READS | OTHER_READS, uniform)]
        done: set[str] = set()
        while pending:
            names, argument = pending.pop()
            for call in self._calls(names):
                if argument and not any(self.text(each) == argument for each in call.arguments):
                    continue
                owner = self._function_of(call)
                if self.line(call)[0] == GENERATED and owner not in ("main", "", *done):
                    done.add(owner)
                    pending.append((frozenset({owner}), ""))
                else:
                    found[self.line(call)] = None
        found.update(dict.fromkeys(self._passed(uniform)))
        return tuple(found)

    def uses(self, uniform: str) -> tuple[Line, ...]:
        """Returns lines that use the sampler's content: reads of it, calls of functions that read; in most loops."""
        found: list[tuple[int, Line]] = []
        calls = [call for call in self._root.of_type(FunctionCall) if uniform in map(self.text, call.arguments)]
        done = set(_MAINS)
        while calls:
            callers = set()
            for call in calls:
                owner = self._function_of(call)
                if owner in _MAINS:
                    found.append((self._depth(call), self.line(call)))
                elif owner:
                    callers.add(owner)
            calls = list(self._calls(frozenset(callers - done)))
            done |= callers
        deepest = max((depth for depth, _ in found), default=0)
        return tuple(dict.fromkeys(line for depth, line in found if depth == deepest))

    def called_behind(self, line: Line, last: int = 0, *, fewest: bool = False) -> tuple[Line, ...]:
        """Returns lines after `last` on which others call the function around a line; in most loops.

        Or in `fewest`. Without `last` the function and its callers must be accessors, which read and return; else none.
        """
        around = (node for node in self._root.of_type(FunctionDefinition) if self._holds(node, line))
        pending, done = {function_name(node) for node in around}, set(_MAINS)
        if not last:
            pending &= self._accessors
        found: list[tuple[int, Line]] = []
        while pending - done:
            calls = list(self._calls(frozenset(pending - done)))
            done |= pending
            places = [(call, *self.line(call)) for call in calls]
            over = [
                call
                for call, file, number in places
                if ((file != line[0] or number <= last) if last else self._function_of(call) in self._accessors)
            ]
            found += [(self._depth(call), self.line(call)) for call in calls if call not in over]
            pending = {self._function_of(call) for call in over}
        deepest = (min if fewest else max)((depth for depth, _ in found), default=0)
        return tuple(dict.fromkeys(at for depth, at in found if depth == deepest))

    def _holds(self, node: SyntaxNode, line: Line) -> bool:
        return line in self._lines[node.row : node.end_row + 1]

    @cached_property
    def outputs(self) -> frozenset[str]:
        """Returns names of the fragment shader's outputs."""
        found = {*BUILT_IN_OUTPUTS}
        for node in self._root.of_type(Declaration):
            if node.has_word("out"):
                found.update(self.text(child) for child in node.children if isinstance(child, Identifier))
        return frozenset(found)

    @cached_property
    def output_words(self) -> tuple[tuple[str, ...], ...]:
        """Returns the words of each declaration of outputs, such as `out`, `mediump`, `vec4`."""
        return tuple(words_of(node) for node in self._root.of_type(Declaration) if node.has_word("out"))

    def results(self, output: str = "") -> tuple[Line, ...]:
        """Returns the statements that give an output its value: any output, or the one of that name if it exists.

        Of a compute shader, those that write to a block or an image. Of a generated main, what `compute` returns. Where
        a variable, a parameter or the author's function has the value, the statement that sets it, but for sums.
        """
        if self._bound.writes:
            written = self._bound.writes
            kept = [written[output]] if output in written else written.values()
            return tuple(dict.fromkeys(self.line(node) for nodes in kept for node in nodes))
        names = {output} if output in self.outputs else self.outputs
        through = written_through(self._root, names)
        every = ((each, (self._function_of(each.value), each.variable)) for each in self.assignments())
        statements = [each for each, place in every if each.variable in names or place in through]
        if statements and all(each.line[0] == GENERATED for each in statements):
            returns = [node for node in self._root.of_type(ReturnStatement) if self._function_of(node) in _AUTHORED]
            authored = [self.line(node) for node in returns]
            lines = [line for line in authored if line[0] != GENERATED] or authored
            return tuple(dict.fromkeys(lines or [each.line for each in statements]))
        return tuple(dict.fromkeys(line for each in statements for line in self._made_of(each)))

    def _made_of(self, statement: AssignmentFound) -> list[Line]:
        right = statement.value
        if isinstance(right, ConditionalExpression):
            if self.text(right.consequence) in self.text(right.condition):  # a curve
                return [statement.line]
            right = right.consequence
        right = maker_of(self._root, right)
        returns = self.returns_of(right.name) if isinstance(right, FunctionCall) else ()
        return [*returns] or [self.line(right)]

    def assignments(self) -> tuple[AssignmentFound, ...]:
        """Returns every assignment and initialised declaration, in order."""
        found = []
        for node in self._root.walk():
            if isinstance(node, Assignment):
                found.append(self._found(node, node.left, node.operator, node.right))
            elif isinstance(node, InitDeclarator):
                found.append(self._found(node, node.declarator, "declared", node.value))
        return tuple(found)

    def _found(self, node: SyntaxNode, target: SyntaxNode, operator: str, value: SyntaxNode) -> AssignmentFound:
        return AssignmentFound(self.line(node), self._base(target), operator, self.text(node), self._depth(node), value)

    def summands(self) -> tuple[Line, ...]:
        """Returns lines that add something read, or computed by a function, to a sum; those within most loops."""
        found = [each for each in self.sums() if any(isinstance(node, FunctionCall) for node in each.value.walk())]
        authored = [each for each in found if each.line[0] != GENERATED] or found
        deepest = max((each.depth for each in authored), default=0)
        return tuple(each.line for each in authored if each.depth == deepest)

    def sums(self) -> tuple[AssignmentFound, ...]:
        """Returns assignments by += within a loop, which accumulate."""
        return tuple(each for each in self.assignments() if each.operator == "+=" and each.depth > 0)

    def kept(self) -> tuple[Line, ...]:
        """Returns assignments within functions to longer-lived variables, of more than a number; outputs excepted."""
        names: set[str] = set()
        for node in self._root.children:
            fixed = any(isinstance(each, TypeQualifier) or each.text in _FIXED for each in node.children)
            if isinstance(node, Declaration) and not fixed:
                names.update(self._base(declarator_in(each) or each) for each in node.declarators)
        found = [each for each in self.assignments() if not isinstance(each.value, NumberLiteral | BooleanLiteral)]
        return tuple(each.line for each in found if each.variable in names and self._function_of(each.value))

    def repeated(self, count: int) -> tuple[Line, ...]:
        """Returns the calls of a function that another one calls `count` times, outside loops; of macros, too."""
        calls: dict[tuple[str, str], list[Line]] = {}
        for call in self._root.of_type(FunctionCall):
            function, line = function_called(call), self.line(call)
            if function and line[0] != GENERATED and not self._depth(call):
                calls.setdefault((self._function_of(call), function), []).append(line)
        own = {function_name(node) for node in self._root.of_type(FunctionDefinition)}
        own |= {self.text(node.named_children[0]) for node in self._root.of_type(ParameterMacro)} | READS
        found = (lines for (_, name), lines in calls.items() if name in own and len(lines) == count > 1)
        return tuple(next(found, ()))

    def loops(self) -> tuple[LoopFound, ...]:
        """Returns every for loop, outermost first."""
        found = []
        for node in self._root.of_type(ForLoop):
            text = self.text(node.condition) if node.condition is not None else ""
            variable = next(names_in(node.initializer), "") if node.initializer is not None else ""
            found.append(LoopFound(self.line(node), text, variable, self._depth(node)))
        return tuple(found)

    def conditions(self) -> tuple[tuple[Line, str], ...]:
        """Returns line and text of the condition of every if and every ?:."""
        found = []
        for node in self._root.walk():
            if isinstance(node, IfStatement | ConditionalExpression):
                condition = node.condition
                if condition is not None:
                    found.append((self.line(condition), self.text(condition)))
        return tuple(found)

    def numbers(self, value: float) -> tuple[Line, ...]:
        """Returns lines with a literal of that value (to six digits), of either sign; floats before integers."""
        floats: list[Line] = []
        integers: list[Line] = []
        for node in self._root.of_type(NumberLiteral):
            text = self.text(node)
            number = _number(text)
            is_it = number is not None and math.isclose(number, abs(value), rel_tol=1e-6, abs_tol=1e-30)
            if is_it and not self._is_idle(node):
                (integers if text.rstrip("uU").isdigit() else floats).append(self.line(node))
        return tuple(dict.fromkeys(floats or integers))

    def _is_idle(self, number: SyntaxNode) -> bool:
        """Whether the number is the value of an unused variable."""
        declared = number.parent
        return isinstance(declared, InitDeclarator) and self._source.count(declared.declarator.text.encode()) == 1

    def settings(self, words: tuple[str, ...], value: float, ends: tuple[str, ...] = ()) -> tuple[Line, ...]:
        """Returns lines that declare a variable with one of `words` in its name, and no `ends` last, as that number.

        Case does not matter.
        """
        found = []
        for each in self.assignments():
            is_number = each.operator == "declared" and isinstance(each.value, NumberLiteral)
            name = each.variable.lower()
            is_meant = any(word in name for word in words) and not name.endswith(ends)
            if is_number and is_meant and _number(self.text(each.value)) == value:
                found.append(each.line)
        return tuple(found)

    def contains(self, text: str) -> bool:
        """Reports whether that exact text is in the shader."""
        return text.strip().encode() in self._source

    def returns(self) -> tuple[Line, ...]:
        """Returns every return statement."""
        return tuple(self.line(node) for node in self._root.of_type(ReturnStatement))

    def calls(self, *names: str) -> tuple[Line, ...]:
        """Returns lines on which one of those functions is called."""
        return tuple(dict.fromkeys(self.line(node) for node in self._calls(frozenset(names))))

    def mentions(self, word: str) -> tuple[Line, ...]:
        """Returns lines with that identifier, its declaration first."""
        return tuple(
            dict.fromkeys(self.line(node) for node in self._root.of_type(Identifier) if self.text(node) == word)
        )

    def operators(self, *symbols: str) -> tuple[Line, ...]:
        """Returns lines with one of those binary operators."""
        found = []
        for node in self._root.of_type(BinaryExpression):
            if node.operator in symbols:
                found.append(self.line(node))
        return tuple(dict.fromkeys(found))

    def every(self, kind: type[SyntaxNode]) -> tuple[tuple[Line, str], ...]:
        """Yields line and text of every node of a class."""
        return tuple((self.line(node), self.text(node)) for node in self._root.of_type(kind))

    def passed(self, uniform: str) -> tuple[Line, ...]:
        """Returns lines where one of the author's functions gets the sampler."""
        found = []
        for call in self._root.of_type(FunctionCall):
            function = function_called(call)
            authored = function and function not in READS | OTHER_READS
            if authored and any(self.text(each) == uniform for each in call.arguments):
                found.append(self.line(call))
        return tuple(dict.fromkeys(found))

    def precisions(self) -> tuple[Line, ...]:
        """Returns lines that declare a default precision."""
        return tuple(self.line(node) for node in self._root.of_type(Declaration) if node.has_word("precision"))

    def discards(self) -> tuple[Line, ...]:
        """Returns lines that discard the fragment."""
        words = (node for node in self._root.walk() if not node.children and self.text(node) == "discard")
        return tuple(dict.fromkeys(self.line(node) for node in words))

    def returns_of(self, function: str) -> tuple[Line, ...]:
        """Returns the return statements of one function."""
        return tuple(
            self.line(node) for node in self._root.of_type(ReturnStatement) if self._function_of(node) == function
        )

    def _passed(self, uniform: str) -> list[Line]:
        """Yields reads in functions that get the sampler as an argument."""
        found: list[Line] = []
        for call in self._root.of_type(FunctionCall):
            name = function_called(call)
            if not name or name in READS | OTHER_READS:
                continue
            if any(self.text(each) == uniform for each in call.arguments):
                found.extend(
                    self.line(read) for read in self._calls(READS | OTHER_READS) if self._function_of(read) == name
                )
        return found

    def _calls(self, names: frozenset[str]) -> Iterator[FunctionCall]:
        return (node for node in self._root.of_type(FunctionCall) if function_called(node) in names)

    def _function_of(self, node: SyntaxNode) -> str:
        return name_around(node)

    def _base(self, node: SyntaxNode) -> str:
        """Returns the variable behind `a`, `a.x`, `a[i]`."""
        while isinstance(node, FieldAccess | Subscript | ArrayDeclarator):
            node = node.declarator if isinstance(node, ArrayDeclarator) else node.argument
        return self.text(node)

    def _depth(self, node: SyntaxNode) -> int:
        return sum(isinstance(each, _LOOPS) for each in node.ancestors())


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("fFlLuU"))
    except ValueError:
        return None
