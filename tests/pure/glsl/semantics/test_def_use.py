"""Which definitions a use sees, through branches and loops, and what a value is used for."""

from __future__ import annotations

import pytest

from texelscope.pipeline.glsl.semantics.def_use import DefUse
from texelscope.pipeline.glsl.semantics.expressions import Identifier
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.roles import ValueRole, roles_of
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

HEAD = "uniform sampler2D t_x;\nuniform int u_w;\nout vec4 color;\n"


def tree(text: str) -> SyntaxNode:
    return parse(constructors_as_calls((HEAD + text).encode()))


def marked(root: SyntaxNode, mark: str) -> Identifier:
    """The last identifier of that name."""
    return [each for each in root.of_type(Identifier) if each.text == mark][-1]


def seen(body: str, name: str = "x") -> list[str]:
    root = tree(f"void main() {{ {body} }}")
    return [each.node.text for each in DefUse(root).definitions(marked(root, name))]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("float x = 1.0; use(x);", ["x = 1.0"]),
        ("float x; x = 1.0; x = 2.0; use(x);", ["x = 2.0"]),
        ("float x = 1.0; if (c) x = 2.0; use(x);", ["x = 1.0", "x = 2.0"]),
        ("float x = 1.0; if (c) { x = 2.0; } else { use(x); }", ["x = 1.0"]),
        ("float x = 1.0; if (c) { x = 2.0; use(x); }", ["x = 2.0"]),
        ("float x = 1.0; x += 2.0; use(x);", ["x = 1.0", "x += 2.0"]),
        ("vec2 x = vec2(1.0); x.y = 2.0; use(x);", ["x = vec2(1.0)", "x.y = 2.0"]),
        ("float x = 0.0; for (;;) { use(x); x = 1.0; }", ["x = 0.0", "x = 1.0"]),
        ("float x = 0.0; for (;;) { x = 2.0; use(x); x = 1.0; }", ["x = 2.0"]),
        ("for (int x = 0; x < 3; x++) { use(x); }", ["x = 0", "x++"]),
        ("float x = 1.0; { float x = 2.0; } use(x);", ["x = 1.0"]),
        ("float x = 1.0; { float x = 2.0; use(x); }", ["x = 2.0"]),
        ("float x = 1.0; x = x;", ["x = 1.0"]),
        ("use(x);", []),
    ],
)
def test_a_use_sees_the_definitions_that_reach_it(body: str, expected: list[str]) -> None:
    assert seen(body) == expected


def test_a_parameter_is_a_definition_and_an_out_argument_another() -> None:
    root = tree("void set(out float a) { a = 1.0; }\nvoid main() { float x = 0.0; set(x); use(x); }")
    assert [each.node.text for each in DefUse(root).definitions(marked(root, "x"))] == ["x = 0.0", "set(x)"]
    root = tree("float twice(float x) { return x + x; }")
    assert [each.node.text for each in DefUse(root).definitions(marked(root, "x"))] == ["float x"]


def test_a_definition_knows_its_uses() -> None:
    root = tree("void main() { float x = 1.0; a(x); x = 2.0; b(x); c(x); }")
    def_use = DefUse(root)
    first, second = def_use.all_definitions(def_use.symbol(marked(root, "x")))  # type: ignore[arg-type]
    assert [[use.parent.parent.text for use in def_use.uses(each)] for each in (first, second)] == [  # type: ignore[union-attr]
        ["a(x)"],
        ["b(x)", "c(x)"],
    ]


def test_functions_and_what_the_text_does_not_declare_are_no_symbols() -> None:
    root = tree("float f(float a) { return a; }\nvoid main() { f(gl_FragCoord.x); }")
    assert [DefUse(root).symbol(marked(root, name)) for name in ("f", "gl_FragCoord")] == [None, None]


@pytest.mark.parametrize(
    ("body", "roles"),
    [
        ("color = texelFetch(t_x, ivec2(k, 0), 0);", {ValueRole.ADDRESS}),
        ("int at = 2 * k; color = texelFetch(t_x, ivec2(at, 0), 0);", {ValueRole.ADDRESS}),
        ("color = w[k];", {ValueRole.ADDRESS}),
        ("for (int i = 0; i < k; i++) { a += b; }", {ValueRole.BOUND}),
        ("if (k == 1) discard;", {ValueRole.BOUND}),
        ("color = vec4(a / k);", {ValueRole.DIVISOR}),
        ("color = w[a % k];", {ValueRole.DIVISOR, ValueRole.ADDRESS}),
        ("color = tanh(k + a);", {ValueRole.CURVE_ARGUMENT}),
        ("float sum = 0.0; for (int i = 0; i < 3; i++) { sum += k; } color = vec4(sum);", {ValueRole.ACCUMULATOR}),
        ("color = vec4(chosen(k));", {ValueRole.BOUND}),
        ("color = vec4(k);", set()),
    ],
)
def test_a_value_has_the_roles_of_what_it_becomes(body: str, roles: set[ValueRole]) -> None:
    root = tree(f"float chosen(float a) {{ return a > 0.0 ? 1.0 : 2.0; }}\nvoid main() {{ int k = 1; {body} }}")
    assert roles_of(marked(root, "k"), DefUse(root)) == roles


def test_roles_are_found_where_a_variable_is_made_of_itself() -> None:
    root = tree("void main() { float s = 0.0; for (int i = 0; i < 3; i++) { s = s + 1.0; } color = vec4(s); }")
    assert roles_of(marked(root, "s"), DefUse(root)) == {ValueRole.ACCUMULATOR}
