"""Weights written in a shader are compared with the model's first: a wrong literal is named after a few runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from texelscope import pipeline
from texelscope.pipeline.compare.report import PassReport
from texelscope.pipeline.diagnose.evidence.gather import Gathering
from texelscope.pipeline.diagnose.tracing import traced as tracing
from texelscope.pipeline.diagnose.written_weights.comparing import ComparingWeights
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.plan import Pass, Plan

Array = NDArray[Any]
Edit = Callable[[str], str]

PASS = """[pipeline]
model = "model.onnx"
[[input]]
name = "x"
shape = [1, 4, 6, 7]
layout = "{layout}"
source = "normal:4"
[[pass]]
name = "y"
shader = "{shader}"
output = {{ shape = [1, 8, 6, 7], layout = "{layout}" }}
"""


def numbers(seed: int, shape: tuple[int, ...], digits: int = 4) -> tuple[Array, Array]:
    """Values with a few digits, and their texts."""
    texts = np.array([f"{each:.{digits}f}" for each in np.random.default_rng(seed).normal(0.0, 0.6, shape).reshape(-1)])
    return texts.astype(np.float32).reshape(shape), texts.reshape(shape)


WEIGHT, TEXTS = numbers(3, (8, 4, 1, 1))
BIAS, BIAS_TEXTS = numbers(4, (8,))


def model() -> onnx.ModelProto:
    """A layer of eight filters over four channels, and a sine."""
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w", "b"], ["h"]), helper.make_node("Sin", ["h"], ["y"])],
        "layer",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, 4, 6, 7])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1, 8, 6, 7])],
        [numpy_helper.from_array(WEIGHT, "w"), numpy_helper.from_array(BIAS, "b")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


def vector(texts: Iterable[str]) -> str:
    return f"vec4({', '.join(texts)})"


def matrices() -> str:
    """The layer as two matrices, without a name for any number."""
    halves = [TEXTS[:4, :, 0, 0], TEXTS[4:, :, 0, 0]]
    first, second = (f"mat4({', '.join(each.T.reshape(-1))})" for each in halves)
    return f"""#version 330
uniform sampler2D t_x;
out vec4 color;
void main() {{
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 x = texelFetch(t_x, ivec2(at.x % 7, at.y), 0);
    if (at.x < 7)
        color = sin({first} * x
            + {vector(BIAS_TEXTS[:4])});
    else
        color = sin({second} * x
            + {vector(BIAS_TEXTS[4:])});
}}
"""


def arrays() -> str:
    """The layer as arrays, in a compute shader."""
    return f"""#version 430
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer Source {{ float source[]; }};
layout(std430, binding = 1) writeonly buffer Target {{ float target[]; }};
const float w[32] = float[](
    {", ".join(TEXTS.reshape(-1))}
);
const float b[8] = float[](
    {", ".join(BIAS_TEXTS)}
);
void main() {{
    int index = int(gl_GlobalInvocationID.x);
    if (index >= 336) return;
    float sum = b[index / 42];
    for (int i = 0; i < 4; i++) sum += w[index / 42 * 4 + i] * source[i * 42 + index % 42];
    target[index] = sin(sum);
}}
"""


def sign(text: str) -> str:
    return text[1:] if text[0] == "-" else f"-{text}"


def digit(text: str) -> str:
    return text[:-2] + text[-1]


def exponent(text: str) -> str:
    return f"{text}e2"


SLIPS = [sign, digit, exponent]


def report_of(gl: moderngl.Context, path: Path, **options: Any) -> PassReport:
    """The report of the pass that is wrong first."""
    with pipeline.open(path, context=gl, **options) as session:
        session.run()
        report = session.compare()
        assert report.culprit is not None
        found = report.find(report.culprit)
        assert found is not None
        return found


def opened(folder: Path, shader: str, text: str) -> Path:
    onnx.save(model(), folder / "model.onnx")
    (folder / shader).write_text(text, encoding="utf-8")
    is_dispatch = shader.endswith(".comp")
    buffers = 'buffers = { Source = "x", Target = "y" }\ndispatch = "count(y) / 32"\n'
    bound = buffers if is_dispatch else 'textures.t_x = "x"\n'
    layout = "linear" if is_dispatch else "channel_tiles_rgba"
    path = folder / "pipeline.toml"
    path.write_text(PASS.format(layout=layout, shader=shader) + bound, encoding="utf-8")
    return path


@pytest.fixture
def no_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else may be found out about the pass, which would take seconds."""

    def refused(_: Gathering) -> bool:
        pytest.fail("evidence was gathered")

    monkeypatch.setattr(Gathering, "step", refused)


def swapped(text: str, changes: dict[str, str]) -> str:
    """The text with numbers replaced, each of which occurs once."""
    for number, (old, _) in enumerate(changes.items()):
        assert text.count(old) == 1
        text = text.replace(old, f"@{number}@")
    for number, new in enumerate(changes.values()):
        text = text.replace(f"@{number}@", new)
    return text


def is_named(report: PassReport, line: int, tensor: str, element: list[int], right: str, count: int = 1) -> None:
    (found,) = report.findings
    assert (found.cause, found.to_change[1], found.sure) == ("wrong_literal", line, True)
    assert (found.parameters["tensor"], found.parameters["element"]) == (tensor, element)
    assert found.parameters["count"] == count
    assert found.repair is not None
    assert right in str(found.repair.edits[0].after)
    assert found.repair.inputs_tried > 1


@pytest.mark.usefixtures("no_evidence")
@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize(("shader", "text", "line"), [("y.frag", matrices(), 11), ("y.comp", arrays(), 6)])
def test_a_slip_in_a_weight_is_named_with_its_line(
    gl: moderngl.Context, tmp_path: Path, shader: str, text: str, line: int, slip: Edit
) -> None:
    old = TEXTS[5, 2, 0, 0]
    report = report_of(gl, opened(tmp_path, shader, swapped(text, {old: slip(old)})))
    is_named(report, line, "w", [5, 2, 0, 0], old)
    assert (
        f"'w'[5, 2, 0, 0] is written as {float(slip(old))!r} instead of {float(old)!r}: " in report.findings[0].evidence
    )


@pytest.mark.usefixtures("no_evidence")
@pytest.mark.parametrize(("shader", "text", "line"), [("y.frag", matrices(), 12), ("y.comp", arrays(), 9)])
def test_a_slip_in_a_bias_is_named(gl: moderngl.Context, tmp_path: Path, shader: str, text: str, line: int) -> None:
    old = BIAS_TEXTS[6]
    report = report_of(gl, opened(tmp_path, shader, swapped(text, {old: sign(old)})))
    is_named(report, line, "b", [6], old)


@pytest.mark.usefixtures("no_evidence")
@pytest.mark.parametrize(("shader", "text", "line"), [("y.frag", matrices(), 8), ("y.comp", arrays(), 6)])
def test_two_exchanged_weights_are_one_repair(
    gl: moderngl.Context, tmp_path: Path, shader: str, text: str, line: int
) -> None:
    one, other = TEXTS[1, 0, 0, 0], TEXTS[1, 3, 0, 0]
    report = report_of(gl, opened(tmp_path, shader, swapped(text, {one: other, other: one})))
    is_named(report, line, "w", [1, 0, 0, 0], one, count=2)


def test_a_sign_in_front_of_a_list_is_taken_into_account(gl: moderngl.Context, tmp_path: Path) -> None:
    turned = swapped(matrices().replace("+ vec4(", "- vec4("), {each: sign(each) for each in BIAS_TEXTS})
    wrong = swapped(turned, {sign(BIAS_TEXTS[2]): BIAS_TEXTS[2]})
    report = report_of(gl, opened(tmp_path, "y.frag", wrong))
    is_named(report, 9, "b", [2], sign(BIAS_TEXTS[2]))


COLUMN, FILTER = TEXTS[4:, 1, 0, 0], TEXTS[4, :, 0, 0]
SECOND_BIAS = f"+ {vector(BIAS_TEXTS[4:])}"


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({SECOND_BIAS: SECOND_BIAS.replace("+", "+ 2.0 *")}, id="another fault"),
        pytest.param({TEXTS[5, 2, 0, 0]: sign(TEXTS[5, 2, 0, 0]), SECOND_BIAS: "* 1.5"}, id="two faults"),
        pytest.param({each: sign(each) for each in FILTER}, id="a filter with the other sign"),
        pytest.param(dict(zip(COLUMN, np.roll(COLUMN, 1), strict=True)), id="four moved"),
        pytest.param({each: f"{float(each):.2f}00" for each in TEXTS.reshape(-1)}, id="other digits of all"),
    ],
)
def test_other_faults_are_left_to_the_search(gl: moderngl.Context, tmp_path: Path, changes: dict[str, str]) -> None:
    assert nothing_is_claimed(gl, opened(tmp_path, "y.frag", swapped(matrices(), changes)))


@pytest.mark.parametrize(("shader", "text"), [("y.frag", matrices()), ("y.comp", arrays())])
def test_nothing_is_claimed_of_a_right_shader(gl: moderngl.Context, tmp_path: Path, shader: str, text: str) -> None:
    with pipeline.open(opened(tmp_path, shader, text), context=gl) as session:
        session.run()
        assert session.compare(findings=False).verdict == "match"
    assert nothing_is_claimed(gl, tmp_path / "pipeline.toml")


def nothing_is_claimed(gl: moderngl.Context, path: Path, name: str = "y", **options: Any) -> bool:
    """Whether the comparison alone finds nothing; it is asked of any pass, right or wrong."""
    with pipeline.open(path, context=gl, **options) as session:
        session.run()
        comparing = ComparingWeights(session, name)
        while comparing.step():
            pass
        return (comparing.findings, comparing.repairs) == ((), ())


FUNCTION = """import numpy as np

w = np.array({weight}, np.float32).reshape(8, 4)
b = np.array({bias}, np.float32)


def y(x):
    return np.sin(np.einsum("oi,nihw->nohw", w, x) + b[:, None, None])
"""


@pytest.mark.parametrize("wrong", ["* 0.9;", ""])
def test_a_function_is_traced_once_for_literals_and_evidence(
    gl: moderngl.Context, tmp_path: Path, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = TEXTS[5, 2, 0, 0]
    text = swapped(matrices(), {SECOND_BIAS + ");": f"{SECOND_BIAS}) {wrong}"} if wrong else {old: sign(old)})
    path = opened(tmp_path, "y.frag", text)
    path.write_text(path.read_text(encoding="utf-8").replace('model = "model.onnx"', 'oracle = "oracle.py"'))
    values = {"weight": [float(each) for each in TEXTS.reshape(-1)], "bias": [float(each) for each in BIAS_TEXTS]}
    (tmp_path / "oracle.py").write_text(FUNCTION.format(**values), encoding="utf-8")
    passes: list[str] = []
    original = tracing.traced

    def counted(plan: Plan, shader_pass: Pass, given: Mapping[str, Array]) -> Graph | None:
        passes.append(shader_pass.name)
        return original(plan, shader_pass, given)

    monkeypatch.setattr(tracing, "traced", counted)
    report = report_of(gl, path, trust=True)
    assert passes == ["y"]
    assert (report.findings[0].cause == "wrong_literal") != bool(wrong)


# -- mpv ------------------------------------------------------------------------------------------------------

TAPS, TAP_TEXTS = numbers(5, (3, 4, 4), 6)
MPV_BIAS, MPV_BIAS_TEXTS = numbers(6, (4,), 6)
SHAPES = {"LUMA": (1, 1, 9, 12), "OUTPUT": (1, 3, 9, 12)}


def user_shader() -> str:
    """Two blocks: four channels of a plane, then a layer of three taps."""
    lines = [
        f"    result += mat4({', '.join(each.T.reshape(-1))}) * go_0({x}.0, 0.0);" for x, each in enumerate(TAP_TEXTS)
    ]
    taps = "\n".join(lines)
    return f"""//!DESC spread
//!HOOK LUMA
//!BIND HOOKED
//!SAVE spread
//!COMPONENTS 4
vec4 hook() {{
    return vec4(1.5, -0.5, 0.25, 2.0) * HOOKED_tex(HOOKED_pos).x;
}}

//!DESC layer
//!HOOK LUMA
//!BIND spread
//!SAVE layer
//!COMPONENTS 4
#define go_0(a, b) (spread_texOff(vec2(a, b)))
vec4 hook() {{
    vec4 result = {vector(MPV_BIAS_TEXTS)};
{taps}
    return result;
}}
"""


def mpv(folder: Path, changes: dict[str, str]) -> tuple[Path, str]:
    """A user shader with other numbers, and the one that is right."""
    right, wrong = folder / "right.glsl", folder / "wrong.glsl"
    right.write_text(user_shader(), encoding="utf-8")
    wrong.write_text(swapped(user_shader(), changes), encoding="utf-8")
    return wrong, str(right)


@pytest.mark.usefixtures("no_evidence")
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_a_user_shader_is_named_with_its_line(gl: moderngl.Context, tmp_path: Path, slip: Edit) -> None:
    old = TAP_TEXTS[1, 2, 3]
    path, right = mpv(tmp_path, {old: slip(old)})
    is_named(report_of(gl, path, oracle=right, shapes=SHAPES), 19, "layer.weight", [2, 3, 0, 1], old)


@pytest.mark.usefixtures("no_evidence")
def test_a_slip_in_a_user_shader_s_bias_is_named(gl: moderngl.Context, tmp_path: Path) -> None:
    path, right = mpv(tmp_path, {MPV_BIAS_TEXTS[3]: sign(MPV_BIAS_TEXTS[3])})
    is_named(report_of(gl, path, oracle=right, shapes=SHAPES), 17, "layer.bias", [3], MPV_BIAS_TEXTS[3])


@pytest.mark.usefixtures("no_evidence")
def test_two_exchanged_weights_of_a_user_shader_are_one_repair(gl: moderngl.Context, tmp_path: Path) -> None:
    one, other = TAP_TEXTS[0, 1, 1], TAP_TEXTS[2, 0, 1]
    path, right = mpv(tmp_path, {one: other, other: one})
    (found,) = report_of(gl, path, oracle=right, shapes=SHAPES).findings
    assert (found.cause, found.parameters["count"], found.made) == ("wrong_literal", 2, None)
    assert found.repair is not None
    assert [edit.line for edit in found.repair.edits] == [18, 20]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, id="right"),
        pytest.param(dict(zip(MPV_BIAS_TEXTS, np.roll(MPV_BIAS_TEXTS, 1), strict=True)), id="another order"),
        pytest.param({TAP_TEXTS[1, 2, 3]: f"{TAP_TEXTS[1, 2, 3]}0000001"}, id="beyond printed digits"),
        pytest.param({each: sign(each) for each in TAP_TEXTS[1].reshape(-1)}, id="many"),
    ],
)
def test_nothing_is_claimed_of_other_user_shaders(
    gl: moderngl.Context, tmp_path: Path, changes: dict[str, str]
) -> None:
    path, right = mpv(tmp_path, changes)
    assert nothing_is_claimed(gl, path, "layer", oracle=right, shapes=SHAPES)
