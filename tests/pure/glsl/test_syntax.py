"""Trees are walked in the order of the text, however deep, and tell in which function one is."""

from __future__ import annotations

import sys

import tree_sitter

from texelscope.pipeline.glsl.shader_text import ShaderText
from texelscope.pipeline.glsl.syntax import (
    Edits,
    constructors_as_calls,
    function_around,
    function_called,
    function_name,
    parents,
    parse,
    text_of,
    walk,
    without_precisions,
)
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.read_trace.instrument import instrument

TEXT = """\
uniform sampler2D t_x;
float first(float x) { return x; }
void main() {
    for (int i = 0; i < 3; i++) { first(second(1.0)); }
}
"""


def calls(text: str) -> list[tree_sitter.Node]:
    return [node for node in walk(parse(text.encode())) if node.type == "call_expression"]


def test_a_walk_goes_in_the_order_of_the_text() -> None:
    nodes = list(walk(parse(TEXT.encode())))
    assert nodes[0].type == "translation_unit"
    starts = [node.start_byte for node in nodes if not node.children]
    assert starts == sorted(starts)
    assert [text_of(node) for node in nodes if node.type == "identifier"][:4] == ["t_x", "first", "x", "x"]


def test_a_call_knows_its_function_and_the_one_it_is_in() -> None:
    assert [function_called(call) for call in calls(TEXT)] == ["first", "second"]
    assert [function_name(function_around(call)) for call in calls(TEXT)] == ["main", "main"]


def test_what_is_outside_all_functions_is_in_none() -> None:
    sampler = next(node for node in walk(parse(TEXT.encode())) if text_of(node) == "t_x")
    assert function_around(sampler) is None
    assert function_name(None) == ""


def test_a_declarator_has_the_name_of_its_definition() -> None:
    found = [node for node in walk(parse(TEXT.encode())) if node.type.startswith("function_de")]
    assert [(node.type, function_name(node)) for node in found] == [
        ("function_definition", "first"),
        ("function_declarator", "first"),
        ("function_definition", "main"),
        ("function_declarator", "main"),
    ]


def test_parents_come_from_the_inside_out() -> None:
    kinds = [node.type for node in parents(calls(TEXT)[1])]
    assert kinds[:2] == ["argument_list", "call_expression"]
    assert kinds[-1] == "translation_unit"
    assert kinds.index("for_statement") < kinds.index("function_definition")


def test_a_text_of_many_parentheses_is_walked_to_its_end() -> None:
    deep = 3 * sys.getrecursionlimit()
    text = f"uniform sampler2D t_x;\nout vec4 y;\nvoid main() {{ y = {'(' * deep}texture(t_x, p){')' * deep}; }}\n"
    program = ProgramSource(text, (SourceFile(1, "deep.frag", text),))
    assert ShaderText(program).reads("t_x") == (("deep.frag", 3),)
    assert instrument(program, "deep").samplers == ("t_x",)


def test_a_constructor_parses_as_a_call_in_a_text_of_the_same_length() -> None:
    source = b"int(x) * float (y) + integer(z)"
    assert constructors_as_calls(source) == b"INT(x) * FLOAT (y) + integer(z)"


def test_functions_whose_parameters_have_a_precision_are_functions() -> None:
    text = b"uniform highp sampler2D t; float f(highp vec2 p, const mediump vec2 q[2], lowp float r) { return r; }"
    shown = without_precisions(text)
    assert len(shown) == len(text)
    root = parse(shown)
    assert not root.has_error
    assert [function_name(node) for node in walk(root) if node.type == "function_definition"] == ["f"]
    assert b"highp sampler2D" in shown


def test_insertions_at_one_place_keep_their_order() -> None:
    edits = Edits()
    for offset, text in ((4, "1"), (0, "("), (4, "2")):
        edits.insert(offset, text)
    assert edits.apply("ü+b".encode()) == "(ü+b12"
