"""Every construct of GLSL becomes a node of its class, with its parts, its place and what it stands in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checkout import ROOT
from texelscope.pipeline.glsl.lines import line_directive
from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    BooleanLiteral,
    CommaExpression,
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
from texelscope.pipeline.glsl.semantics.parsing import (
    calls_as_constructors,
    constructors_as_calls,
    parse,
    parse_program,
    without_precisions,
    without_restrictions,
)
from texelscope.pipeline.glsl.semantics.shader_text import ShaderText
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    BreakStatement,
    CaseLabel,
    CompoundStatement,
    ConditionalDirective,
    ContinueStatement,
    Declaration,
    DoWhileLoop,
    ElifDirective,
    ElseDirective,
    ExpressionStatement,
    ForLoop,
    FunctionDefinition,
    IfStatement,
    InitDeclarator,
    LayoutQualifier,
    MacroDefinition,
    ParameterDeclaration,
    ParameterMacro,
    PlainMacro,
    ReturnStatement,
    Statement,
    StructMember,
    StructSpecifier,
    SwitchStatement,
    TranslationUnit,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, ErrorNode, OtherNode, SyntaxNode, Token
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.read_trace.instrument import instrument

SHADERS = sorted(
    path
    for folder in ("examples", "tests/faults/practice", "shaders/operators", "tests/data")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".glsl", ".frag", ".comp")
)
EVERYTHING = """\
#version 430
#define SIZE 4
#define READ(at) texelFetch(t_x, at, 0)
layout(std430, binding = 0) readonly buffer block_x { float x[]; };
uniform sampler2D t_x;
shared float tile[SIZE][2];
struct Pair { vec2 first; float second[3]; };
#ifdef FAST
const float k = 2.0;
#elif defined(SLOW)
const float k = 3.0;
#else
const float k = 1.0;
#endif
float scaled(const float value, inout int count[2]) { return value * -k; }
void main() {
    float a = 1.0, b[2];
    for (int i = 0; i < 3; i++) { b[i] += scaled(a, c) > 0.5 ? v.xy.x : (b[0]); continue; }
    while (a < 2.0) a++;
    do { --a; } while (a > 0.0);
    if (true) { a = 1.0, b = c; } else if (false) discard;
    switch (int(a)) { case 1: break; default: return; }
}
"""


def of_everything() -> SyntaxNode:
    return parse(constructors_as_calls(EVERYTHING.encode()))


def only(node: SyntaxNode, kind: type[SyntaxNode], number: int = 0) -> SyntaxNode:
    return list(node.of_type(kind))[number]


@pytest.mark.parametrize("path", SHADERS[::7], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_node_lies_within_its_parent_and_behind_those_before_it(path: Path) -> None:
    root = parse(constructors_as_calls(path.read_bytes()))
    assert isinstance(root, TranslationUnit)
    assert [node.number for node in root.walk()] == list(range(root.behind))
    for node in root.walk():
        ends = [node.start_byte]
        for child in node.children:
            assert child.parent is node
            assert child.start_byte >= ends[-1]
            ends.append(child.end_byte)
        assert ends[-1] <= node.end_byte
        assert node.children == () or list(node.walk())[1:] == [x for child in node.children for x in child.walk()]
        assert node.row == root.text.encode().count(b"\n", 0, node.start_byte)


@pytest.mark.parametrize("path", SHADERS[::7], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_shaders_have_nothing_of_c_alone(path: Path) -> None:
    allowed = {"layout_qualifiers", "string_literal", "string_content", "extension_behavior"}
    root = parse(constructors_as_calls(without_precisions(path.read_bytes())))
    assert {node.kind for node in root.of_type(OtherNode) if not inside_error(node)} <= allowed


def inside_error(node: SyntaxNode) -> bool:
    return any(isinstance(each, ErrorNode) for each in (node, *node.children, *node.ancestors()))


def test_expressions_have_their_operands_and_operators() -> None:
    root = of_everything()
    product = next(each for each in root.of_type(BinaryExpression) if each.operator == "*")
    assert (product.left.text, product.operator, product.right.text) == ("value", "*", "-k")
    assert isinstance(product.right, UnaryExpression)
    assert (product.right.operator, product.right.argument.text) == ("-", "k")
    added = next(each for each in root.of_type(Assignment) if each.operator == "+=")
    assert (added.left.text, type(added.left), type(added.right)) == ("b[i]", Subscript, ConditionalExpression)
    chosen = next(root.of_type(ConditionalExpression))
    assert (chosen.condition.text, chosen.consequence.text) == ("scaled(a, c) > 0.5", "v.xy.x")
    assert isinstance(chosen.alternative, Parenthesised)
    assert chosen.alternative.inner is not None
    assert chosen.alternative.inner.text == "b[0]"
    field = next(root.of_type(FieldAccess))
    assert (field.argument.text, field.field.text) == ("v.xy", "x")
    assert [(each.text, each.is_before) for each in root.of_type(UpdateExpression)] == [
        ("i++", False),
        ("a++", False),
        ("--a", True),
    ]
    call = next(root.of_type(FunctionCall))
    assert (call.name, [each.text for each in call.arguments]) == ("scaled", ["a", "c"])
    assert isinstance(call.argument_list, ArgumentList)
    assert [each.text for each in root.of_type(BooleanLiteral)] == ["true", "false"]
    comma = next(root.of_type(CommaExpression))
    assert (comma.left.text, comma.right.text) == ("a = 1.0", "b = c")
    assert next(root.of_type(Subscript)).index.text == "i"


def test_statements_have_their_conditions_and_bodies() -> None:
    root = of_everything()
    loop = next(root.of_type(ForLoop))
    assert isinstance(loop.initializer, Declaration)
    assert loop.condition is not None
    assert loop.update is not None
    assert (loop.condition.text, loop.update.text, type(loop.body)) == ("i < 3", "i++", CompoundStatement)
    assert next(root.of_type(WhileLoop)).body.text == "a++;"
    assert next(root.of_type(DoWhileLoop)).condition.text == "(a > 0.0)"
    chosen = next(root.of_type(IfStatement))
    assert chosen.condition.text == "(true)"
    assert chosen.alternative is not None
    assert chosen.alternative.text.startswith("else if (false)")
    switch = next(root.of_type(SwitchStatement))
    assert calls_as_constructors(switch.condition.text) == "(int(a))"
    first, other = root.of_type(CaseLabel)
    assert first.value is not None
    assert first.value.text == "1"
    assert other.value is None
    for kind in (BreakStatement, ContinueStatement, ReturnStatement, ExpressionStatement):
        assert isinstance(only(root, kind), Statement)


def test_declarations_have_types_names_and_values() -> None:
    root = of_everything()
    function = next(root.of_type(FunctionDefinition))
    assert (function.name, [each.text for each in function.parameters]) == (
        "scaled",
        ["const float value", "inout int count[2]"],
    )
    assert [each.type.text for each in root.of_type(ParameterDeclaration) if each.type is not None] == ["float", "int"]
    local = next(each for each in root.of_type(Declaration) if each.text.startswith("float a"))
    assert local.type is not None
    assert (local.type.text, [type(each) for each in local.declarators]) == ("float", [InitDeclarator, ArrayDeclarator])
    struct = next(root.of_type(StructSpecifier))
    assert struct.name is not None
    assert struct.body is not None
    assert (struct.name.text, [each.text for each in struct.body.lines]) == (
        "Pair",
        ["vec2 first;", "float second[3];"],
    )
    assert len(list(root.of_type(StructMember))) == 3
    assert next(root.of_type(LayoutQualifier)).text == "layout(std430, binding = 0)"


def test_directives_have_their_names_and_bodies() -> None:
    root = of_everything()
    plain, with_parameters = root.of_type(MacroDefinition)
    assert plain.body is not None
    assert (plain.name, plain.body.text, type(plain)) == ("SIZE", "4", PlainMacro)
    assert isinstance(with_parameters, ParameterMacro)
    assert (with_parameters.name, with_parameters.parameter_list.text) == ("READ", "(at)")
    asked = next(root.of_type(ConditionalDirective))
    assert (asked.asked.text, type(asked.alternative)) == ("FAST", ElifDirective)
    assert isinstance(asked.alternative, ElifDirective)
    assert isinstance(asked.alternative.alternative, ElseDirective)


def test_words_and_signs_are_tokens_and_no_named_children() -> None:
    root = parse(b"uniform sampler2D t_x;  // the input")
    declaration, comment = root.named_children
    assert isinstance(comment, Comment)
    assert declaration.has_word("uniform")
    assert not declaration.has_word("in")
    assert [each.kind for each in declaration.children if isinstance(each, Token)] == ["uniform", ";"]
    assert [each.text for each in declaration.named_children] == ["sampler2D", "t_x"]


def test_a_node_knows_its_siblings_and_what_is_around() -> None:
    root = of_everything()
    number = next(each for each in root.of_type(NumberLiteral) if each.text == "0.5")
    assert isinstance(number.parent, BinaryExpression)
    assert [type(each) for each in names_around(number)] == [ForLoop, CompoundStatement, FunctionDefinition]
    loop = number.enclosing(ForLoop)
    assert loop is not None
    assert isinstance(loop.next_sibling, WhileLoop)
    first = parse(b"f(a, b);").named_children[0].named_children[0]
    assert isinstance(first, FunctionCall)
    a, b = first.arguments
    assert a.next_sibling is not None
    assert (a.next_sibling.text, a.next_named_sibling) == (",", b)
    assert b.next_named_sibling is None


def names_around(node: SyntaxNode) -> Iterator[SyntaxNode]:
    return (each for each in node.ancestors() if isinstance(each, ForLoop | CompoundStatement | FunctionDefinition)
            and not isinstance(each.parent, ForLoop))  # fmt: skip


def test_the_innermost_node_around_a_byte_is_found() -> None:
    text = b"void main() { x = sqrt(y); }"
    tree = parse(text).tree
    at = text.index(b"y)")
    assert (tree.descendant(at, at).text, tree.descendant(at, at + 2).text) == ("y", "(y)")
    assert tree.descendant(len(text), len(text)).number == 0


@pytest.mark.parametrize("text", ["", "}}}", "void main() { x = ; }", "vec4 f( {"])
def test_text_that_does_not_parse_has_an_error(text: str) -> None:
    root = parse(text.encode())
    assert root.has_error == (text != "")
    assert all(node.parent is None or node.has_error <= node.parent.has_error for node in root.walk())


def test_what_the_parser_puts_in_is_missing() -> None:
    missing = [each for each in parse(b"precision highp float;").walk() if each.is_missing]
    assert [each.text for each in missing] == [""]
    assert isinstance(missing[0], Identifier)


def test_no_nesting_is_too_deep() -> None:
    deep = parse(b"void main() { x = " + b"(" * 5000 + b"y" + b")" * 5000 + b"; }")
    assert len(list(deep.of_type(Parenthesised))) == 5000


def test_a_text_is_parsed_once() -> None:
    assert parse(b"float once;") is parse(b"float once;")


def test_a_program_s_nodes_know_their_lines_in_the_author_s_files() -> None:
    text = f"void helper() {{}}\n{line_directive(1, 7)}\nvoid main() {{}}\n"
    program = ProgramSource(text, (SourceFile(1, "own.frag", "void main() {}"),))
    helper, main = parse_program(program).of_type(FunctionDefinition)
    assert (helper.place, main.place) == (("generated", 1), ("own.frag", 7))


def test_a_precision_of_a_parameter_is_no_type() -> None:
    source = without_precisions(b"float f(highp float x) { return x; }")
    parameter = next(parse(source).of_type(ParameterDeclaration))
    assert parameter.type is not None
    assert (parameter.type.text, source.decode()) == ("float", "float f(      float x) { return x; }")


def test_functions_whose_parameters_have_a_precision_are_functions() -> None:
    text = b"uniform highp sampler2D t; float f(highp vec2 p, const mediump vec2 q[2], lowp float r) { return r; }"
    shown = without_precisions(text)
    assert len(shown) == len(text)
    root = parse(shown)
    assert not root.has_error
    assert [function.name for function in root.of_type(FunctionDefinition)] == ["f"]
    assert b"highp sampler2D" in shown


def test_a_constructor_parses_as_a_call_in_a_text_of_the_same_length() -> None:
    source = b"int(x) * float (y) + integer(z)"
    assert constructors_as_calls(source) == b"INT(x) * FLOAT (y) + integer(z)"


def test_a_text_of_many_parentheses_is_asked_to_its_end() -> None:
    deep = 3 * sys.getrecursionlimit()
    text = f"uniform sampler2D t_x;\nout vec4 y;\nvoid main() {{ y = {'(' * deep}texture(t_x, p){')' * deep}; }}\n"
    program = ProgramSource(text, (SourceFile(1, "deep.frag", text),))
    assert ShaderText(program).reads("t_x") == (("deep.frag", 3),)
    assert instrument(program, "deep").samplers == ("t_x",)


def test_an_image_that_is_restricted_is_a_uniform() -> None:
    source = without_restrictions(b"layout(r32f) writeonly restrict uniform image2D i_y;")
    assert len(source) == 52
    (declaration,) = parse(source).of_type(Declaration)
    assert declaration.has_word("uniform")
    assert declaration.type is not None
    assert declaration.type.text == "image2D"
