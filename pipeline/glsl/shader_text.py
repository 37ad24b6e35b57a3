"""Questions to a shader's syntax tree: on which line a value is read, summed up, written, or written out as a number.

Lines are those that the author knows: (file, 1-based line), as `pipeline.glsl.lines.line_map` tells.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property

import tree_sitter

from texelscope.pipeline.glsl.block_text import accesses
from texelscope.pipeline.glsl.lines import GENERATED, Line, line_map
from texelscope.pipeline.glsl.syntax import (
    OTHER_READS,
    READS,
    ForLoop,
    Statement,
    accessors,
    function_around,
    function_called,
    function_name,
    maker_of,
    parents,
    parse,
    walk,
    without_precisions,
)
from texelscope.pipeline.plan import ProgramSource

_BUILT_IN_OUTPUTS = frozenset({"gl_FragColor", "gl_FragData"})
# What a generated main calls: the author's function is where the value is made.
_AUTHORED = frozenset({"compute", "compute4", "compute_here"})
_MAINS = _AUTHORED | {"main"}
_LOOPS = frozenset({"for_statement", "while_statement", "do_statement"})


class ShaderText:
    """The parsed fragment shader of a pass."""

    def __init__(self, program: ProgramSource) -> None:
        self._source = program.fragment.encode()
        self._lines = line_map(program)
        self._root = parse(without_precisions(self._source))
        self._bound = accesses(self._root)
        self._accessors = accessors(self._root)

    def line(self, node: tree_sitter.Node) -> Line:
        """Where the node starts."""
        return self._lines[node.start_point[0]]

    def text(self, node: tree_sitter.Node) -> str:
        """The node's text."""
        return self._source[node.start_byte : node.end_byte].decode()

    def reads(self, uniform: str) -> tuple[Line, ...]:
        """Where the sampler is read: by a built-in, at the author's calls of a generated accessor of it.

        Of a storage block, or an image: where its elements are read.
        """
        if uniform in self._bound.reads:
            return tuple(dict.fromkeys(map(self.line, self._bound.reads[uniform])))
        found: dict[Line, None] = {}
        pending = [(READS | OTHER_READS, uniform)]
        done: set[str] = set()
        while pending:
            names, argument = pending.pop()
            for call in self._calls(names):
                if argument and not any(self.text(each) == argument for each in self._arguments(call)):
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
        """Where what the sampler holds is asked for: reads of it, calls of functions that read; in most loops."""
        found: list[tuple[int, Line]] = []
        calls = [call for call in self._of("call_expression") if uniform in map(self.text, self._arguments(call))]
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
        """Where the function around a line is called, by others before line `last` too, behind it; in most loops.

        Or in `fewest`. Without `last` the function and those others are accessors, which read and return; else nowhere.
        """
        around = (node for node in self._of("function_definition") if self._holds(node, line))
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

    def _holds(self, node: tree_sitter.Node, line: Line) -> bool:
        return line in self._lines[node.start_point[0] : node.end_point[0] + 1]

    @cached_property
    def outputs(self) -> frozenset[str]:
        """Names of the fragment shader's outputs."""
        found = set(_BUILT_IN_OUTPUTS)
        for node in self._of("declaration"):
            if any(child.type == "out" for child in node.children):
                found.update(self.text(child) for child in node.children if child.type == "identifier")
        return frozenset(found)

    def results(self, output: str = "") -> tuple[Line, ...]:
        """The statements that give an output its value: any, or the one of that name if there is one.

        Of a compute shader, those that write to a block or an image. Of a generated main, what `compute` returns. Where
        the output is a variable, a parameter or the result of one of the author's functions, the statement that gives
        that its value, unless it is a running sum.
        """
        if self._bound.writes:
            written = self._bound.writes
            kept = [written[output]] if output in written else written.values()
            return tuple(dict.fromkeys(self.line(node) for nodes in kept for node in nodes))
        names = {output} if output in self.outputs else self.outputs
        statements = [each for each in self.assignments() if each.variable in names]
        if statements and all(each.line[0] == GENERATED for each in statements):
            returns = [node for node in self._of("return_statement") if self._function_of(node) in _AUTHORED]
            authored = [self.line(node) for node in returns]
            lines = [line for line in authored if line[0] != GENERATED] or authored
            return tuple(dict.fromkeys(lines or [each.line for each in statements]))
        return tuple(dict.fromkeys(line for each in statements for line in self._made_of(each)))

    def _made_of(self, statement: Statement) -> list[Line]:
        right = statement.value
        if right is None:
            return [statement.line]
        if right.type == "conditional_expression":
            chosen, condition = right.child_by_field_name("consequence"), right.child_by_field_name("condition")
            is_curve = chosen is not None and condition is not None and self.text(chosen) in self.text(condition)
            if chosen is None or is_curve:
                return [statement.line]
            right = chosen
        right = maker_of(self._root, right)
        if right.type == "call_expression":
            name = function_called(right)
            returns = [self.line(node) for node in self._of("return_statement") if self._function_of(node) == name]
            if returns:
                return returns
        return [self.line(right)]

    def assignments(self) -> tuple[Statement, ...]:
        """Every assignment and initialised declaration, in order."""
        found = []
        for node in walk(self._root):
            if node.type == "assignment_expression":
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                if left is None or right is None:
                    continue
                operator = next((child.type for child in node.children if child.type.endswith("=")), "=")
                found.append(
                    Statement(self.line(node), self._base(left), operator, self.text(node), self._depth(node), right)
                )
            elif node.type == "init_declarator":
                name = node.child_by_field_name("declarator")
                if name is not None:
                    value = node.child_by_field_name("value")
                    found.append(
                        Statement(
                            self.line(node), self._base(name), "declared", self.text(node), self._depth(node), value
                        )
                    )
        return tuple(found)

    def summands(self) -> tuple[Line, ...]:
        """Lines that add something read, or computed by a function, to a sum; those within most loops."""
        found = [
            each
            for each in self.sums()
            if each.value is not None and any(node.type == "call_expression" for node in walk(each.value))
        ]
        authored = [each for each in found if each.line[0] != GENERATED] or found
        deepest = max((each.depth for each in authored), default=0)
        return tuple(each.line for each in authored if each.depth == deepest)

    def sums(self) -> tuple[Statement, ...]:
        """Assignments by += within a loop: accumulators at work."""
        return tuple(each for each in self.assignments() if each.operator == "+=" and each.depth > 0)

    def kept(self) -> tuple[Line, ...]:
        """Assignments within functions to variables that live longer, of more than a number; outputs excepted."""
        names: set[str] = set()
        for node in self._root.children:
            fixed = any(child.type in ("uniform", "const", "in", "out", "type_qualifier") for child in node.children)
            if node.type == "declaration" and not fixed:
                declarators = node.children_by_field_name("declarator")
                names.update(self._base(each.child_by_field_name("declarator") or each) for each in declarators)
        literals = ("number_literal", "true", "false")
        found = [each for each in self.assignments() if each.value is not None and each.value.type not in literals]
        return tuple(
            each.line
            for each in found
            if each.variable in names and each.value is not None and self._function_of(each.value)
        )

    def repeated(self, count: int) -> tuple[Line, ...]:
        """The calls of a function that another one calls `count` times, in no loop; of macros, too."""
        calls: dict[tuple[str, str], list[Line]] = {}
        for call in self._of("call_expression"):
            function, line = function_called(call), self.line(call)
            if function and line[0] != GENERATED and not self._depth(call):
                calls.setdefault((self._function_of(call), function), []).append(line)
        own = {function_name(node) for node in self._of("function_definition")}
        own |= {self.text(node.named_children[0]) for node in self._of("preproc_function_def")} | READS
        found = (lines for (_, name), lines in calls.items() if name in own and len(lines) == count > 1)
        return tuple(next(found, ()))

    def start_of(self, variable: str) -> Line | None:
        """Where a variable gets its first value."""
        starts = [
            each for each in self.assignments() if each.variable == variable and each.operator in ("declared", "=")
        ]
        return starts[0].line if starts else None

    def loops(self) -> tuple[ForLoop, ...]:
        """Every for loop, outermost first."""
        found = []
        for node in self._of("for_statement"):
            condition = node.child_by_field_name("condition")
            text = self.text(condition) if condition is not None else ""
            initial = node.child_by_field_name("initializer")
            names = [self.text(each) for each in walk(initial) if each.type == "identifier"] if initial else []
            found.append(ForLoop(self.line(node), text, names[0] if names else "", self._depth(node)))
        return tuple(found)

    def conditions(self) -> tuple[tuple[Line, str], ...]:
        """Line and text of the condition of every if and every ?:."""
        found = []
        for node in walk(self._root):
            if node.type in ("if_statement", "conditional_expression"):
                condition = node.child_by_field_name("condition")
                if condition is not None:
                    found.append((self.line(condition), self.text(condition)))
        return tuple(found)

    def numbers(self, value: float) -> tuple[Line, ...]:
        """Lines with a literal of that value (to six digits), whatever its sign; floats before integers."""
        floats: list[Line] = []
        integers: list[Line] = []
        for node in self._of("number_literal"):
            text = self.text(node)
            number = _number(text)
            is_it = number is not None and math.isclose(number, abs(value), rel_tol=1e-6, abs_tol=1e-30)
            if is_it and not self._is_idle(node):
                (integers if text.rstrip("uU").isdigit() else floats).append(self.line(node))
        return tuple(dict.fromkeys(floats or integers))

    def _is_idle(self, number: tree_sitter.Node) -> bool:
        """Whether the number is the value of a variable that nothing uses."""
        declared = number.parent
        if declared is None or declared.type != "init_declarator":
            return False
        name = declared.child_by_field_name("declarator")
        return name is not None and self._source.count(name.text or b"") == 1

    def settings(self, words: tuple[str, ...], value: float, ends: tuple[str, ...] = ()) -> tuple[Line, ...]:
        """Lines that declare a variable with one of `words` in its name, and none of `ends` at its end, as that number.

        In any case.
        """
        found = []
        for each in self.assignments():
            is_number = each.operator == "declared" and each.value is not None and each.value.type == "number_literal"
            name = each.variable.lower()
            if is_number and any(word in name for word in words) and not name.endswith(ends):
                assert each.value is not None
                if _number(self.text(each.value)) == value:
                    found.append(each.line)
        return tuple(found)

    def contains(self, text: str) -> bool:
        """Whether that very text stands in the shader."""
        return text.strip().encode() in self._source

    def returns(self) -> tuple[Line, ...]:
        """Every return statement."""
        return tuple(self.line(node) for node in self._of("return_statement"))

    def calls(self, *names: str) -> tuple[Line, ...]:
        """Lines on which one of those functions is called."""
        return tuple(dict.fromkeys(self.line(node) for node in self._calls(frozenset(names))))

    def mentions(self, word: str) -> tuple[Line, ...]:
        """Lines with that identifier, its declaration first."""
        return tuple(dict.fromkeys(self.line(node) for node in self._of("identifier") if self.text(node) == word))

    def operators(self, *symbols: str) -> tuple[Line, ...]:
        """Lines with one of those binary operators."""
        found = []
        for node in self._of("binary_expression"):
            if any(child.type in symbols for child in node.children):
                found.append(self.line(node))
        return tuple(dict.fromkeys(found))

    def expressions(self, kind: str) -> tuple[tuple[Line, str], ...]:
        """Line and text of every node of a kind that the grammar names."""
        return tuple((self.line(node), self.text(node)) for node in self._of(kind))

    def passed(self, uniform: str) -> tuple[Line, ...]:
        """Where the sampler is handed to one of the author's functions."""
        found = []
        for call in self._of("call_expression"):
            function = function_called(call)
            authored = function and function not in READS | OTHER_READS
            if authored and any(self.text(each) == uniform for each in self._arguments(call)):
                found.append(self.line(call))
        return tuple(dict.fromkeys(found))

    def precisions(self) -> tuple[Line, ...]:
        """Lines that declare a default precision."""
        declarations = (
            node for node in self._of("declaration") if node.children and node.children[0].type == "precision"
        )
        return tuple(self.line(node) for node in declarations)

    def discards(self) -> tuple[Line, ...]:
        """Lines that discard the fragment."""
        words = (node for node in walk(self._root) if not node.children and self.text(node) == "discard")
        return tuple(dict.fromkeys(self.line(node) for node in words))

    def returns_of(self, function: str) -> tuple[Line, ...]:
        """The return statements of one function."""
        return tuple(self.line(node) for node in self._of("return_statement") if self._function_of(node) == function)

    def _passed(self, uniform: str) -> list[Line]:
        """Reads in functions that get the sampler as an argument."""
        found: list[Line] = []
        for call in self._of("call_expression"):
            name = function_called(call)
            if not name or name in READS | OTHER_READS:
                continue
            if any(self.text(each) == uniform for each in self._arguments(call)):
                found.extend(
                    self.line(read) for read in self._calls(READS | OTHER_READS) if self._function_of(read) == name
                )
        return found

    def _calls(self, names: frozenset[str]) -> Iterator[tree_sitter.Node]:
        return (node for node in self._of("call_expression") if function_called(node) in names)

    def _arguments(self, call: tree_sitter.Node) -> list[tree_sitter.Node]:
        arguments = call.child_by_field_name("arguments")
        return arguments.named_children if arguments is not None else []

    def _function_of(self, node: tree_sitter.Node) -> str:
        return function_name(function_around(node))

    def _base(self, node: tree_sitter.Node) -> str:
        """The variable behind `a`, `a.x`, `a[i]`."""
        current: tree_sitter.Node | None = node
        while current is not None and current.type in ("field_expression", "subscript_expression", "array_declarator"):
            current = current.child_by_field_name("argument") or current.child_by_field_name("declarator")
        return self.text(current) if current is not None else ""

    def _depth(self, node: tree_sitter.Node) -> int:
        return sum(each.type in _LOOPS for each in parents(node))

    def _of(self, kind: str) -> Iterator[tree_sitter.Node]:
        return (node for node in walk(self._root) if node.type == kind)


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("fFlLuU"))
    except ValueError:
        return None
