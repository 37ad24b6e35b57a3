"""What is asked of a node whatever it is."""

from __future__ import annotations

import pytest

from texelscope.pipeline.glsl.semantics.expressions import FunctionCall, Identifier, Parenthesised
from texelscope.pipeline.glsl.semantics.parsing import parse
from texelscope.pipeline.glsl.semantics.questions import (
    argument_of,
    arguments,
    bare,
    condition_of,
    declared_name,
    function_around,
    function_called,
    function_name,
    is_decided_by,
    name_around,
    names_in,
    parameters,
    sides_of,
    target_of,
    value_of,
)
from texelscope.pipeline.glsl.semantics.statements import ForLoop, FunctionDefinition, IfStatement, InitDeclarator
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

TEXT = b"""\
uniform sampler2D t_x;
float first(float x, float w[2]) { return x; }
void main() {
    for (int i = 0; i < 3; i++) { y += first(second(1.0)); }
    if (a < b) v.x = ((w[1]));
}
"""


def root() -> SyntaxNode:
    return parse(TEXT)


def test_a_call_knows_its_name_and_the_function_around_it() -> None:
    calls = list(root().of_type(FunctionCall))
    assert [function_called(call) for call in calls] == ["first", "second"]
    assert [name_around(call) for call in calls] == ["main", "main"]
    assert [each.text for each in arguments(calls[1])] == ["1.0"]


def test_what_is_outside_all_functions_is_in_none() -> None:
    sampler = next(node for node in root().of_type(Identifier) if node.text == "t_x")
    assert function_around(sampler) is None
    assert (name_around(sampler), function_called(sampler), arguments(sampler)) == ("", "", ())
    assert function_name(None) == ""


def test_a_function_has_its_parameters_by_name() -> None:
    function = next(root().of_type(FunctionDefinition))
    assert [declared_name(each) for each in parameters(function)] == ["x", "w"]
    assert function_name(function) == function_name(function.declarator) == "first"


@pytest.mark.parametrize(
    ("text", "target", "value", "sides"),
    [
        (b"void f() { x += 2; }", "x", "2", ("x", "2")),
        (b"void f() { x++; }", "x", None, (None, None)),
        (b"void f() { int x = 2; }", "x", "2", (None, None)),
        (b"void f() { x < 2; }", None, None, ("x", "2")),
    ],
)
def test_what_gives_a_value_says_to_what(
    text: bytes, target: str | None, value: str | None, sides: tuple[str | None, str | None]
) -> None:
    body = next(parse(text).of_type(FunctionDefinition)).body.named_children[0]
    node = next(body.of_type(InitDeclarator), body.named_children[0])
    found = (target_of(node), value_of(node), *sides_of(node))
    assert tuple(each.text if each is not None else None for each in found) == (target, value, *sides)


def test_parentheses_are_seen_through() -> None:
    outer = next(node for node in root().of_type(Parenthesised) if node.text == "((w[1]))")
    assert bare(outer).text == "w[1]"
    base = argument_of(bare(outer))
    assert base is not None
    assert base.text == "w"
    assert argument_of(outer) is None


def test_conditions_and_updates_decide() -> None:
    loop, choice = next(root().of_type(ForLoop)), next(root().of_type(IfStatement))
    assert condition_of(loop) is loop.condition
    assert condition_of(choice) is choice.condition
    assert condition_of(loop.body) is None
    assert loop.update is not None
    assert is_decided_by(loop, loop.update)
    assert not is_decided_by(loop, loop.body)
    assert list(names_in(loop.update)) == ["i"]
