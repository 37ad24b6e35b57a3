"""Says what the parts that write operators and calls ask of the writer of all expressions."""

from __future__ import annotations

from typing import Protocol

from texelscope.pipeline.wgsl.divisors import Divisors
from texelscope.pipeline.wgsl.numbers import Value
from texelscope.pipeline.wgsl.scope import Scope
from texelscope.pipeline.wgsl.syntax import Expression, NameNode
from texelscope.pipeline.wgsl.types import Type


class ExpressionWriter(Protocol):
    """Types expressions and writes them in GLSL."""

    scope: Scope
    divisors: Divisors

    def named(self, name: NameNode) -> Type:
        """Returns the type that a name says. Raises AuthorTextError for another name."""

    def type_of(self, node: Expression) -> Type:
        """Returns the type of an expression. Raises AuthorTextError where it has none."""

    def value_type(self, node: Expression) -> Type:
        """Returns the type of the value that an expression is or points to."""

    def text(self, node: Expression, want: Type | None = None) -> str:
        """Returns an expression in GLSL; an abstract one as one of the scalar type that is wanted."""

    def twice(self, node: Expression, want: Type | None = None) -> str:
        """Returns the text of an expression that is written more than once. Raises AuthorTextError if it cannot be."""

    def constant(self, node: Expression) -> Value | None:
        """Returns the number that a constant expression is; None where it is not known before it runs."""

    def is_size(self, node: Expression) -> bool:
        """Whether an expression is made of constants and uniforms alone."""

    def is_natural(self, node: Expression) -> bool:
        """Whether a whole number is known to be 0 or more."""
