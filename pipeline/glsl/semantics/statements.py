"""Defines declarations, functions, statements and directives of GLSL, one class of nodes each."""

from __future__ import annotations

from texelscope.pipeline.glsl.semantics.tree import OtherNode, SyntaxNode, syntax_node


@syntax_node
class TranslationUnit(SyntaxNode):
    """Represents a whole text."""


@syntax_node
class TypeName(SyntaxNode):
    """Represents the name of a type."""


@syntax_node
class TypeQualifier(SyntaxNode):
    """`const` and what the grammar takes for its like."""


@syntax_node
class Qualifier(SyntaxNode):
    """A precision, or how memory may be used."""


@syntax_node
class LayoutQualifier(SyntaxNode):
    """Represents `layout(…)`."""


@syntax_node
class Declaration(SyntaxNode):
    """Represents variables, a block, a default precision; outside functions or as a statement."""

    type: SyntaxNode | None
    declarators: tuple[SyntaxNode, ...]


@syntax_node
class InitDeclarator(SyntaxNode):
    """A variable's name, with its arrays' sizes, and the value that it gets."""

    declarator: SyntaxNode
    value: SyntaxNode


@syntax_node
class ArrayDeclarator(SyntaxNode):
    """Represents a name, or another array of it, and the size in brackets."""

    declarator: SyntaxNode
    size: SyntaxNode | None


@syntax_node
class ParameterList(SyntaxNode):
    """Represents the parameters of a function, and the parentheses around."""


@syntax_node
class FunctionDeclarator(SyntaxNode):
    """Represents a function's name and its parameters."""

    declarator: SyntaxNode
    parameter_list: ParameterList


@syntax_node
class ParameterDeclaration(SyntaxNode):
    """Represents a parameter of a function."""

    type: SyntaxNode | None
    declarator: SyntaxNode | None


@syntax_node
class StructMember(SyntaxNode):
    """A line of a structure or a block: a type, and the names of that type."""

    type: SyntaxNode | None
    declarators: tuple[SyntaxNode, ...]


@syntax_node
class StructMembers(SyntaxNode):
    """What stands in the braces of a structure or a block."""

    @property
    def lines(self) -> tuple[StructMember, ...]:
        """The declarations of members."""
        return tuple(each for each in self.children if isinstance(each, StructMember))


@syntax_node
class StructSpecifier(SyntaxNode):
    """A structure, with its members where it is defined."""

    name: SyntaxNode | None
    body: StructMembers | None


@syntax_node
class FunctionDefinition(SyntaxNode):
    """Represents the definition of a function."""

    type: SyntaxNode | None
    declarator: SyntaxNode
    body: SyntaxNode

    @property
    def name(self) -> str:
        """The function's name."""
        inner = declarator_in(self.declarator)
        return inner.text if inner is not None else ""

    @property
    def parameters(self) -> list[ParameterDeclaration]:
        """The parameters, in order."""
        return list(self.of_type(ParameterDeclaration))


# -- statements ----------------------------------------------------------------------------------------------------


@syntax_node
class Statement(SyntaxNode):
    """What is done. A declaration is none: it stands outside functions as well."""


@syntax_node
class CompoundStatement(Statement):
    """Represents statements in braces."""


@syntax_node
class ExpressionStatement(Statement):
    """Represents an expression and a semicolon, or the semicolon alone."""


@syntax_node
class ReturnStatement(Statement):
    """`return`, with a value or without."""


@syntax_node
class BreakStatement(Statement):
    """`break`."""


@syntax_node
class ContinueStatement(Statement):
    """`continue`."""


@syntax_node
class ElseClause(SyntaxNode):
    """`else` and what it leads to."""


@syntax_node
class IfStatement(Statement):
    """Represents a statement under a condition, in parentheses, and another one else."""

    condition: SyntaxNode
    consequence: SyntaxNode
    alternative: SyntaxNode | None


@syntax_node
class LoopStatement(Statement):
    """Represents a loop of any kind."""


@syntax_node
class ForLoop(LoopStatement):
    """`for`; a declaration at its start has the semicolon in it."""

    initializer: SyntaxNode | None
    condition: SyntaxNode | None
    update: SyntaxNode | None
    body: SyntaxNode


@syntax_node
class WhileLoop(LoopStatement):
    """Represents `while`, its condition in parentheses."""

    condition: SyntaxNode
    body: SyntaxNode


@syntax_node
class DoWhileLoop(LoopStatement):
    """`do`, its condition in parentheses."""

    body: SyntaxNode
    condition: SyntaxNode


@syntax_node
class SwitchStatement(Statement):
    """`switch` on what stands in parentheses."""

    condition: SyntaxNode
    body: SyntaxNode


@syntax_node
class CaseLabel(Statement):
    """Represents `case value:` with the statements behind it; `default:` without a value."""

    value: SyntaxNode | None


@syntax_node
class OtherStatement(Statement):
    """A statement that C has and GLSL lacks."""


# -- the preprocessor ----------------------------------------------------------------------------------------------


@syntax_node
class Preprocessor(SyntaxNode):
    """Represents a directive of the preprocessor, or a part of one."""


@syntax_node
class MacroBody(Preprocessor):
    """What stands behind a macro's name, or behind another directive; it is not parsed."""


@syntax_node
class MacroParameters(Preprocessor):
    """Represents the parameters of a macro, and the parentheses around."""


@syntax_node
class MacroDefinition(Preprocessor):
    """`#define` of either kind."""

    identifier: SyntaxNode
    body: MacroBody | None

    @property
    def name(self) -> str:
        """The macro's name."""
        return self.identifier.text

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters."""
        return ()

    @property
    def meaning(self) -> str:
        """What the name stands for, without the comment behind it; empty where it stands for nothing."""
        return self.body.text.partition("//")[0].rstrip() if self.body is not None else ""


@syntax_node
class PlainMacro(MacroDefinition):
    """`#define name body`."""


@syntax_node
class ParameterMacro(MacroDefinition):
    """`#define name(parameters) body`."""

    parameter_list: MacroParameters

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(each.text for each in self.parameter_list.named_children)


@syntax_node
class ConditionalDirective(Preprocessor):
    """`#if`, `#ifdef` or `#ifndef` with the text that it decides on; `asked` is what stands behind the word.

    `alternative` is what follows with `#else` or `#elif`.
    """

    asked: SyntaxNode
    alternative: SyntaxNode | None


@syntax_node
class IfDirective(ConditionalDirective):
    """Represents `#if condition`."""


@syntax_node
class IfdefDirective(ConditionalDirective):
    """Represents `#ifdef name` or `#ifndef name`."""


@syntax_node
class ElseDirective(Preprocessor):
    """Represents `#else` and the text behind it."""


@syntax_node
class ElifDirective(Preprocessor):
    """Represents `#elif` and the text behind it."""

    asked: SyntaxNode | None
    alternative: SyntaxNode | None


@syntax_node
class OtherDirective(Preprocessor):
    """Represents `#version`, `#include`, `#undef`, `#line` and the like, and the words of them."""


def declarator_in(node: SyntaxNode) -> SyntaxNode | None:
    """What a declarator, a parameter or a function's definition declares, with the signs around its name."""
    if isinstance(
        node, InitDeclarator | ArrayDeclarator | FunctionDeclarator | ParameterDeclaration | FunctionDefinition
    ):
        return node.declarator
    if isinstance(node, Declaration | StructMember):
        return node.declarators[0] if node.declarators else None
    return node.part("declarator") if isinstance(node, OtherNode) else None


def declarators_of(node: SyntaxNode) -> tuple[SyntaxNode, ...]:
    """What a declaration, a member or a parameter declares: names, with the signs and the values around them."""
    if isinstance(node, Declaration | StructMember):
        return node.declarators
    inner = declarator_in(node)
    return () if inner is None else (inner,)
