"""Statements that were left out, and what is gathered otherwise where all members are written out."""

from __future__ import annotations

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant

HEAD = "#version 330\nuniform sampler2D image;\nuniform int u_size;\nout vec4 result;\n"


def edits(body: str) -> tuple[MutableProgram, tuple[Mutant, ...]]:
    source = f"{HEAD}void main() {{ {body} }}\n"
    text = MutableProgram(ProgramSource(source, (SourceFile(0, "a.frag", source),)))
    return text, text.edits(())


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("int k = 7; int c = k / 6; int h = k / 2; result = vec4(c, h, 0, 1);",
         "int k = 7; int c = k / 6; k -= c * 6; int h = k / 2; result = vec4(c, h, 0, 1);"),
        ("int k = 7; int c = k % u_size; int h = k; result = vec4(c, h, 0, 1);",
         "int k = 7; int c = k % u_size; k /= u_size; int h = k; result = vec4(c, h, 0, 1);"),
        ("float s = 0.0; s += 1.0; vec2 a = vec2(1.0); vec2 b = vec2(2.0); result = vec4(s);",
         "float s = 0.0; s += 1.0; vec2 a = vec2(1.0); vec2 b = vec2(2.0); s += dot(a, b); result = vec4(s);"),
        ("float s = 0.0; for (int i = 0; i < 3; i++) { float v = float(i); } result = vec4(s);",
         "float s = 0.0; for (int i = 0; i < 3; i++) { float v = float(i); s += v; } result = vec4(s);"),
        ("ivec2 rc = ivec2(0); if (++rc.x < 3) { result = vec4(1.0); } result *= float(rc.x);",
         "ivec2 rc = ivec2(0); if (++rc.x < 3) { result = vec4(1.0); } --rc.x; result *= float(rc.x);"),
    ],
)  # fmt: skip
def test_what_stands_there_lacks_a_statement(body: str, wanted: str) -> None:
    text, every = edits(body)
    made = {text.edited((each,)) for each in every if each.proposal.kind == "left out"}
    assert f"{HEAD}void main() {{ {wanted} }}\n" in made


def test_nothing_is_put_where_nothing_is_lacking() -> None:
    _, every = edits("int k = 7; int c = k / 6; k -= c * 6; float s = 0.0; s += float(k + c); result = vec4(s);")
    assert not [each for each in every if each.proposal.kind == "left out"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0.25 * (a + b + c + d)", "max(max(a, b), max(c, d))"),
        ("max(max(a, b), max(c, d))", "(a + b + c + d) / 4.0"),
        ("max(max(a, b), max(c, d))", "min(min(a, b), min(c, d))"),
        ("a + b + c", "max(a, max(b, c))"),
        ("abs(a) + abs(b + c)", "sqrt(a * a + (b + c) * (b + c))"),
        ("sqrt(a * a + b * b)", "abs(a) + abs(b)"),
    ],
)
def test_members_that_are_written_out_are_gathered_otherwise(old: str, new: str) -> None:
    _, every = edits(f"float a = 1.0, b = 2.0, c = 3.0, d = 4.0; float v = {old}; result = vec4(v + d);")
    assert (old, new) in {(each.proposal.old, each.proposal.new) for each in every}


def test_what_a_branch_of_the_preprocessor_declares_is_known_in_its_like() -> None:
    _, every = edits(
        "float s = 1.0;\n#ifdef MEAN\nfloat n = 2.0;\n#else\nfloat m = 3.0;\n#endif\n"
        "#ifdef MEAN\nresult = vec4(s / 9.0);\n#endif\n"
    )
    made = {each.proposal.new for each in every if each.proposal.old == "9.0"}
    assert "n" in made
    assert "m" not in made


def test_a_summand_of_a_longer_index_is_counted_by_another_s_stride() -> None:
    _, every = edits(
        "int a = int(gl_FragCoord.x), m = a % 2, g = a / 2; int k = a * u_size + m * 3 + g;"
        "result = texelFetch(image, ivec2(k, 0), 0);"
    )
    made = {each.proposal.new for each in every if each.proposal.old == "a * u_size + m * 3 + g"}
    assert {"a * u_size + m + g * 3", "a * u_size + m + g * 2"} <= made
