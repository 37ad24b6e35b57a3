"""What a statement lacks is copied from its siblings: the index of another read, and a factor of a sum in a loop."""

from __future__ import annotations

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant

HEAD = """\
#version 430
layout(local_size_x = 64) in;
layout(std430) readonly buffer X { float x[]; };
layout(std430) readonly buffer W { float w[]; };
layout(std430) writeonly buffer Y { float y[]; };
uniform int u_count, u_to;
uniform sampler2D t_x, t_w;
int in_x(int k, int at) { return k * 9 + at; }
int in_w(int k, int o) { return k * u_to + o; }
void main() {
    int id = int(gl_GlobalInvocationID.x), at = id % 9, o = id / 9, k = 0;
    float sum = 0.0;
"""


def copied(body: str) -> list[Mutant]:
    text = f"{HEAD}{body}\n    y[id] = sum;\n}}\n"
    made = MutableProgram(ProgramSource(text, (SourceFile(0, "a.comp", text),)))
    return [each for each in made.edits(()) if each.proposal.kind == "copied"]


def texts(body: str) -> set[str]:
    text = f"{HEAD}{body}\n    y[id] = sum;\n}}\n"
    made = MutableProgram(ProgramSource(text, (SourceFile(0, "a.comp", text),)))
    every = (made.edited((edit,)) for edit in copied(body))
    return {each.removeprefix(HEAD).removesuffix("\n    y[id] = sum;\n}\n") for each in every}


VECTOR = "for (; k + 2 <= u_count; k += 2) sum += dot(vec2(x[{x}], x[{x1}]), vec2(w[{w}], w[{w1}]));"
REST = "for (; k < u_count; k++) sum += x[in_x(k, at)] * w[{w}];"
RIGHT = VECTOR.format(x="in_x(k, at)", x1="in_x(k + 1, at)", w="in_w(k, o)", w1="in_w(k + 1, o)")


@pytest.mark.parametrize("wrong", ["w", "x"])
def test_all_reads_of_a_statement_get_the_index_that_their_sibling_has(wrong: str) -> None:
    """The argument of the parameter that both functions have stays."""
    at = {"x": "in_x(k, at)", "x1": "in_x(k + 1, at)", "w": "in_w(k, o)", "w1": "in_w(k + 1, o)"}
    other = {"w": ("in_x(k, at)", "in_x(k + 1, at)"), "x": ("in_w(k, o)", "in_w(k + 1, o)")}[wrong]
    rest = REST.format(w="in_w(k, o)")
    body = VECTOR.format(**{**at, wrong: other[0], f"{wrong}1": other[1]}) + rest
    assert RIGHT + rest in texts(body)


def test_one_read_gets_the_index_that_its_siblings_have() -> None:
    assert RIGHT + REST.format(w="in_w(k, o)") in texts(RIGHT + REST.format(w="in_x(k, at)"))


@pytest.mark.parametrize(
    ("lacking", "whole"),
    [
        ("for (; k < u_count; k++) sum += x[in_x(k, at)];",
         "for (; k < u_count; k++) sum += x[in_x(k, at)] * w[in_w(k, o)];"),
        ("for (; k < u_count; k++) sum += w[in_w(k, o)];",
         "for (; k < u_count; k++) sum += w[in_w(k, o)] * x[in_x(k, at)];"),
    ],
)  # fmt: skip
def test_a_sum_in_a_loop_gets_the_factor_that_its_function_reads_elsewhere(lacking: str, whole: str) -> None:
    assert RIGHT + whole in texts(RIGHT + lacking)


def test_a_copied_factor_drops_what_its_sibling_adds_and_the_statement_does_not_know() -> None:
    first = ("for (; k + 2 <= u_count; k += 2) for (int i = 0; i < 2; i++) "
             "sum += texelFetch(t_x, ivec2(at, k + i), 0).r * texelFetch(t_w, ivec2(o, k + i), 0).r; ")  # fmt: skip
    rest = "for (; k < u_count; k++) sum += texelFetch(t_x, ivec2(at, k), 0).r"
    assert f"{first}{rest} * texelFetch(t_w, ivec2(o, k), 0).r;" in texts(f"{first}{rest};")


def test_nothing_is_copied_outside_of_loops_and_from_reads_by_the_same_function() -> None:
    assert not copied("sum += x[in_x(k, at)]; sum += w[in_w(k, o)];")
    assert not copied("for (; k < u_count; k++) sum += x[in_x(k, at)] * x[in_x(k + 1, at)];")


def test_copies_are_tried_first_and_are_few() -> None:
    body = " ".join(f"sum += x[in_x({k}, at)] * w[in_w({k}, o)];" for k in range(300))
    assert len(copied(f"for (; k < u_count; k++) {{ {body} }}")) < 50
