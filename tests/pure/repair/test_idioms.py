"""Macros that stand for statements: what they declare is known, and what they are written around is edited."""

from __future__ import annotations

import pytest

from texelscope.pipeline.glsl.semantics.statement_macros import statement_macros_of
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram

HEAD = "#version 330\nuniform sampler2D image;\nuniform int u_size;\nout vec4 result;\n"
LANES = "#define LANES for (int lane = 0; lane < 4; lane++)\n"
EACH = "#define EACH(body) for (int l = 0; l < 4; ++l) { int e = 4 + l; if (e < 9) { body } }\n"
HERE = "#define HERE() ivec2 at = ivec2(gl_FragCoord.xy); int tile = at.x / 4\n"
TURN = "#define TURN(i, n) for (int i = 0; i < (n); i++)\n"
TABLE = "const vec4 b[3] = vec4[](vec4(1), vec4(2), vec4(3));\n"
TAP = "#define TAP(dx) sum += b[dx + 1] * texelFetch(image, p + ivec2(dx, 0), 0)\n"


def edited(macro: str, body: str) -> set[str]:
    source = f"{HEAD}{macro}void main() {{ {body} }}\n"
    text = MutableProgram(ProgramSource(source, (SourceFile(0, "a.frag", source),)))
    return {text.edited((each,)).removeprefix(HEAD) for each in text.edits(())}


@pytest.mark.parametrize(
    ("macro", "right", "wrong"),
    [
        (LANES, "LANES { int o = u_size + lane; result[lane] = float(o); }",
         "LANES { int o = u_size + lane; result[lane] = float(lane); }"),
        (TURN, "TURN(k, 3) { int o = u_size + k; result += float(o); }",
         "TURN(k, 3) { int o = u_size + k; result += float(k); }"),
        (EACH, "EACH( int i = e; result[l] = float(i); )", "EACH( int i = l; result[l] = float(i); )"),
        (HERE + TABLE, "HERE(); result = b[tile];", "HERE(); result = b[0];"),
    ],
)  # fmt: skip
def test_what_macros_declare_is_said_where_it_is_known(macro: str, right: str, wrong: str) -> None:
    assert f"{macro}void main() {{ {right} }}\n" in edited(macro, wrong)


def test_bodies_that_do_something_are_edited() -> None:
    body = "ivec2 p = ivec2(gl_FragCoord.xy); int row = p.y; vec4 sum = vec4(0.0); TAP(-1); TAP(0); result = sum;"
    right, wrong = TABLE + TAP, TABLE + TAP.replace("sum += b[dx + 1]", "sum += b[row]")
    assert f"{right.replace('dx + 1', 'row')}void main() {{ {body} }}\n" in edited(right, body)
    assert f"{wrong.replace('row', 'row + 1')}void main() {{ {body} }}\n" in edited(wrong, body)
    moved = HERE.replace("at.x / 4", "at.y / 4")
    assert f"{moved}void main() {{ HERE(); result = vec4(tile); }}\n" in edited(HERE, "HERE(); result = vec4(tile);")


def test_a_text_is_as_long_as_it_was() -> None:
    for source in (LANES + "void main() { LANES { } }", EACH + "void main() { EACH(l;) }", "void main() { }"):
        assert len(statement_macros_of(source.encode()).text) == len(source)
    shown = statement_macros_of((HERE + "void main() { HERE(); }").encode())
    assert shown.text.decode().endswith("{ HERE(); }")
    assert {each.name for each in shown.declared} == {"at", "tile"}


@pytest.mark.parametrize("precise", ["highp ", "const mediump "])
def test_functions_of_parameters_with_a_precision_are_edited_as_others(precise: str) -> None:
    of = "float of({0}vec2 p, {0}vec2 q) {{ return p.y - q.x; }}\n"
    found = {text.replace(precise, "") for text in edited(of.format(precise), "")}
    assert found == edited(of.format(""), "")
    assert any("p.x - q.x" in text for text in found)
    source = f"{HEAD}{of.format(precise)}".encode()
    assert len(statement_macros_of(source).text) == len(source)
