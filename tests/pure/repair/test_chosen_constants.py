"""What GLSL wants constant, while it is chosen: what is made of a constant too, offsets of reads, bodies of macros."""

from __future__ import annotations

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram


def made(text: str, line: int) -> tuple[str, set[str]]:
    """The program of the edits of a line, and how they read."""
    program = ProgramSource(text, (SourceFile(0, "a.frag", text),))
    editable = MutableProgram(program)
    edits = [each for each in editable.edits(()) if each.line[1] == line]
    return editable.schemata(edits).program.fragment, {each.proposal.new for each in edits}


def test_what_is_made_of_a_constant_is_none_either() -> None:
    head = "#version 330\nout vec4 o;\nconst int A = 2;\nconst int B = A * 2;\nconst int C = 3;\n"
    text = head + "void main() { o = vec4(A + B + C); }\n"
    assert "/*const*/ int B = A * 2;" in made(text, 3)[0]
    assert "\nconst int C = 3;" in made(text, 3)[0]
    assert "\nconst int A = 2;" in made(text, 4)[0]


def test_an_offset_of_a_read_is_worked_out_as_the_shader_runs() -> None:
    head = "#version 330\nuniform sampler2D t;\nin vec2 p;\nout vec4 o;\n"
    macro = "#define at(x, y) textureOffset(t, p, ivec2(x, y))\n"
    program, texts = made(head + macro + "void main() {\n o = at(-1, 0);\n}\n", 7)
    assert "-2" in texts
    assert "#define at(x, y) texelscope_textureOffset(t, p, ivec2(x, y))" in program
    assert "texelscope_textureOffset(t, p, o) texture(t" in program
    assert "texelscope_textureOffset" not in made(head + "void main() { o = textureOffset(t, p, ivec2(0)); }\n", 9)[0]


def test_macros_do_not_stand_for_one_another() -> None:
    head = "#version 330\nout vec4 o;\n#define W 12\n#define H 9\n"
    text = head + "void main() { o = vec4(W + H); }\n"
    assert not any("H" in each for each in made(text, 3)[1])
    assert any("W" in each for each in made(text, 4)[1])


def test_a_lane_of_a_number_is_no_parameter_of_a_macro() -> None:
    text = "#version 330\nout vec4 o;\n#define twice(x) ((x) * 2.0)\nvoid main() { o = vec4(twice(1.0)); }\n"
    assert "texelscope_number(" in made(text, 3)[0]
    assert ").x" not in made(text, 3)[0].split("#define twice")[1].split("\n")[0]


def test_of_webgl_1_places_and_colours_keep_all_their_bits() -> None:
    text = "#version 100\nprecision highp float;\nvoid main() { gl_FragColor = vec4(gl_FragCoord.x, 0.0, 0.0, 1.0); }\n"
    program, _ = made(text, 3)
    assert "#define gl_FragCoord (gl_FragCoord + u_texelscope_nothing)\nhighp vec4 texelscope_color;" in program
    assert program.endswith("void main() { texelscope_main(); gl_FragColor = texelscope_color; }\n")
    later = "#version 300 es\nprecision highp float;\nout vec4 o;\nvoid main() { o = vec4(gl_FragCoord.x); }\n"
    assert "texelscope_color" not in made(later, 4)[0]
    assert "precision highp int;" in made(later, 4)[0]
