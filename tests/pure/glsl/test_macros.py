"""Macros that read are written out as a preprocessor does it, and lines stay."""

from __future__ import annotations

import pytest

from texelscope.pipeline.glsl.macros import MacroError, expand_all, expand_reads, without_inactive_branches
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.read_trace.instrument import instrument

READING = ("texture", "texelFetch", "t_x")


def body(text: str) -> str:
    """Returns the expansion of the last line."""
    return expand_reads(text, READING).text.split("\n")[-1]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("#define READ(u) texture(t_x, u)\nREAD(vec2(0, 1)).r", "texture(t_x, vec2(0, 1)).r"),
        ("#define READ(u) texture(t_x, u)\nREAD (READ(a).xy)", "texture(t_x, texture(t_x, a).xy)"),
        ("#define AT(s, u) texture(s, u)\n#define READ(u) AT(t_x, (u) * S)\nREAD(p)", "texture(t_x, (p) * S)"),
        ("#define fetch texelFetch\nfetch(t_x, p, 0)", "texelFetch(t_x, p, 0)"),
        ("#define IMAGE t_x\ntexture(IMAGE, p)", "texture(t_x, p)"),
        ("#define READ(n) texture(t_##n, p)\nREAD(x)", "texture(t_x, p)"),
        ("#define READ() texture(t_x, p)\nREAD()", "texture(t_x, p)"),
        ("#define READ(u) \\\n  texture(t_x, \\\n u)\nREAD(p)", "texture(t_x, p)"),
        ("#define READ(u) texture(t_x, u) // all\nREAD(p);", "texture(t_x, p);"),
        ("#define texture(s, u) texture(s, u * 2.0)\ntexture(t_x, p)", "texture(t_x, p * 2.0)"),
        ("#define SIZE(u) (u + 1)\nSIZE(2)", "SIZE(2)"),
        ("#define READ(u) texture(t_x, u)\n// READ(p)", "// READ(p)"),
        ("#define READ(u) /* two\nlines */ texture(t_x, u)\nREAD(p)", "texture(t_x, p)"),
        ("#define READ(u) texture(t_x, u)\nx; /* never ends: READ(p)", "x; /* never ends: READ(p)"),
    ],
)
def test_a_use_becomes_the_text_that_it_stands_for(text: str, made: str) -> None:
    assert body(text).strip() == made


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("#ifdef FAST", "second"),
        ("#ifndef FAST", "first"),
        ("#define FAST 2\n#if FAST == 2", "first"),
        ("#define FAST 2\n#if FAST < 2", "second"),
        ("#if defined(FAST)", "second"),
        ("#if !defined(FAST)", "first"),
        ("#if 0", "second"),
        ("#ifdef GL_ES", "second"),
    ],
)
def test_of_two_definitions_the_one_that_counts_is_taken(condition: str, kept: str) -> None:
    text = f"{condition}\n#define READ(u) texture(first, u)\n#else\n#define READ(u) texture(second, u)\n#endif\nREAD(p)"
    assert body(text) == f"texture({kept}, p)"


@pytest.mark.parametrize(
    ("version", "kept"),
    [("300 es", "second"), ("100", "second"), ("330 core", "first"), ("330 core // no 300 es", "first")],
)
def test_what_is_defined_in_es_alone_is_known_by_the_version(version: str, kept: str) -> None:
    condition = f"#version {version}\n#ifndef GL_ES"
    text = f"{condition}\n#define READ(u) texture(first, u)\n#else\n#define READ(u) texture(second, u)\n#endif\nREAD(p)"
    assert body(text) == f"texture({kept}, p)"


def test_the_text_may_end_a_definition_and_give_another() -> None:
    text = "#define READ(u) texture(a, u)\n{}\n#undef READ\n#define READ(u) texture(b, u)\nREAD(p)"
    assert body(text) == "texture(b, p)"


def test_a_use_over_several_lines_leaves_the_lines_after_it_in_their_places() -> None:
    text = "#define READ(u, v) texture(t_x, vec2(u, v))\nx = READ(\n  1.0,\n  2.0); // here\ny = 3;"
    expanded = expand_reads(text, READING)
    assert expanded.text.split("\n")[1] == "x = texture(t_x, vec2( 1.0, 2.0))"
    assert expanded.text.split("\n")[-1] == "y = 3;"
    assert expanded.text.count("\n") == text.count("\n")
    (use,) = expanded.uses
    assert use.text == "READ( 1.0, 2.0)"
    assert expanded.text.encode()[use.start : use.stop].startswith(b"texture(")


def test_a_read_in_a_macro_stands_where_the_macro_is_used() -> None:
    text = (
        "#version 330 core\nuniform sampler2D t_x;\nout vec4 Y;\n#define READ(u) texelFetch(t_x, u, 0)\n"
        "void main() {\n    Y = vec4(READ(ivec2(1)).b);\n}"
    )
    found = instrument(ProgramSource(text, (SourceFile(1, "own.frag", text),)), "own")
    (site,) = found.sites
    assert (site.file, site.line, site.text) == ("own.frag", 6, "READ(ivec2(1))")
    assert "tap_texelFetch(0, 0, 4, t_x, ivec2(1), 0).b" in found.fragment


def test_every_macro_is_written_out_and_directives_leave_their_lines() -> None:
    decided = "#ifdef GL_EXT_x\nhidden\n#else\nV4(N) /* kept */\n#endif\n"
    text = f"#define N 3\n#define V4 vec4\n{decided}#define A(x) \\\n (x + N)\nA(1)"
    assert expand_all(text) == "\n\n\n\n\nvec4(3) /* kept */\n\n\n\n(1 + 3)"


def test_macros_that_double_each_other_end() -> None:
    text = "#define A0 x\n" + "".join(f"#define A{i + 1} A{i} A{i}\n" for i in range(40)) + "A40"
    with pytest.raises(MacroError, match="becomes more than"):
        expand_all(text)


def test_branches_that_the_text_decides_go_and_the_lines_stay() -> None:
    text = "#define A\n#ifdef A\nfirst\n#else\nsecond\n#endif\n#ifdef GL_X\nthird\n#elif defined(B)\nfourth\n#endif\nA"
    kept = without_inactive_branches(text)
    assert kept.count("\n") == text.count("\n")
    assert [line for line in kept.split("\n") if line and line[0] != "#"] == ["first", "third", "A"]
    assert without_inactive_branches("no #directive") == "no #directive"
