"""Tests published networks: values read from a shader equal an independent run's, and every literal is known."""

from __future__ import annotations

import re
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.outside.files import MPV_VARIABLE, mpv_shaders
from tests.outside.independent import run
from texelscope import pipeline
from texelscope.pipeline.dialects.mpv.network.of_plan import network_of_plan
from texelscope.pipeline.dialects.mpv.passes import ShaderPlan
from texelscope.pipeline.dialects.mpv.weights.comparison import compared
from texelscope.pipeline.importers.mpv_shader import shader_plan
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.target import OpenOptions

ANIME4K = [
    *(f"Anime4K_{kind}_{size}.glsl" for size in "SML" for kind in ("Restore_CNN", "Upscale_CNN_x2")),
    "Anime4K_Restore_CNN_VL.glsl", "Anime4K_Upscale_CNN_x2_VL.glsl", "Anime4K_Upscale_Denoise_CNN_x2_M.glsl",
]  # fmt: skip
FSRCNNX = ["FSRCNNX_x2_8-0-4-1.glsl", "FSRCNNX_x2_16-0-4-1.glsl"]
CUNNY = sorted(each.name for each in mpv_shaders() if each.name.startswith("CuNNy"))
SIZE = (24, 32)


def found(name: str) -> Path:
    """The shader; the test is skipped where the pack is not there."""
    path = next((each for each in mpv_shaders() if each.name == name), None)
    if path is None:
        pytest.skip(f"no {name}: run 'python -m tests.outside.fetch', or name its folder in {MPV_VARIABLE}")
    return path


def shapes(name: str) -> dict[str, tuple[int, ...]]:
    """Returns the shapes of the picture and of the window."""
    source = ("MAIN", 3) if name.startswith("Anime4K") else ("LUMA", 1)
    return {source[0]: (1, source[1], *SIZE), "OUTPUT": (1, 3, 2 * SIZE[0], 2 * SIZE[1])}


@pytest.mark.parametrize("name", ANIME4K + FSRCNNX)
def test_the_network_is_that_of_an_independent_reading(name: str) -> None:
    plan = shader_plan(found(name), OpenOptions(shapes=shapes(name)))
    network = network_of_plan(plan)
    assert not network.left_out
    picture = np.random.default_rng(0).random(plan.textures[plan.inputs[0]].shape, np.float32)
    values = GraphOracle(network.graph()).chained({plan.inputs[0]: picture})
    expected = run(found(name), picture[0].astype(np.float64))
    assert len(expected) == len(plan.passes)
    for each, wanted in zip(plan.passes, expected, strict=True):
        np.testing.assert_allclose(values[each.output].value[0], wanted, rtol=0, atol=1e-4, err_msg=each.name)


@pytest.mark.parametrize("name", ["Anime4K_Upscale_CNN_x2_S.glsl", "Anime4K_Restore_CNN_M.glsl", FSRCNNX[0]])
def test_one_literal_that_was_changed_is_found(name: str, gl: moderngl.Context, tmp_path: Path) -> None:
    original = found(name)
    lines = original.read_text(encoding="utf-8").split("\n")
    rows = [i for i, line in enumerate(lines) if "mat4(" in line]
    row = rows[len(rows) // 2]
    literals = list(re.finditer(r"-?\d+\.\d+(?:e-?\d+)?", lines[row]))
    at = literals[9]
    lines[row] = f"{lines[row][: at.start()]}{float(at.group()) + 0.125!r}{lines[row][at.end() :]}"
    edited = tmp_path / "edited.glsl"
    edited.write_text("\n".join(lines), encoding="utf-8")
    model = tmp_path / "original.onnx"
    plan = shader_plan(original, OpenOptions(shapes=shapes(name)))
    model.write_bytes(network_of_plan(plan).model.SerializeToString())
    with pipeline.open(edited, context=gl, shapes=shapes(name), oracle=str(model)) as session:
        session.run()
        report = session.compare()
        assert isinstance(session.plan, ShaderPlan)
        network = network_of_plan(session.plan)
    difference = compared(network, model).difference
    assert difference is not None
    assert (difference.layer, difference.line, difference.count) == (report.culprit, row + 1, 1)
    finding = next(each for each in report.passes if each.name == report.culprit).findings[0]
    assert (finding.cause, finding.line, finding.parameters["count"]) == ("wrong_literal", row + 1, 1)
    # Of a matrix written column by column the tenth number is row 1 of column 2.
    assert difference.element.startswith("weight[1, ")
