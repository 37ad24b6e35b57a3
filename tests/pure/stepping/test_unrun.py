"""Tests lines that a fragment never came to."""

from __future__ import annotations

from texelscope.pipeline.stepping.unrun import line_with_code, unrun_lines

TEXT = """\
#version 330
uniform float u_a;     // 2
float never(float x) {
    float y = x;
    return y * 2.0;
}
void main() {
    float sum;
    if (u_a > 0.0) {
        vec4 v;
        sum = max(u_a,
                  1.0);
    } else {
        /* left = out */
        sum = 0.0;
    }
    #ifdef DEEP
    sum = 3.0;
    #endif
    for (int i = 0; i < 3; i++)
        sum += 1.0;
    gl_FragColor = vec4(
        sum);
}
"""


def test_lines_that_did_not_run_are_those_of_other_branches_and_functions() -> None:
    assert unrun_lines(TEXT, {9, 15, 20, 21, 22}) == {4, 5, 11, 12, 18}
    assert unrun_lines(TEXT, {9, 11, 20, 21, 22}) == {4, 5, 15, 18}


def test_a_declaration_goes_with_what_stands_before_it() -> None:
    text = "void main() {\n  if (a)\n  {\n    x = 1.0;\n    vec2 y;\n    y.x = x;\n  }\n  z = 1.0;\n  vec2 q;\n}\n"
    assert unrun_lines(text, {2, 8}) == {4, 5, 6}


def test_a_breakpoint_goes_to_the_next_line_with_code() -> None:
    assert [line_with_code(TEXT, number) for number in (1, 6, 9, 14, 17, 24)] == [2, 7, 9, 15, 18, 24]
