"""Defines the expressions of GLSL, one class of nodes each."""

from __future__ import annotations

from texelscope.pipeline.glsl.semantics.tree import SyntaxNode, Token, syntax_node


@syntax_node
class ExpressionNode(SyntaxNode):
    """What has a value."""


@syntax_node
class Identifier(ExpressionNode):
    """Represents a name of a variable, a function, a macro."""


@syntax_node
class NumberLiteral(ExpressionNode):
    """A number as it is written; behind some operators with its sign."""


@syntax_node
class BooleanLiteral(ExpressionNode):
    """Represents `true` or `false`."""


@syntax_node
class Parenthesised(ExpressionNode):
    """Represents an expression in parentheses."""

    @property
    def inner(self) -> SyntaxNode | None:
        """What stands in the parentheses; None with a comment beside it."""
        inside = self.named_children
        return inside[0] if len(inside) == 1 else None


@syntax_node
class UnaryExpression(ExpressionNode):
    """Represents an operator and its operand."""

    sign: Token
    argument: SyntaxNode

    @property
    def operator(self) -> str:
        return self.sign.kind


@syntax_node
class UpdateExpression(ExpressionNode):
    """Represents `x++`, `--x`."""

    argument: SyntaxNode
    sign: Token

    @property
    def operator(self) -> str:
        return self.sign.kind

    @property
    def is_before(self) -> bool:
        """Whether the operator stands before the variable, so that the value is the new one."""
        return self.sign.start_byte < self.argument.start_byte


@syntax_node
class BinaryExpression(ExpressionNode):
    """Represents two operands of an operator."""

    left: SyntaxNode
    sign: Token
    right: SyntaxNode

    @property
    def operator(self) -> str:
        return self.sign.kind


@syntax_node
class Assignment(ExpressionNode):
    """A value given to what stands on the left, by `=` or an operator with it."""

    left: SyntaxNode
    sign: Token
    right: SyntaxNode

    @property
    def operator(self) -> str:
        return self.sign.kind


@syntax_node
class ConditionalExpression(ExpressionNode):
    """Represents `condition ? consequence : alternative`."""

    condition: SyntaxNode
    consequence: SyntaxNode
    alternative: SyntaxNode


@syntax_node
class CommaExpression(ExpressionNode):
    """Represents two expressions one after the other."""

    left: SyntaxNode
    right: SyntaxNode


@syntax_node
class ArgumentList(SyntaxNode):
    """What a function is called with, and the parentheses around."""


@syntax_node
class FunctionCall(ExpressionNode):
    """Represents a call of a function, of a constructor, of a macro."""

    callee: SyntaxNode
    argument_list: ArgumentList

    @property
    def name(self) -> str:
        """The name of what is called."""
        return self.callee.text

    @property
    def arguments(self) -> tuple[SyntaxNode, ...]:
        """What the function is called with, comments among them."""
        return self.argument_list.named_children


@syntax_node
class Subscript(ExpressionNode):
    """Represents `argument[index]`."""

    argument: SyntaxNode
    index: SyntaxNode


@syntax_node
class FieldName(SyntaxNode):
    """Represents the letters of a swizzle, or a member's name."""


@syntax_node
class FieldAccess(ExpressionNode):
    """Represents `argument.field`: a swizzle, or a member of a structure."""

    argument: SyntaxNode
    field: FieldName

    @property
    def operator(self) -> str:
        return "."


@syntax_node
class InitializerList(ExpressionNode):
    """Represents values in braces."""


@syntax_node
class CastExpression(ExpressionNode):
    """`(type) value`, which C has; here a sign that the text was misread."""

    type: SyntaxNode
    value: SyntaxNode
