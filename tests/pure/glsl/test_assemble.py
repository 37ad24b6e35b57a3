"""Generated shaders, read as text: what an author mentions is there, and nothing else."""

from __future__ import annotations

import math
import re
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pure.models import array, model, node, relu, value
from texelscope import layouts, pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl import assemble as glsl
from texelscope.pipeline.glsl.assemble import (
    SHADER_FOLDER,
    assemble,
    library_functions,
    literal,
    read_shader,
)
from texelscope.pipeline.glsl.lines import line_directive
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.operators.base import Kernel
from texelscope.pipeline.plan import ProgramSource, StoredTensor

NAMES = ("X", "W", "B")


def stored(name: str, shape: tuple[int, ...] = (1, 3, 4, 5), layout: str = "channel_tiles") -> StoredTensor:
    return StoredTensor(name, name, shape, layouts.layout(layout))


def assembled(
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    *,
    layout: str = "channel_tiles",
    title: str = "title",
    **constants: object,
) -> ProgramSource:
    """The program around an author's file `own.glsl` that reads X, W and B."""
    monkeypatch.setattr(glsl, "read_shader", lambda name: text if name == "operators/own.glsl" else read_shader(name))
    kernel = Kernel(("own.glsl",), {name: name for name in NAMES}, MappingProxyType(constants))  # type: ignore[arg-type]
    tensors = {name: stored(name, layout=layout) for name in NAMES}
    return assemble(kernel, title, tensors, stored("Y", layout=layout))


def lines(source: ProgramSource) -> list[str]:
    return source.fragment.splitlines()


class TestOnlyWhatIsMentioned:
    """A person can read the result, because nothing in it is for somebody else."""

    def test_an_author_who_reads_nothing_gets_samplers_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text = lines(assembled(monkeypatch, "float compute(ivec4 at) { return 1.0; }", UNUSED=3))
        assert text[:6] == [
            "#version 330 core",
            "// title",
            "uniform sampler2D t_X;",
            "uniform sampler2D t_W;",
            "uniform sampler2D t_B;",
            "#line 100001 1",
        ]

    @pytest.mark.parametrize(
        ("call", "generated"),
        [
            ("X(at)", "float X(ivec4 at) {"),
            ("X_linear(3)", "float X_linear(int i) {"),
            ("float(X_shape.y)", "const ivec4 X_shape = ivec4(1, 3, 4, 5);"),
            ("float(X_count)", "const int X_count = 60;"),
            ("float(Y_shape.x)", "const ivec4 Y_shape = ivec4(1, 3, 4, 5);"),
            ("float(Y_count)", "const int Y_count = 60;"),
            ("float(Y_index(at))", "int Y_index(ivec4 at) {"),
            ("STEP", "const float STEP = 0.25;"),
        ],
    )
    def test_what_is_mentioned_is_generated(self, monkeypatch: pytest.MonkeyPatch, call: str, generated: str) -> None:
        body = "float compute(ivec4 at) { return %s; }"
        assert generated in assembled(monkeypatch, body % call, STEP=0.25).fragment
        assert generated not in assembled(monkeypatch, body % "1.0", STEP=0.25).fragment

    def test_a_comment_mentions_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        author = "// y = X(at), X_shape /* X_count */\n/* Y_index */ float compute(ivec4 at) { return 1.0; }"
        generated = assembled(monkeypatch, author).fragment.replace(author, "")
        assert not re.search(r"\bX\(|X_shape|X_count|Y_index", generated)

    def test_an_optional_input_is_told_by_a_define_to_those_who_ask(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asks = "#ifdef HAS_B\n#endif\nfloat compute(ivec4 at) { return 1.0; }"
        assert "#define HAS_B" in lines(assembled(monkeypatch, asks))
        assert "#define HAS_W" not in lines(assembled(monkeypatch, asks))

    def test_every_function_that_is_generated_is_called(self) -> None:
        made = model(
            [
                node("Conv", "x w b", "c", pads=[1] * 4),
                node("Softmax", "c", "s", axis=1),
                node("Concat", "s x", "y", axis=1),
            ],
            outputs=[value("y", None)],
            weights={"w": array(3, 3, 3, 3), "b": array(3)},
        )
        for layout in layouts.all_layouts():
            for each in pipeline.plan_of(made, layout=layout).passes:
                text = without_comments(each.program.fragment)
                names = re.findall(r"^(?:float|int|vec4|ivec[34]) (\w+)\(", text, re.MULTILINE)
                assert names
                for name in names:
                    assert len(re.findall(rf"\b{name}\b", text)) > 1, f"{layout} {each.name}: {name} has no caller"


class TestLines:
    """Tests that errors point into the author's files."""

    def test_each_file_is_numbered_from_its_own_first_line(self) -> None:
        (each,) = pipeline.plan_of(relu()).passes
        text = lines(each.program)
        assert len(each.program.files) > 2
        for file in each.program.files:
            at = text.index(line_directive(file.number, 1))
            author = file.text.rstrip().splitlines()
            assert text[at + 1 : at + 1 + len(author)] == author

    def test_generated_text_after_the_files_counts_on_as_if_nothing_had_been_between(self) -> None:
        (each,) = pipeline.plan_of(relu()).passes
        text = lines(each.program)
        (at,) = [i for i, line in enumerate(text) if re.fullmatch(r"#line \d+ 0", line)]
        assert int(text[at].split()[1]) == at + 2  # lines count from 1, and the directive names the next one

    def test_a_file_that_includes_a_function_keeps_its_lines(self, monkeypatch: pytest.MonkeyPatch) -> None:
        source = assembled(monkeypatch, "float compute(ivec4 at) {\n    return softplus(X(at));\n}\n")
        text = lines(source)
        assert text[text.index("#line 100001 1") + 2] == "    return softplus(X(at));"
        assert "shaders/functions/softplus.glsl" in [file.path for file in source.files]


class TestInclusion:
    """A function of `shaders/functions` is there for the calling."""

    def test_functions_come_with_those_that_they_call_first(self) -> None:
        names = list(library_functions("float compute() { return softplus(1.0); }"))
        assert names[-1] == "softplus"
        for name in names:
            for called in library_functions(re.sub(rf"\b{name}\b", "", read_shader(f"functions/{name}.glsl"))):
                assert names.index(called) < names.index(name)

    def test_a_name_in_a_comment_is_no_call(self) -> None:
        assert library_functions("// softplus(x)\n/* sigmoid(x) */") == {}


class TestRounding:
    """Integers and narrow floats are stored as what they can hold."""

    def test_a_whole_output_is_rounded_in_main(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            glsl, "read_shader", lambda n: "float compute(ivec4 at) { return 1.0; }" if "own" in n else read_shader(n)
        )
        output = StoredTensor("Y", "Y", (3,), layouts.layout("channel_tiles"), dtype="int8")
        text = assemble(Kernel(("own.glsl",), {}), "t", {}, output).fragment
        assert "float as_int8(float x)" in text
        assert "as_int8(compute(at))" in text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (True, "true"),
        (False, "false"),
        (3, "3"),
        (-3, "-3"),
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (1e20, "1e+20"),
    ],
)
def test_literals_are_glsl(number: float, text: str) -> None:
    assert literal(number) == text


@given(st.floats(width=32, allow_nan=False, allow_infinity=False, allow_subnormal=False))
def test_a_float_literal_keeps_every_bit(number: float) -> None:
    assert np.float32(literal(number)).tobytes() == np.float32(number).tobytes()


def test_infinities_and_nan_are_bit_patterns_and_no_constants(monkeypatch: pytest.MonkeyPatch) -> None:
    author = "float compute(ivec4 at) { return HIGH + LOW + ODD + ENDS[0]; }"
    text = assembled(monkeypatch, author, HIGH=math.inf, LOW=-math.inf, ODD=math.nan, ENDS=(1.0, math.inf)).fragment
    assert "#define HIGH uintBitsToFloat(0x7f800000u)" in text
    assert "#define LOW (-uintBitsToFloat(0x7f800000u))" in text
    assert "#define ODD uintBitsToFloat(0x7fc00000u)" in text
    assert "\nfloat ENDS[2] = float[2](1.0, uintBitsToFloat(0x7f800000u));" in text


@pytest.mark.parametrize(
    ("constant", "text"),
    [
        ((1, 2), "const int K[2] = int[2](1, 2);"),
        ((1, 2.5), "const float K[2] = float[2](1.0, 2.5);"),
        (True, "const bool K = true;"),
        (7, "const int K = 7;"),
    ],
)
def test_constants_have_the_type_of_their_value(monkeypatch: pytest.MonkeyPatch, constant: object, text: str) -> None:
    assert text in lines(assembled(monkeypatch, "float compute(ivec4 at) { return K; }", K=constant))


def test_a_missing_shader_is_told() -> None:
    with pytest.raises(TexelscopeError, match=r"shaders/operators/no\.glsl: expected a shader file, got no such file"):
        read_shader("operators/no.glsl")


def test_any_number_of_inputs_is_read_by_number() -> None:
    made = model([node("Concat", "x x x", "y", axis=1)], outputs=[value("y", None)])
    text = pipeline.plan_of(made).passes[0].program.fragment
    assert [f"uniform sampler2D t_X{i};" in text for i in range(4)] == [True, True, True, False]
    assert "float X_linear_of(int which, int i) {\n    if (which == 0) return X0_linear(i);" in text


def test_four_lanes_are_walked_and_padding_is_zero() -> None:
    long = model([node("Hardmax", "x", "y", axis=1)])
    (each,) = pipeline.plan_of(long, layout="channel_tiles_rgba").passes
    assert "    for (int lane = 0; lane < 4; lane++) {\n" in each.program.fragment
    assert "Y[lane] = at.x < 0 ? 0.0 : " in each.program.fragment


def test_a_shader_never_mentions_an_address_of_its_own() -> None:
    """Checks that the files of operators know logical coordinates only."""
    paths = sorted((SHADER_FOLDER / "operators").rglob("*.glsl"))
    assert len(paths) > 100
    for path in paths:
        plain = not any(f".{name}.glsl" in path.name for name in layouts.all_layouts())
        text = without_comments(path.read_text())
        assert not re.search(r"texelFetch|texture\w*\(|gl_FragCoord", text) or not plain, path
