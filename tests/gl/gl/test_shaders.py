"""Shaders of passes: replaced by a person, refused by the driver, shared, and seen to leave texels unwritten."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import moderngl
import numpy as np
import pytest

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.gl.program import ProgramCache, diagnostics
from texelscope.pipeline.gl.state import set_uniforms
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, SourceFile, UniformValue
from texelscope.pipeline.quotas import present

SHAPE = (1, 2, 4, 4)
X = np.abs(array(*SHAPE)) + np.float32(0.5)


@pytest.fixture(params=["channel_tiles", "channel_tiles_rgba"])
def session(request: pytest.FixtureRequest, gl: moderngl.Context) -> Iterator[DebugSession]:
    """Returns x → first → a → second → y."""
    nodes = [node("Relu", "x", "a", "first"), node("Neg", "a", "y", "second")]
    made = model(nodes, [value("x", SHAPE)], [value("y", SHAPE)])
    with pipeline.open(made, layout=request.param, context=gl) as opened:
        opened.set_input("x", X)
        opened.run()
        yield opened


def edited(session: DebugSession, before: str, after: str) -> str:
    text = session.program_source("second").fragment
    assert before in text
    return text.replace(before, after)


class TestReplacing:
    """A shader is replaced while the session runs."""

    def test_the_new_one_runs_and_what_follows_is_invalid(self, session: DebugSession) -> None:
        text = session.program_source("first").fragment
        session.replace_shader("first", text.rstrip().removesuffix("}") + "    Y *= 2.0;\n}\n")
        assert not session.has_run("first")
        assert not session.has_run("second")
        session.run()
        np.testing.assert_allclose(session.tensor("y"), -2 * X, rtol=1e-6)
        assert session.compare(findings=False).culprit == "first"

    @pytest.mark.parametrize(
        ("broken", "message"),
        [("return -x + ;", "syntax error"), ("return unknown_name;", "`unknown_name' undeclared")],
    )
    def test_an_error_has_the_authors_file_and_line_and_the_old_one_stays(
        self, session: DebugSession, broken: str, message: str
    ) -> None:
        before = session.program_source("second")
        (author,) = [file for file in before.files if "elementwise" in file.path]
        line = next(number for number, text in enumerate(author.text.splitlines(), 1) if "return" in text)
        with pytest.raises(ShaderError) as caught:
            session.replace_shader("second", edited(session, "return -x;", broken))
        assert (caught.value.file, caught.value.line) == (author.path, line)
        assert message in caught.value.message
        assert str(caught.value).startswith(f"{author.path}:{line}: expected a shader that compiles, got ")
        assert session.shader_error("second") is caught.value
        assert session.program_source("second") == before
        session.set_input("x", X)
        session.run()
        np.testing.assert_array_equal(session.tensor("y"), -X)

    def test_an_error_in_generated_text_says_so(self, session: DebugSession) -> None:
        with pytest.raises(ShaderError, match=r"^generated:\d+: expected a shader that compiles, got ") as caught:
            session.replace_shader("second", edited(session, "uniform sampler2D t_X;", "uniform sampler2D t_X"))
        assert caught.value.file == "generated"

    def test_mending_it_takes_the_error_back(self, session: DebugSession) -> None:
        with pytest.raises(ShaderError, match=r"expected a shader that compiles, got syntax error"):
            session.replace_shader("second", "nonsense")
        session.replace_shader("second", edited(session, "return -x;", "return  -x;"))
        assert session.shader_error("second") is None
        session.run()
        assert session.compare().verdict == "match"

    def test_text_out_of_proportion_is_not_given_to_the_driver(self, session: DebugSession) -> None:
        most = present().shader_bytes
        with pytest.raises(ShaderError, match=f"got .* bytes of source, more than {most}"):
            session.replace_shader("second", "// " + "x" * most)

    def test_a_pass_whose_first_shader_is_broken_is_an_error_and_what_follows_is_not_run(
        self, session: DebugSession, gl: moderngl.Context
    ) -> None:
        plan = session.plan
        first = dataclasses.replace(plan.passes[0], program=ProgramSource("#version 330 core\nvoid main() { x }", ()))
        with DebugSession(dataclasses.replace(plan, passes=(first, *plan.passes[1:])), gl) as broken:
            broken.set_input("x", X)
            broken.run()
            report = broken.compare()
            assert [each.verdict for each in report.passes] == ["error", "not_run"]
            assert report.culprit == "first"
            message = report.passes[0].message
            assert message.startswith("generated:2: expected a shader that compiles, got syntax error")
            assert message.endswith("Correct it; until then the pass does not run.")


# A triangle over the lower left half of the target.
HALF = """#version 330 core
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
"""


class TestUnwritten:
    """Texels that no fragment writes."""

    def test_a_discard_leaves_texels_that_are_told(self, session: DebugSession) -> None:
        text = edited(session, "void main() {", "void main() {\n    if (gl_FragCoord.x < 2.0) discard;")
        session.replace_shader("second", text)
        session.run()
        report = session.compare(findings=False)
        (found,) = [each for each in report.passes if each.name == "second"]
        assert found.verdict == "unwritten"
        assert "elements were not written by the draw." in found.message
        unwritten = session.capture().unwritten["y"]
        assert unwritten.shape == SHAPE
        assert 0 < unwritten.sum() < unwritten.size

    def test_one_that_never_happens_leaves_none(self, session: DebugSession) -> None:
        text = edited(session, "void main() {", "void main() {\n    if (gl_FragCoord.x < 0.0) discard;")
        session.replace_shader("second", text)
        session.run()
        assert session.capture().unwritten == {}
        assert session.compare().verdict == "match"

    def test_triangles_that_miss_a_part_are_seen(self, session: DebugSession) -> None:
        source = session.program_source("second")
        session.replace_program("second", dataclasses.replace(source, vertex=HALF))
        session.run()
        unwritten = session.capture().unwritten["y"]
        assert 0 < unwritten.sum() < unwritten.size

    def test_looking_for_them_changes_nothing(self, session: DebugSession) -> None:
        session.replace_shader(
            "second", edited(session, "void main() {", "void main() {\n    if (gl_FragCoord.x < 2.0) discard;")
        )
        session.clear(["second"])
        session.run()
        before, took, generation = session.texels("y"), session.gpu_ms("second"), session.generation("y")
        session.capture()
        np.testing.assert_array_equal(session.texels("y"), before)
        assert (session.gpu_ms("second"), session.generation("y")) == (took, generation)


class TestSharing:
    """Equal text is compiled once."""

    def test_passes_that_do_the_same_share_a_program(
        self, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        compiled: list[str] = []
        program = moderngl.Context.program

        def compile_and_count(context: moderngl.Context, **texts: Any) -> moderngl.Program:
            compiled.append(texts["fragment_shader"])
            return program(context, **texts)

        monkeypatch.setattr(moderngl.Context, "program", compile_and_count)
        nodes = [node("Relu", "x", "a"), node("Neg", "a", "b"), node("Relu", "b", "c"), node("Neg", "c", "y")]
        with pipeline.open(model(nodes, [value("x", SHAPE)], [value("y", SHAPE)]), context=gl) as session:
            session.set_input("x", X)
            session.run()
            assert session.compare().verdict == "match"
        assert len(compiled) == 2

    def test_a_program_goes_with_its_last_user(self, gl: moderngl.Context) -> None:
        cache = ProgramCache(gl)
        source = ProgramSource("#version 330 core\nout float Y;\nvoid main() { Y = 1.0; }", ())
        first, second = cache.acquire(source, "a"), cache.acquire(source, "b")
        assert first is second
        assert not cache.release(source)
        assert cache.release(source)
        again = cache.acquire(source, "a")
        assert again is not first
        assert cache.release(source)

    def test_replacing_the_shader_of_one_leaves_the_other_alone(self, gl: moderngl.Context) -> None:
        nodes = [node("Neg", "x", "a", "one"), node("Neg", "a", "y", "two")]
        with pipeline.open(model(nodes, [value("x", SHAPE)], [value("y", SHAPE)]), context=gl) as session:
            session.set_input("x", X)
            session.run()
            session.replace_shader(
                "two", session.program_source("two").fragment.replace("return -x", "return -2.0 * x")
            )
            session.run()
            np.testing.assert_array_equal(session.tensor("a"), -X)
            np.testing.assert_array_equal(session.tensor("y"), 2 * X)


UNIFORMS = """#version 330 core
uniform float u_number = 4.0;
uniform vec2 u_pair;
uniform int u_whole;
uniform uint u_natural;
uniform bool u_truth;
uniform float u_many[3];
out float Y;
void main() { Y = u_number + u_pair.y + float(u_whole) + float(u_natural) + (u_truth ? 100.0 : 0.0) + u_many[1]; }
"""


def uniform_plan(*uniforms: Mapping[str, UniformValue]) -> Plan:
    """Returns a pass for each set of uniforms, all with the same shader."""
    template = pipeline.plan_of(model([node("Relu", "x", "y")], [value("x", (1,))], [value("y", (1,))]))
    stored = template.textures["y"]
    keys = [f"y{i}" for i in range(len(uniforms))]
    passes = [
        Pass(key, "own", (key,), (), ProgramSource(UNIFORMS, ()), MappingProxyType(dict(each)))
        for key, each in zip(keys, uniforms, strict=True)
    ]
    textures = {key: dataclasses.replace(stored, key=key, tensor=key) for key in keys}
    return Plan("net", MappingProxyType(textures), tuple(passes), (), tuple(keys))


def test_uniforms_of_every_kind_are_set_and_no_pass_sees_those_of_another(gl: moderngl.Context) -> None:
    every: dict[str, UniformValue] = {
        "u_number": 1.0,
        "u_pair": (0.0, 20.0),
        "u_whole": -3,
        "u_natural": 7,
        "u_truth": True,
        "u_many": (0.0, 0.5, 0.0),
    }
    with DebugSession(uniform_plan(every, {}, {"u_whole": 2}), gl) as session:
        for _ in range(2):
            session.run()
            assert [session.tensor(key).item() for key in ("y0", "y1", "y2")] == [125.5, 4.0, 6.0]


def test_a_uniform_that_the_driver_removed_is_passed_over(gl: moderngl.Context) -> None:
    program = gl.program(
        vertex_shader="#version 330 core\nvoid main() { gl_Position = vec4(0); }",
        fragment_shader="#version 330 core\nuniform float u_idle;\nout float Y;\nvoid main() { Y = 1.0; }",
    )
    set_uniforms(program, {"u_idle": 1.0, "u_nowhere": 2.0})
    program.release()


@pytest.mark.parametrize(
    ("log", "found"),
    [
        ("1:100012(5): error: `x' undeclared", [("a.glsl", 12, "`x' undeclared")]),
        ("0:200003(1): error: syntax error", [("b.glsl", 3, "syntax error")]),
        ("0:12(5): error: bad", [("generated", 12, "bad")]),
        ("1(100012) : error C1008: undefined variable", [("a.glsl", 12, "undefined variable")]),
        ("ERROR: 1:100007: 'y' : undeclared identifier", [("a.glsl", 7, "'y' : undeclared identifier")]),
        ("0:100002(3): warning: unused\nWARNING: 0:3: hm", []),
        ("everything is broken", []),
        ("1:100001(1): error: one\n2:200002(1): error: two", [("a.glsl", 1, "one"), ("b.glsl", 2, "two")]),
    ],
    ids=["mesa", "mesa without the string", "generated", "nvidia", "apple", "warnings", "nowhere", "two"],
)
def test_messages_of_every_driver_point_into_the_authors_files(log: str, found: list[tuple[str, int, str]]) -> None:
    files = (SourceFile(1, "a.glsl", ""), SourceFile(2, "b.glsl", ""))
    messages = diagnostics(f"GLSL Compiler failed\n\n{log}\n", ProgramSource("", files))
    assert [(each.file, each.line, each.text) for each in messages] == found
