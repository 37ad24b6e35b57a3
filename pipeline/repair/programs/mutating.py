"""Makes all mutations of a shader's text, place by place, with the operators of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from texelscope.pipeline.glsl.semantics.macro_bodies import Macro
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import CompoundStatement, FunctionDefinition, Preprocessor
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types
from texelscope.pipeline.repair.operators.catalogue.registry import all_operators
from texelscope.pipeline.repair.operators.operator import TrialStage
from texelscope.pipeline.repair.operators.place import ExpectedNumbers, Place, Shader
from texelscope.pipeline.repair.text.mutation import Mutation, Places


class Mutating:
    """Makes the mutations of one parsed shader. What is made twice is tried once."""

    def __init__(self, source: str, root: SyntaxNode, macros: Sequence[Macro], types: Types, scope: NameScope) -> None:
        self._catalogue = all_operators()
        self._shader = Shader(source, root, macros, types, scope)

    def is_address(self, node: SyntaxNode) -> bool:
        """Whether an expression is an address, or a part of one."""
        return self._shader.addresses.has(node)

    def of_expression(self, node: SyntaxNode, expected: ExpectedNumbers) -> Iterator[Mutation]:
        """Yields the mutations of an expression that is computed as the shader runs."""
        at, seen, taken = Place(node, self._shader, expected), set[object](), dict[TrialStage, bool]()
        for operator in self._catalogue.of_expression(node):
            stage = operator.stage
            if stage is TrialStage.UNKNOWN:
                continue
            if stage not in taken:
                taken[stage] = stage.takes(at)
            if not taken[stage] or not operator.takes(at):
                continue
            for made in operator.mutants(at):
                each = operator.mutation(at, made)
                is_index = stage is TrialStage.INDICES  # few are tried early: the first of two alike counts
                key = stage, (each.new, each.values[0]) if is_index else each.template
                # Of a single change that is shown without parentheses what the schema runs counts.
                if key in seen or each.old == (each.template if stage is TrialStage.SINGLE else each.new):
                    continue
                if stage.looks.is_once and (is_index or isinstance(made, str)):
                    seen.add(key)
                yield each

    def with_unknown_numbers(self, node: SyntaxNode) -> Iterator[Mutation]:
        """Yields the mutations that put an unknown number into an expression."""
        at = Place(node, self._shader, ExpectedNumbers())
        for operator in self._catalogue.of_expression(node):
            if operator.stage is TrialStage.UNKNOWN and operator.stage.takes(at) and operator.takes(at):
                yield from (operator.mutation(at, made) for made in operator.mutants(at))

    def of_statement(self, node: SyntaxNode) -> Iterator[tuple[str, Mutation]]:
        """Yields the mutations of a statement, each with the scalar type of what it inserts."""
        operators = self._catalogue.of_statement(node)
        if not operators or node.has_error:
            return
        at, seen = Place(node, self._shader, ExpectedNumbers()), set[Mutation]()
        for operator in operators:
            for made in operator.mutants(at) if operator.stage.takes(at) and operator.takes(at) else ():
                each = operator.mutation(at, made)
                if each not in seen:
                    seen.add(each)
                    yield operator.stage.looks.scalar, each

    def of_functions(self) -> Iterator[tuple[SyntaxNode, Mutation]]:
        """Yields statements that are inserted or changed, each with the statement that it follows, or is."""
        operators = self._catalogue.of_functions
        for function in self._shader.root.of_type(FunctionDefinition):
            made = ((each.kind, put) for each in operators for put in each.mutants(function, self._shader))
            for kind, (node, new) in dict.fromkeys(made) if not function.has_error else ():
                place = _behind(node) if kind == "left out" else None
                if place is not None:
                    yield node, Mutation(place, place, "", f"{new} ", kind, new)
                elif kind != "left out":
                    yield node, Mutation(node.start_byte, node.end_byte, node.text, new, kind, new)

    def of_places(self, expected: ExpectedNumbers, free: Sequence[SyntaxNode]) -> Iterator[Places]:
        """Yields mutations of several places; `free` are the expressions that may change."""
        for operator in self._catalogue.of_texts:
            yield from operator.mutants(self._shader, expected, free)


def _behind(statement: SyntaxNode) -> int | None:
    """Returns the byte after a statement; None if it is inside another one."""
    around, after = statement.parent, statement.next_named_sibling
    while isinstance(after, Comment):
        after = after.next_named_sibling
    if not isinstance(around, CompoundStatement) or isinstance(after, Preprocessor):
        return None
    place = after.start_byte if after is not None else around.end_byte - 1
    return place if place > statement.end_byte else None
