"""Shaders rewritten to record their reads: insertions alone, and a clear word where a read cannot be followed."""

from __future__ import annotations

import pytest

from tests.pure.models import relu
from texelscope import pipeline
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.glsl.lines import line_map
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.read_trace.instrument import Instrumented, instrument

HEAD = "#version 330 core\nuniform sampler2D t_X;\nout vec4 Y;\n"


def whole(text: str) -> ProgramSource:
    return ProgramSource(text, (SourceFile(1, "own.frag", text),))


def instrumented(body: str, head: str = HEAD) -> Instrumented:
    return instrument(whole(f"{head}{body}"), "own")


class TestRewriting:
    """What changes, and what does not."""

    def test_a_read_becomes_a_call_of_its_wrapper_with_sampler_site_and_lanes(self) -> None:
        found = instrumented("void main() { Y = vec4(texelFetch(t_X, ivec2(0), 0).gb, 0.0, 1.0); }")
        assert "tap_texelFetch(0, 0, 6, t_X, ivec2(0), 0).gb" in found.fragment
        assert found.samplers == ("t_X",)
        assert [(site.file, site.line) for site in found.sites] == [("own.frag", 4)]
        assert found.sites[0].text == "texelFetch(t_X, ivec2(0), 0)"

    def test_lines_stay_where_they_were(self) -> None:
        body = "void main() {\n    // a comment: texture(t_X, vec2(0))\n    Y = texture(t_X, vec2(0.5));\n}"
        text = instrumented(body).fragment.splitlines()
        start = text.index("#line 2 0") + 1
        assert text[start : start + 3] == ["uniform sampler2D t_X;", "out vec4 Y;", "void main() {"]
        assert text[start + 3] == "    // a comment: texture(t_X, vec2(0))"

    def test_the_version_is_one_with_storage_buffers(self) -> None:
        body = "void main() { Y = vec4(0); }"
        assert instrumented(body).fragment.startswith("#version 430 core\n")
        es = "#version 300 es\nprecision highp float;\nuniform sampler2D t_X;\nout vec4 Y;\n"
        assert instrumented(body, es).fragment.startswith("#version 310 es\n")

    def test_a_version_or_extension_in_a_comment_moves_nothing(self) -> None:
        head = (
            "// #version 100\n#version 300 es\n/*\n#extension GL_X : enable\n*/\nprecision highp float;\nout vec4 Y;\n"
        )
        lines = instrumented("void main() { Y = vec4(0); }", head).fragment.split("\n")
        assert lines[:2] == ["// #version 100", "#version 310 es"]
        assert lines[lines.index("#line 3 0") + 1 :][:3] == ["/*", "#extension GL_X : enable", "*/"]

    @pytest.mark.parametrize("kind", ["sampler2D", "highp sampler2D", "in sampler2D"])
    @pytest.mark.parametrize("parameters", ["{} s, int i", "int i, {} s"])
    def test_a_sampler_that_is_handed_on_is_followed(self, kind: str, parameters: str) -> None:
        own, given = parameters.format(kind), "t_X, 1" if parameters.startswith("{") else "1, t_X"
        body = f"float f({own}) {{ return texelFetch(s, ivec2(i), 0).r; }}\nvoid main() {{ Y = vec4(f({given})); }}"
        text = instrumented(body).fragment
        assert f"highp int tap_id_s, {kind} s" in text
        assert "texelFetch(tap_id_s, " in text
        assert "0, t_X" in text

    def test_a_read_within_a_constructor_in_parentheses_is_found(self) -> None:
        body = "void main() { Y = vec4((int(texture(t_X, vec2(0)).g) * 3 + 1) * (float(2) * 0.5)); }"
        assert "(int(tap_texture(0, 0, 2, t_X, vec2(0)).g) * 3 + 1) * (float(2) * 0.5)" in instrumented(body).fragment

    def test_reads_of_generated_accessors_stand_in_the_authors_file(self) -> None:
        (each,) = pipeline.plan_of(relu()).passes
        (site,) = instrument(each.program, "act").sites
        assert (site.file, site.text) == ("shaders/operators/unary.texel.glsl", "X_here(lane)")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "#ifdef GL_some_extension\n#define READ(p) texture(t_X, p)\n#else\n#define READ(p) texture(t_X, p, 1.0)\n"
            "#endif\nvoid main() { Y = READ(vec2(0)); }",
            r"taps of 'own' \(own\.frag:9\): expected texture reads that the text tells, "
            r"got reads in macro 'READ', which is defined in more than one way, by conditions that the driver ",
        ),
        (
            "#define READ(p) texture(t_X, p)\n#define OF(f) f(vec2(0))\nvoid main() { Y = OF(READ); }",
            r"got reads in macro 'READ', which is handed on by its name\.",
        ),
        (
            "#define READ(p, q) texture(t_X, p + q)\nvoid main() { Y = READ(vec2(0)); }",
            r"got reads in macro 'READ', which takes 2 arguments\.",
        ),
        ("void main() { Y = textureGather(t_X, vec2(0)); }", r"expected reads by texelFetch, .*, got textureGather\."),
        (
            "uniform sampler2D many[2];\nvoid main() { Y = vec4(0); }",
            "expected samplers declared one by one, got an array",
        ),
        ("void main() { Y = texture(t_Z, vec2(0)); }", "expected a sampler uniform or a sampler parameter, got 't_Z'"),
        (
            "float size_t(float x) { return x; }\nvoid main() { Y = vec4((size_t(texture(t_X, vec2(0)).r) * 2.0)); }",
            "expected a read that parses, got 'texture' in text that does not",
        ),
        ("void main() { Y = texture(t_X, vec2(0) 3); }", "expected a read that parses, got texture"),
    ],
)
def test_a_read_that_cannot_be_followed_is_named_with_its_line(body: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message) as caught:
        instrumented(body)
    assert str(caught.value).endswith("Write the read out; the pass itself runs as it is.")


def test_the_lines_of_a_generated_program_are_known_by_file_and_line() -> None:
    (each,) = pipeline.plan_of(relu()).passes
    known = line_map(each.program)
    lines = each.program.fragment.split("\n")
    for file in each.program.files:
        for number, text in enumerate(file.text.rstrip().split("\n"), 1):
            assert (file.path, number) in [place for place, line in zip(known, lines, strict=True) if line == text]
    assert known[0] == ("generated", 1)
