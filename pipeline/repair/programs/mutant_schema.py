"""Builds mutant schemata: one program that runs any of many mutations, or any two, chosen by a uniform.

All of them cost a single compilation. `x + 1.0` becomes `(texelscope_is(7) ? (x) : (x + 1.0))`, and a statement `if
(texelscope_is(8)) { … } else { … }`. Expressions that GLSL requires to be constant are left alone or made variables.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from texelscope.pipeline.gl.dispatching.held import shares_memory
from texelscope.pipeline.glsl.lines import Line, behind_head, line_map
from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    FieldAccess,
    FunctionCall,
    Identifier,
    Subscript,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.macro_bodies import macros_of
from texelscope.pipeline.glsl.semantics.parsing import calls_as_constructors, constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.questions import function_around, function_called
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statement_macros import statement_macros_of
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    CaseLabel,
    ConditionalDirective,
    Declaration,
    ElifDirective,
    FunctionDeclarator,
    FunctionDefinition,
    InitDeclarator,
    LayoutQualifier,
    ParameterDeclaration,
    ParameterMacro,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, scalar_of
from texelscope.pipeline.glsl.source_text import Edits, is_es
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.repair.operators.place import ExpectedNumbers
from texelscope.pipeline.repair.programs.barriers import BarrierPlaces, barriers_put_in
from texelscope.pipeline.repair.programs.mutating import Mutating
from texelscope.pipeline.repair.programs.schema_text import (
    AMONG,
    HEAD_OF_TURNS,
    IS,
    NUMBER_OF,
    Available,
    CompileCosts,
    closed,
    count,
    opened,
)
from texelscope.pipeline.repair.text.mutable_text import LOOSE, as_macros, hanging, loosened, offsets_of, outputs_of
from texelscope.pipeline.repair.text.mutation import EXPRESSIONS, LOOPS, Mutation, is_level, rank_of
from texelscope.pipeline.repair.text.patch import of_lines

# The uniform that chooses up to two mutations, and the one with their numbers, two each; 0 chooses none.
CHOICE, NUMBERS = "u_texelscope_edit", "u_texelscope_numbers"
_HEAD = (
    f"uniform highp ivec2 {CHOICE};",
    f"uniform highp vec4 {NUMBERS};",
    f"bool {IS}(highp int n) {{ return {CHOICE}.x == n || {CHOICE}.y == n; }}",
    f"bool {AMONG}(highp int a, highp int b) {{"
    f" return ({CHOICE}.x >= a && {CHOICE}.x <= b) || ({CHOICE}.y >= a && {CHOICE}.y <= b); }}",
    f"highp vec2 {NUMBER_OF}(highp int n) {{ return {CHOICE}.x == n ? {NUMBERS}.xy : {NUMBERS}.zw; }}",
    *HEAD_OF_TURNS,
)
# Mutation operators that replace statements.
_WHOLE = frozenset({"statement", "barrier", "left out"})
# A hostile text could have any number of them.
_MOST_EDITS = 40_000
_MOST_VARIABLES = 600
# The part of a node that is a value, where another part is a name.
# In what an expression is a name that is declared or changed, and no value.
_NAMING = (ParameterDeclaration, Declaration, FunctionDeclarator, UpdateExpression)
_CONSTANT = (ArrayDeclarator, LayoutQualifier)


@dataclass(frozen=True)
class Mutant:
    """A mutation: a proposal with its author's line, and its number in the schema that runs it.

    `compile_cost` is roughly how many operations it adds to the schema. `is_setting`: it changes the value of a
    constant outside all functions. `beside` are its changes at other places, with the same numbers. `is_address` is
    true for an address, false for a float that is neither an address nor a read, else None.
    """

    line: Line
    proposal: Mutation
    number: int
    compile_cost: int
    is_setting: bool = False
    beside: tuple[Mutation, ...] = ()
    is_address: bool | None = None

    @property
    def places(self) -> tuple[Mutation, ...]:
        """Returns all its changes."""
        return (self.proposal, *self.beside)


# A proposal on its line, with the weight and the other fields of a mutation except its number.
_Placed = tuple[Line, Mutation, int, bool, bool | None]


@dataclass(frozen=True)
class MutantSchema:
    """A program in which `CHOICE` chooses one of `edits`."""

    program: ProgramSource
    edits: tuple[Mutant, ...]


class MutableProgram:
    """A parsed shader with its mutable places."""

    def __init__(self, program: ProgramSource, lines: Sequence[Line] | None = None) -> None:
        """`lines` are the author's lines, if the text itself does not give them."""
        self._program = program
        self._source = program.fragment.encode()
        self._idioms = statement_macros_of(self._source)
        self._root = parse(constructors_as_calls(self._idioms.text))
        self._types = Types(self._root)
        self._weights = CompileCosts(self._root)
        self._lines = line_map(program) if lines is None else lines
        self._scope = NameScope(self._root, self._types, self._idioms.declared)
        source = constructors_as_calls(self._source).decode()
        self._macros = tuple(macros_of(self._root, source, self._types, self._scope))
        self._unfixed, self._hanging = loosened(self._root), hanging(self._root)
        self._offsets = offsets_of(self._root, ((each.expression, each.shift) for each in self._macros))
        self._as_macros = as_macros(self._root) if is_es(program.fragment) else {}
        self._outputs = outputs_of(program.fragment)
        self._available = Available(program.fragment)
        self._barriers = BarrierPlaces(self._root) if shares_memory(program.fragment) else None
        self._mutating = Mutating(program.fragment, self._root, self._macros, self._types, self._scope)

    def edits(
        self,
        numbers: tuple[float, ...],
        sizes: tuple[float, ...] = (),
        rows: Sequence[tuple[float, ...]] = (),
        scalars: tuple[float, ...] = (),
    ) -> tuple[Mutant, ...]:
        """Returns every single mutation that has a type, in text order, numbered from 1; see `proposals`.

        `rows` are those of the model's constants, as vectors, `scalars` its constants of one element.
        """
        expected = ExpectedNumbers(numbers, sizes, tuple(rows), scalars)
        found: list[_Placed] = []
        for node in self._root.walk():
            if len(found) > _MOST_EDITS:
                break
            line = self._lines[node.row]
            if isinstance(node, EXPRESSIONS) and self._is_free(node):
                is_setting = function_around(node) is None
                made = self._available.said(
                    self._mutating.of_expression(node, expected), scalar_of(self._types.of(node))
                )
                is_address = None if is_setting else self._is_address(node)
                found.extend((line, each, self._weight(node, each), is_setting, is_address) for each in made)
                continue
            for scalar, mutation in self._mutating.of_statement(node):
                for each in self._available.said((mutation,), scalar):
                    found.append((line, each, self._weight(node, each), False, None))
        found += self._of_macros(expected)
        for node, each in self._mutating.of_functions():
            found.append((self._lines[node.row], each, self._weight(node, each), False, None))
        if self._barriers is not None:
            found = [each for each in found if _is_allowed(each[1], self._barriers)]
            for node, new in barriers_put_in(self._root):
                each = Mutation(node.start_byte, node.end_byte, node.text, new, "barrier", new)
                found.append((self._lines[node.row], each, self._weight(node, each), False, None))
        found = [each for each in found if not self._idioms.hides(each[1].start, each[1].stop)]
        branches: dict[tuple[int, int, str], int] = {}
        singles = [
            Mutant(
                line,
                self._as_written(each),
                branches.setdefault((*each.place, each.template), len(branches) + 1),
                compile_cost,
                is_setting,
                is_address=is_address,
            )
            for line, each, compile_cost, is_setting, is_address in found
        ]
        return (*singles, *self._of_places(len(branches) + 1, expected))

    def variables(self) -> tuple[Mutant, ...]:
        """Returns mutations with an unknown number, numbered from 1, other numbers first."""
        found = [(each, node, line, shift, uses) for node, line, shift, uses in self._expressions(of_text=True)
                 for each in self._mutating.with_unknown_numbers(node)]  # fmt: skip
        found.sort(key=lambda each: (rank_of(each[0]), any(isinstance(outer, LOOPS) for outer in each[1].ancestors())))
        return tuple(
            Mutant(line, self._as_written(each.moved(shift)), number, uses * self._weight(node, each))
            for number, (each, node, line, shift, uses) in enumerate(found[:_MOST_VARIABLES], 1)
        )

    def _expressions(self, *, of_text: bool) -> Iterator[tuple[SyntaxNode, Line, int, int]]:
        """Yields mutable expressions with their line, their offset in bytes, and how often they are used."""
        for node in self._root.walk() if of_text else ():
            if isinstance(node, EXPRESSIONS) and self._is_free(node):
                yield node, self._lines[node.row], 0, 1
        for macro in self._macros:
            for node in macro.expression.walk():
                if isinstance(node, EXPRESSIONS) and self._is_free(node):
                    yield node, self._lines[macro.line], macro.shift, macro.uses

    def _of_macros(self, expected: ExpectedNumbers) -> Iterator[_Placed]:
        for node, line, shift, uses in self._expressions(of_text=False):
            own = self._mutating.of_expression(node, expected)
            is_address = self._is_address(node)
            for each in self._available.said(own, scalar_of(self._types.of(node))):
                yield line, each.moved(shift), uses * self._weight(node, each), False, is_address

    def _is_address(self, node: SyntaxNode) -> bool | None:
        """Returns `Mutant.is_address` of an expression."""
        if self._mutating.is_address(node):
            return True
        is_read_off = isinstance(node, FunctionCall | Subscript | FieldAccess)
        return False if scalar_of(self._types.of(node)) == "float" and not is_read_off else None

    def _of_places(self, first: int, expected: ExpectedNumbers) -> Iterator[Mutant]:
        """Yields mutations of several places, numbered from `first`."""
        free = tuple(node for node in self._root.of_type(*EXPRESSIONS) if self._is_free(node))
        every = self._mutating.of_places(expected, free)
        barriers = self._barriers
        for number, places in enumerate(every, first):
            are_free = all(
                not self._idioms.hides(each.start, each.stop) and (each.kind in _WHOLE or self._is_free(node))
                for node, each in places
            )
            if are_free and (barriers is None or all(_is_allowed(each, barriers) for _, each in places)):
                compile_cost = sum(self._weight(node, each) for node, each in places)
                one, *others = (self._as_written(each) for _, each in places)
                line = self._lines[self._source.count(b"\n", 0, one.start)]
                yield Mutant(line, one, number, compile_cost, beside=tuple(others))

    def behind(self, lines: Sequence[Line]) -> tuple[Line, ...]:
        """Returns some lines, and those of functions and macros called there, and so on."""
        functions = {node.name: node for node in self._root.of_type(FunctionDefinition, ParameterMacro)}
        calls = list(self._root.of_type(FunctionCall))
        found = dict.fromkeys(lines)
        pending = [function_called(call) for call in calls if self._lines[call.row] in found]
        while pending:
            function = functions.pop(pending.pop(), None)
            if function is not None:
                found.update(dict.fromkeys(self._lines[function.row : function.end_row + 1]))
                pending += [function_called(call) for call in function.of_type(FunctionCall)]
        return tuple(found)

    def _weight(self, node: SyntaxNode, proposal: Mutation) -> int:
        return self._weights.of(node, proposal.template)

    def schemata(self, edits: Sequence[Mutant]) -> MutantSchema:
        """Returns the schema in which each of `edits` can be chosen by its number."""
        of: dict[tuple[int, int], dict[int, Mutation]] = {}
        for edit in edits:
            for place in edit.places:
                of.setdefault(place.place, {})[edit.number] = place
        made = Edits()
        every = {edit.number for edit in edits}
        templates = {place: {number: each.template for number, each in some.items()} for place, some in of.items()}
        whole = {place: next(iter(some.values())).kind in _WHOLE for place, some in of.items()}
        # Of nested places the outer one opens first and closes last.
        for span in sorted(of, key=lambda span: (span[0], -span[1])):
            made.insert(span[0], opened(templates[span], every, is_statement=whole[span]))
        for span in sorted(of, key=lambda span: (span[1], -span[0])):
            made.insert(span[1], closed(templates[span], every, is_statement=whole[span]))
        touched = {start for start, _ in of}
        if any(start <= at < each.stop for start, each in self._as_macros.items() for at in touched):
            for start, each in self._as_macros.items():
                each.insert_into(made, start)
        freed = [self._hanging[start] for start, (_, stop) in self._unfixed.items()
                 if start not in self._as_macros and any(start <= place < stop for place in touched)]  # fmt: skip
        for start in frozenset().union(*freed) - {*self._as_macros}:
            made.insert(start, "/*")
            made.insert(self._unfixed[start][0], "*/")
        is_loose = bool(freed) or self._offsets.are_in(touched)
        for start in self._offsets.reads if is_loose else ():
            made.insert(start, LOOSE, (1,))
        for root, shift in ((self._root, 0), *((macro.expression, macro.shift) for macro in self._macros)):
            for node in root.of_type(*LOOPS):
                is_round = self._barriers is not None and not shift and node.start_byte in self._barriers.loops
                count(node, shift, made, is_round=is_round)
        head = (*self._outputs.head, *_HEAD, *(self._offsets.lines if is_loose else ()))
        text = behind_head(made.apply(self._source), *head) + self._outputs.behind
        return MutantSchema(dataclasses.replace(self._program, fragment=text), tuple(edits))

    def edited(self, edits: Sequence[Mutant]) -> str:
        """Returns the shader with `edits` applied, the last of overlapping ones; its number of lines stays."""
        source, end = self._source, len(self._source)
        for each in sorted((each for edit in edits for each in edit.places), key=lambda each: -each.start):
            if each.stop <= end:
                new = of_lines(each.new, each.old.count("\n"))
                source = source[: each.start] + new.encode() + source[each.stop :]
                end = each.start
        return source.decode()

    def after(self, edit: Mutant) -> MutableProgram:
        """Returns the text with an edit applied, for further edits."""
        return MutableProgram(dataclasses.replace(self._program, fragment=self.edited((edit,))), self._lines)

    def _as_written(self, proposal: Mutation) -> Mutation:
        """Restores the capitals that the parser's text changes."""
        new, template = calls_as_constructors(proposal.new), calls_as_constructors(proposal.template)
        if (calls_as_constructors(proposal.old), new, template) == (proposal.old, proposal.new, proposal.template):
            return proposal
        old = self._source[proposal.start : proposal.stop].decode()
        return dataclasses.replace(proposal, old=old, new=new, template=template)

    def _is_free(self, node: SyntaxNode) -> bool:
        """Whether an expression may be computed as the shader runs."""
        parent = node.parent
        if node.has_error or parent is None or is_level(node) or self._is_passed_by_reference(node):
            return False
        if isinstance(parent, _NAMING) or (isinstance(parent, FieldAccess) and parent.argument is not node):
            return False
        if isinstance(parent, InitDeclarator) and parent.value is not node:
            return False
        if isinstance(parent, FunctionCall) and parent.callee is node:
            return False
        inside, inner = False, node
        for each in node.ancestors():
            if isinstance(each, _CONSTANT) or (isinstance(each, Declaration) and self._is_fixed(each)):
                return False
            if isinstance(each, CaseLabel) and inner == each.value:
                return False
            if isinstance(each, ConditionalDirective | ElifDirective) and each.asked is inner:
                return False
            around, inner = each.parent, each
            if isinstance(each, Subscript) and around is not None and isinstance(around, FunctionCall):
                return False  # the size in an array's constructor
            inside = inside or isinstance(each, InitDeclarator)
            if isinstance(each, FunctionDefinition):
                return True
        return inside

    def _is_passed_by_reference(self, node: SyntaxNode) -> bool:
        """Whether it is a whole argument that a function may write, or that is no value: a sampler, an array."""
        if not isinstance(node, Identifier | FieldAccess | Subscript):
            return False
        if not scalar_of(self._types.of(node)):
            return True
        around = node.parent
        if around is None or not isinstance(around, ArgumentList) or around.parent is None:
            return False
        written = self._written.get(function_called(around.parent), frozenset())
        return any(node == given for place, given in enumerate(around.named_children) if place in written)

    @cached_property
    def _written(self) -> Mapping[str, frozenset[int]]:
        """Returns which parameters each function writes."""
        found = {name: frozenset({1}) for name in ("modf", "frexp")}
        for function in self._root.of_type(FunctionDefinition):
            places = (place for place, each in enumerate(function.parameters) if {"out", "inout"} & {*each.words})
            found[function.name] = found.get(function.name, frozenset()) | {*places}
        return found

    def _is_fixed(self, declaration: SyntaxNode) -> bool:
        """Whether a declaration's value has to be a constant."""
        if declaration.has_word("uniform") or declaration.has_word("in"):
            return True
        is_outside = not any(isinstance(each, FunctionDefinition) for each in declaration.ancestors())
        if is_outside and is_es(self._program.fragment):
            return declaration.start_byte not in self._as_macros
        constant = declaration.has_word("const")
        return constant and not any(start >= declaration.start_byte and stop <= declaration.end_byte
                                    for start, (_, stop) in self._unfixed.items())  # fmt: skip


def _is_allowed(proposal: Mutation, barriers: BarrierPlaces) -> bool:
    return barriers.allows(proposal.start, proposal.old, proposal.new, is_statement=proposal.kind in _WHOLE)
