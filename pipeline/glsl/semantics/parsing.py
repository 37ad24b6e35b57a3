"""Parses GLSL: the typed syntax tree of a text, built from tree-sitter's in one pass.

A node without a part that its class must have (the text does not parse there) is an `OtherNode`.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import tree_sitter
import tree_sitter_glsl

from texelscope.pipeline.glsl.lines import Line, line_map
from texelscope.pipeline.glsl.semantics import expressions, statements, tree
from texelscope.pipeline.glsl.semantics.tree import OtherNode, SyntaxNode, SyntaxTree, Token
from texelscope.pipeline.plan import ProgramSource

# The parser's number for text that does not parse.
_ERROR = 65535
_MISSING_PART = "?"


@dataclass(frozen=True)
class _Shape:
    """The class of a construct, and of each of its parts the grammar's name: `name?` may lack, `name*` are many."""

    of: type[SyntaxNode]
    parts: tuple[str, ...] = ()


_SHAPES = {
    "translation_unit": _Shape(statements.TranslationUnit),
    "comment": _Shape(tree.Comment),
    "identifier": _Shape(expressions.Identifier),
    "number_literal": _Shape(expressions.NumberLiteral),
    "true": _Shape(expressions.BooleanLiteral),
    "false": _Shape(expressions.BooleanLiteral),
    "parenthesized_expression": _Shape(expressions.Parenthesised),
    "unary_expression": _Shape(expressions.UnaryExpression, ("operator", "argument")),
    "update_expression": _Shape(expressions.UpdateExpression, ("argument", "operator")),
    "binary_expression": _Shape(expressions.BinaryExpression, ("left", "operator", "right")),
    "assignment_expression": _Shape(expressions.Assignment, ("left", "operator", "right")),
    "conditional_expression": _Shape(expressions.ConditionalExpression, ("condition", "consequence", "alternative")),
    "comma_expression": _Shape(expressions.CommaExpression, ("left", "right")),
    "call_expression": _Shape(expressions.FunctionCall, ("function", "arguments")),
    "argument_list": _Shape(expressions.ArgumentList),
    "subscript_expression": _Shape(expressions.Subscript, ("argument", "index")),
    "field_expression": _Shape(expressions.FieldAccess, ("argument", "field")),
    "field_identifier": _Shape(expressions.FieldName),
    "initializer_list": _Shape(expressions.InitializerList),
    "cast_expression": _Shape(expressions.CastExpression, ("type", "value")),
    "primitive_type": _Shape(statements.TypeName),
    "type_identifier": _Shape(statements.TypeName),
    "type_qualifier": _Shape(statements.TypeQualifier),
    "qualifier": _Shape(statements.Qualifier),
    "layout_specification": _Shape(statements.LayoutQualifier),
    "declaration": _Shape(statements.Declaration, ("type?", "declarator*")),
    "init_declarator": _Shape(statements.InitDeclarator, ("declarator", "value")),
    "array_declarator": _Shape(statements.ArrayDeclarator, ("declarator", "size?")),
    "function_declarator": _Shape(statements.FunctionDeclarator, ("declarator", "parameters")),
    "parameter_list": _Shape(statements.ParameterList),
    "parameter_declaration": _Shape(statements.ParameterDeclaration, ("type?", "declarator?")),
    "field_declaration": _Shape(statements.StructMember, ("type?", "declarator*")),
    "field_declaration_list": _Shape(statements.StructMembers),
    "struct_specifier": _Shape(statements.StructSpecifier, ("name?", "body?")),
    "function_definition": _Shape(statements.FunctionDefinition, ("type?", "declarator", "body")),
    "compound_statement": _Shape(statements.CompoundStatement),
    "expression_statement": _Shape(statements.ExpressionStatement),
    "return_statement": _Shape(statements.ReturnStatement),
    "break_statement": _Shape(statements.BreakStatement),
    "continue_statement": _Shape(statements.ContinueStatement),
    "if_statement": _Shape(statements.IfStatement, ("condition", "consequence", "alternative?")),
    "else_clause": _Shape(statements.ElseClause),
    "for_statement": _Shape(statements.ForLoop, ("initializer?", "condition?", "update?", "body")),
    "while_statement": _Shape(statements.WhileLoop, ("condition", "body")),
    "do_statement": _Shape(statements.DoWhileLoop, ("body", "condition")),
    "switch_statement": _Shape(statements.SwitchStatement, ("condition", "body")),
    "case_statement": _Shape(statements.CaseLabel, ("value?",)),
    "preproc_arg": _Shape(statements.MacroBody),
    "preproc_params": _Shape(statements.MacroParameters),
    "preproc_def": _Shape(statements.PlainMacro, ("name", "value?")),
    "preproc_function_def": _Shape(statements.ParameterMacro, ("name", "value?", "parameters")),
    "preproc_ifdef": _Shape(statements.IfdefDirective, ("name", "alternative?")),
    "preproc_if": _Shape(statements.IfDirective, ("condition", "alternative?")),
    "preproc_else": _Shape(statements.ElseDirective),
    "preproc_elif": _Shape(statements.ElifDirective, ("condition?", "alternative?")),
    "preproc_elifdef": _Shape(statements.ElifDirective, ("name?", "alternative?")),
}

_CAPITALS = re.compile(r"\b(INT|UINT|FLOAT|DOUBLE|BOOL)(?=\s*\()")
# The precision of a function's parameter, which the parser takes for its type.
_PRECISION = re.compile(rb"(?<=[(,])(\s*(?:(?:const|in|out|inout)\s+)*)(highp|mediump|lowp)(?=\s+\w+\s+\w+\s*[,)\[])")
_RESTRICT = re.compile(rb"\brestrict\b")
_CONSTRUCTOR = re.compile(rb"\b(int|uint|float|double|bool)(\s*\()")


@lru_cache(maxsize=32)
def parse(source: bytes) -> SyntaxNode:
    """The syntax tree of GLSL text; what does not parse is an `ErrorNode` in it."""
    return _Builder(source, ()).build()


def parse_program(program: ProgramSource) -> SyntaxNode:
    """Parses a program's fragment or compute shader, whose nodes know their lines in the author's files."""
    return _Builder(without_precisions(program.fragment.encode()), line_map(program)).build()


def constructors_as_calls(source: bytes) -> bytes:
    """Text as long as `source`, for the parser alone, in which `int(x)` is a call of a function.

    Otherwise it takes `(int(x) * y)` for a cast, as in C, and calls within for declarations.
    """
    return _CONSTRUCTOR.sub(lambda match: match[1].upper() + match[2], source)


def calls_as_constructors(text: str) -> str:
    """A part of such a text as its author writes it."""
    return _CAPITALS.sub(lambda match: match[0].lower(), text)


def without_precisions(source: bytes) -> bytes:
    """Text as long as `source`, for the parser alone, in which no parameter of a function has a precision.

    Otherwise it takes the precision for a type, and the whole function for nothing.
    """
    return _PRECISION.sub(lambda match: match[1] + b" " * len(match[2]), source)


def without_restrictions(source: bytes) -> bytes:
    """Returns text as long as `source`, for the parser alone, without the word `restrict`.

    Otherwise it takes the word for C's, and `uniform` behind it for a type.
    """
    return _RESTRICT.sub(lambda match: b" " * len(match[0]), source)


@cache
def _language() -> tree_sitter.Language:
    # The grammar hands itself over as a plain integer, which newer tree-sitter would rather not take: that is nothing
    # that a caller whose warnings are errors could change.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return tree_sitter.Language(tree_sitter_glsl.language())


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(_language())


@dataclass(frozen=True)
class _Kind:
    """What a number of the grammar's stands for; of each part the number of its name, and whether it may lack."""

    name: str
    is_token: bool
    of: Callable[..., SyntaxNode] = OtherNode
    parts: tuple[tuple[int, str], ...] = ()


@cache
def _kinds() -> dict[int, _Kind]:
    language = _language()
    found = {_ERROR: _Kind("ERROR", is_token=False, of=tree.ErrorNode)}
    for number in range(language.node_kind_count):
        name = language.node_kind_for_id(number) or ""
        if not language.node_kind_is_named(number):
            found[number] = _Kind(name, is_token=True, of=Token)
            continue
        shape = _SHAPES.get(name, _Shape(_other(name)))
        parts = tuple((_field(language, part), part[-1]) for part in shape.parts)
        found[number] = _Kind(name, is_token=False, of=shape.of, parts=parts)
    return found


def _other(name: str) -> type[SyntaxNode]:
    if name.startswith("preproc_"):
        return statements.OtherDirective
    return statements.OtherStatement if name.endswith("_statement") else OtherNode


def _field(language: tree_sitter.Language, part: str) -> int:
    number = language.field_id_for_name(part.rstrip("?*"))
    assert number is not None
    return number


class _Builder:
    """Builds one tree: walks tree-sitter's in the order of the text, then makes nodes from the last to the first.

    So no depth of nesting is too much, and a node's children are there before it.
    """

    def __init__(self, source: bytes, lines: Sequence[Line]) -> None:
        self._kinds: list[int] = []
        self._spans: list[tuple[int, int]] = []
        self._fields: list[int] = []
        self._parents: list[int] = []
        self._behind: list[int] = []
        self._tree = SyntaxTree(source, self._parents, lines)
        self._go(_parser().parse(source))

    def _go(self, parsed: tree_sitter.Tree) -> None:
        is_broken = parsed.root_node.has_error
        cursor = parsed.walk()
        parent, number = -1, -1
        while True:
            node = cursor.node
            assert node is not None
            number += 1
            start, stop = node.start_byte, node.end_byte
            self._kinds.append(node.kind_id)
            self._spans.append((start, stop))
            self._fields.append(cursor.field_id or 0)
            self._parents.append(parent)
            self._behind.append(0)
            if start == stop and node.is_missing:
                self._tree.missing.add(number)
            if is_broken and node.has_error:
                self._tree.broken.add(number)
            if cursor.goto_first_child():
                parent = number
                continue
            self._behind[number] = number + 1
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return
                self._behind[parent] = number + 1
                parent = self._parents[parent]

    def build(self) -> SyntaxNode:
        """The root of the typed tree: a `TranslationUnit`, or an `ErrorNode` where nothing parses."""
        count = len(self._kinds)
        below: list[list[SyntaxNode]] = [[] for _ in range(count)]
        made: list[SyntaxNode | None] = [None] * count
        kinds = _kinds()
        for number in range(count - 1, -1, -1):
            children = below[number]
            children.reverse()
            node = self._node(number, kinds[self._kinds[number]], children)
            made[number] = node
            if number:
                below[self._parents[number]].append(node)
        self._tree.nodes = [each for each in made if each is not None]
        return self._tree.nodes[0]

    def _node(self, number: int, kind: _Kind, children: list[SyntaxNode]) -> SyntaxNode:
        start, stop = self._spans[number]
        common = (self._tree, number, self._behind[number], start, stop, tuple(children))
        if kind.is_token:
            return Token(*common, kind.name)
        if kind.parts:
            parts = [self._part(children, field, how) for field, how in kind.parts]
            if _MISSING_PART not in parts:
                return kind.of(*common, *parts)
        elif kind.of is not OtherNode:
            return kind.of(*common)
        names = _language()
        named = ((names.field_name_for_id(self._fields[each.number]), each) for each in children)
        return OtherNode(*common, kind.name, tuple((name, each) for name, each in named if name is not None))

    def _part(self, children: list[SyntaxNode], field: int, how: str) -> object:
        found = [each for each in children if self._fields[each.number] == field]
        if how == "*":
            return tuple(found)
        if found:
            return found[0]
        return None if how == "?" else _MISSING_PART
