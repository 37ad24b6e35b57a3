"""Answers what mutation operators ask of an expression or a statement, and of the shader around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar, cast

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
    UnaryExpression,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.macro_bodies import Macro
from texelscope.pipeline.glsl.semantics.questions import arguments, function_called, sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.glsl.source_text import version_of
from texelscope.pipeline.repair.operators.addresses import Addresses
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.spelling import outside
from texelscope.pipeline.repair.text.mutation import (
    APART,
    LEAVES,
    NUMBER,
    VALUES,
    Kind,
    Mutation,
    Numbered,
    is_target,
    leaves_of,
)

# Before this version GLSL has no integer remainder.
_REMAINDERS = 130
# Lanes, taps and steps that no size names.
COUNTS = (2.0, 3.0, 4.0)
T = TypeVar("T")


@dataclass(frozen=True)
class ExpectedNumbers:
    """What a model suggests: `numbers` of a finding, `sizes` of bound tensors, `scalars` and `rows` of constants."""

    numbers: tuple[float, ...] = ()
    sizes: tuple[float, ...] = ()
    rows: tuple[tuple[float, ...], ...] = ()
    scalars: tuple[float, ...] = ()


class Shader:
    """A parsed shader, with what operators have found out about it."""

    def __init__(self, source: str, root: SyntaxNode, macros: Sequence[Macro], types: Types, scope: NameScope) -> None:
        self.source, self.root, self.macros, self.types, self.scope = source, root, macros, types, scope
        version = version_of(source)
        self.has_remainders = version is not None and version.number >= _REMAINDERS
        self.addresses = Addresses((root, *(macro.expression for macro in macros)), types)
        self._facts: dict[Callable[[Shader], Any], Any] = {}

    def fact(self, found_by: Callable[[Shader], T]) -> T:
        """Returns what a function or a class of operators finds out about the shader, once."""
        if found_by not in self._facts:
            self._facts[found_by] = found_by(self)
        made: T = self._facts[found_by]
        return made

    @cached_property
    def fixed(self) -> frozenset[str]:
        """Returns uniforms, constants and macros."""
        return frozenset(self.types.uniforms | self.types.constants | {*self.types.macros})

    def is_size(self, expression: str) -> bool:
        """Whether it is equal for every fragment: a uniform, a constant or a macro, or made of these alone."""
        base = re.split(r"[.\[]", expression, maxsplit=1)[0]
        return base in self.fixed or base in self.types.sizes or expression in self.types.members

    def names_at(self, node: SyntaxNode) -> set[str]:
        """Returns the variables in scope at a node."""
        return {name for name, _ in self.scope.variables(node)}

    def may_stand(self, expression: SyntaxNode, node: SyntaxNode) -> bool:
        """Whether all variables of an expression are in scope at another node as well."""
        names = {each.text for leaf in leaves_of(expression) for each in leaf.of_type(Identifier)}
        return names & self.names_at(expression) <= self.names_at(node)


class Place:
    """An expression or a statement of a shader, with what may stand there.

    It has its own `text`, `sign` and type, here called `kind`; what it calls has a `name` and is `given` arguments.
    """

    def __init__(self, node: SyntaxNode, shader: Shader, expected: ExpectedNumbers) -> None:
        self.node, self.shader, self.expected = node, shader, expected
        self.types, self.scope = shader.types, shader.scope
        self.parent = cast(SyntaxNode, node.parent)  # no expression or statement is a whole text
        self.text, self.kind, self.sign = node.text, self.types.of(node), node.operator
        self.scalar, self.lanes, self.is_matrix = scalar_of(self.kind), lanes_of(self.kind), is_matrix(self.kind)
        self.name, self.given = function_called(node), arguments(node)

    @property
    def left(self) -> SyntaxNode:
        """Returns the first of two operands; only for what has two."""
        return cast(BinaryExpression, self.node).left

    @property
    def right(self) -> SyntaxNode:
        """Returns the second one."""
        return cast(BinaryExpression, self.node).right

    @cached_property
    def is_target(self) -> bool:
        return is_target(self.node)

    @cached_property
    def has_effects(self) -> bool:
        """Whether it assigns something."""
        return any(isinstance(each, Assignment | UpdateExpression) for each in self.node.walk())

    @cached_property
    def is_in_a_table(self) -> bool:
        return is_in_a_table(self.node)

    @cached_property
    def is_index(self) -> bool:
        """Whether it is a number that is an address, or a part of one."""
        is_number = self.scalar in ("int", "uint", "float") and self.lanes in (1, 2, 3)
        return is_number and not self.is_in_a_table and self.shader.addresses.has(self.node)

    @property
    def around(self) -> str:
        """Returns the operator that it is an operand of; empty if there is none."""
        return self.parent.operator

    @property
    def is_first(self) -> bool:
        """Whether it is the left side of what it stands in."""
        return sides_of(self.parent)[0] is self.node

    @property
    def is_value(self) -> bool:
        """Whether it is the whole value that is assigned, declared or returned."""
        return isinstance(self.parent, VALUES) and not self.is_first

    @property
    def is_whole(self) -> bool:
        """Whether it is used as it is: a value, an argument or an index."""
        return isinstance(self.parent, (*VALUES, ArgumentList, Subscript)) and not self.is_first

    @property
    def is_apart(self) -> bool:
        """Whether it needs no parentheses where it stands."""
        return isinstance(self.parent, APART)

    @property
    def call(self) -> FunctionCall | None:
        """Returns the call that it is an argument of."""
        outer = self.parent.parent if isinstance(self.parent, ArgumentList) else None
        return outer if isinstance(outer, FunctionCall) else None

    @property
    def called(self) -> str:
        """Returns the name of that function."""
        return self.call.name if self.call is not None else ""

    def has(self, *kinds: type[SyntaxNode]) -> bool:
        """Whether it is of one of some classes."""
        return isinstance(self.node, kinds)

    def of(self, node: SyntaxNode) -> str:
        """Returns the type of a node."""
        return self.types.of(node)

    def names(self, kind: str = "") -> list[str]:
        """Returns names of its type, or of another one, in scope; the nearest so many."""
        return self.scope.of_type(self.node, kind or self.kind)

    def others(self) -> list[str]:
        """Returns those of its type that differ from it."""
        return [each for each in self.names() if each != self.text]

    @cached_property
    def used(self) -> set[str]:
        """Returns the variables in it."""
        return {each.text for each in self.node.of_type(*LEAVES)}

    @cached_property
    def sizes(self) -> list[str]:
        """Returns the nearest names of sizes that are integers."""
        lane = self.text.rpartition(".")[2] if self.has(FieldAccess) else ""
        found = [each for each in self.scope.every_of_type(self.node, "int") if self.shader.is_size(each)]
        # Fields of a structure come first, before them a size along the same axis.
        every = sorted(found, key=lambda each: each.partition(".")[0] in self.types.sizes)
        alike = [each for each in every if lane and each.endswith(f".{lane}")]
        return [*dict.fromkeys((*alike, *every))][: LIMITS.sizes]

    def near_sizes(self, most: int, kind: str = "") -> list[str]:
        """Returns the nearest names of sizes of its type, or of another one."""
        kind = kind or self.kind
        is_known = kind == "int"
        every = self.sizes if is_known else self.scope.every_of_type(self.node, kind)
        return [each for each in every if each != self.text and (is_known or self.shader.is_size(each))][:most]

    def address_names(self, most: int, kind: str = "") -> list[str]:
        """Returns the nearest variables of its type that are addresses."""
        kind = kind or self.kind
        is_float = scalar_of(kind) == "float"
        every = (self.scope.of_type if is_float else self.scope.of_places)(self.node, kind)
        names = [each for each in every if not self.shader.is_size(each) and each != self.text]
        return [each for each in names if not is_float or self.shader.addresses.is_name(self.node, each)][:most]

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Returns possible strides of an index: expected numbers, small ones, sizes of tensors."""
        return self._steps((*self.expected.numbers, *COUNTS, *self.expected.sizes))[: LIMITS.steps]

    @cached_property
    def every_step(self) -> tuple[int, ...]:
        """Returns all of these, small ones first."""
        return self._steps((*COUNTS, *self.expected.numbers, *self.expected.sizes))

    @staticmethod
    def _steps(numbers: Sequence[float]) -> tuple[int, ...]:
        return tuple(
            dict.fromkeys(int(each) for each in numbers if each.is_integer() and 1 < each < LIMITS.largest_step)
        )

    def is_fixed(self, node: SyntaxNode) -> bool:
        """Whether a part of an expression consists of sizes and numbers."""
        if isinstance(node, NumberLiteral) or self.shader.is_size(node.text):
            return True
        inner: Sequence[SyntaxNode] = ()
        if isinstance(node, FunctionCall):
            inner = node.arguments if scalar_of(node.name.lower()) != "" else ()
        elif isinstance(node, BinaryExpression | Parenthesised | UnaryExpression):
            inner = [each for each in node.named_children if not isinstance(each, Comment)]
        return bool(inner) and all(self.is_fixed(each) for each in inner)

    @property
    def summand(self) -> str:
        """Returns its text with room for another summand."""
        return f"({self.text})" if self.has(ConditionalExpression, Assignment) else self.text

    @cached_property
    def one(self) -> str:
        """Returns the first number of a template, of its scalar type."""
        return f"{NUMBER}.x" if self.scalar == "float" else f"{self.scalar}({NUMBER}.x)"

    def written(self, number: float) -> str:
        """Writes a number as people do beside the expression."""
        text = f"{number:g}"
        if self.scalar == "float":
            return text if set(text) & set(".en") else f"{text}.0"
        return text + "u" * (self.scalar == "uint")

    def numbered(self, form: str, number: float) -> Numbered:
        """Returns a text with a number in place of `#`, and its template."""
        return form.replace("#", self.written(number)), form.replace("#", self.one), (number, number)

    def apart(self, new: str) -> str:
        """Returns a text in parentheses if it needs them here."""
        return f"({new})" if not self.is_apart and {*outside(new)} & {*"+-*/%?"} else new

    def mutation(self, kind: Kind, new: str, template: str = "", values: tuple[float, float] = (0.0, 0.0)) -> Mutation:
        """Returns the mutation that puts a text here."""
        return Mutation(self.node.start_byte, self.node.end_byte, self.text, new, kind, template or new, values)
