"""Questions that are asked of nodes whatever they are, and words of GLSL for a text that is not parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    CommaExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    Parenthesised,
    Subscript,
    UnaryExpression,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    DoWhileLoop,
    ElifDirective,
    ForLoop,
    FunctionDeclarator,
    FunctionDefinition,
    IfDirective,
    IfStatement,
    InitDeclarator,
    ParameterDeclaration,
    SwitchStatement,
    WhileLoop,
    declarator_in,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

READS = frozenset(
    {
        "texture", "textureLod", "textureGrad", "textureOffset", "textureLodOffset", "texelFetch", "texelFetchOffset",
        "texture2D", "texture2DLod",
    }
)  # fmt: skip

# Reads that have no wrapper: said by name, never passed over.
OTHER_READS = frozenset(
    {
        "texture2DProj", "textureProj", "textureProjOffset", "textureProjLod",
        "textureProjGrad", "textureGradOffset", "textureGather", "textureGatherOffset", "imageLoad",
    }
)  # fmt: skip

# A name, a number or a sign.
WORD = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\.\d[\w.]*|\S")


def function_around(node: SyntaxNode) -> FunctionDefinition | None:
    """The function whose definition the node stands in; None outside all."""
    return node.enclosing(FunctionDefinition)


def name_around(node: SyntaxNode) -> str:
    """The name of the function that the node stands in; empty outside all."""
    function = node.enclosing(FunctionDefinition)
    return function.name if function is not None else ""


def names_in(node: SyntaxNode) -> Iterator[str]:
    """Yields the identifiers in a node, as often as they occur."""
    return (each.text for each in node.of_type(Identifier))


def declared_name(node: SyntaxNode) -> str:
    """The name in a parameter or a declarator with a value; empty where it has none."""
    name = declarator_in(node)
    while isinstance(name, ArrayDeclarator):
        name = name.declarator
    return name.text if name is not None else ""


def parameters(node: SyntaxNode) -> list[ParameterDeclaration]:
    """Returns the declarations of parameters in a node, in order."""
    return list(node.of_type(ParameterDeclaration))


def function_called(node: SyntaxNode) -> str:
    """The name of the function that a call calls; empty of any other node."""
    return node.name if isinstance(node, FunctionCall) else ""


def arguments(node: SyntaxNode) -> tuple[SyntaxNode, ...]:
    """What a function is called with; nothing of a node that is no call."""
    return node.arguments if isinstance(node, FunctionCall) else ()


def bare(node: SyntaxNode) -> SyntaxNode:
    """What stands inside of the parentheses around an expression."""
    while isinstance(node, Parenthesised) and node.inner is not None:
        node = node.inner
    return node


def target_of(node: SyntaxNode) -> SyntaxNode | None:
    """What an assignment, an update or a declaration with a value gives a value to; None of any other node."""
    if isinstance(node, Assignment):
        return node.left
    if isinstance(node, UpdateExpression):
        return node.argument
    return node.declarator if isinstance(node, InitDeclarator) else None


def value_of(node: SyntaxNode) -> SyntaxNode | None:
    """The value that an assignment or a declaration gives; None of any other node."""
    if isinstance(node, Assignment):
        return node.right
    return node.value if isinstance(node, InitDeclarator) else None


def function_name(node: SyntaxNode | None) -> str:
    """The name in a function's definition, or in its declarator; empty where there is none."""
    if isinstance(node, FunctionDeclarator):
        return node.declarator.text
    return node.name if isinstance(node, FunctionDefinition) else ""


def condition_of(node: SyntaxNode) -> SyntaxNode | None:
    """What a choice, a loop or a directive asks; None of any other node."""
    if isinstance(node, ConditionalExpression | IfStatement | ForLoop | WhileLoop | DoWhileLoop | SwitchStatement):
        return node.condition
    return node.asked if isinstance(node, IfDirective | ElifDirective) else None


def sides_of(node: SyntaxNode) -> tuple[SyntaxNode, SyntaxNode] | tuple[None, None]:
    """The left and the right side of an expression that has both; None twice of any other node."""
    if isinstance(node, BinaryExpression | Assignment | CommaExpression):
        return node.left, node.right
    return None, None


def argument_of(node: SyntaxNode) -> SyntaxNode | None:
    """What lanes, a member or an element are taken of, or an operator alone stands at; None of any other node."""
    if isinstance(node, FieldAccess | Subscript | UnaryExpression | UpdateExpression):
        return node.argument
    return None


def is_decided_by(node: SyntaxNode, part: SyntaxNode) -> bool:
    """Whether a part of a node decides whether, or how often, the rest is done: its condition, or a loop's update."""
    return part is condition_of(node) or (isinstance(node, ForLoop) and part is node.update)
