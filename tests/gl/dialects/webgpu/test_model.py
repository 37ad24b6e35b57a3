"""A model beside a recording of WebGPU: the buffers that hold its tensors are found, and passes compared with it."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.models import model, node, value
from tests.webgpu_recordings import COLUMNS, ROWS, SCALE, two_dispatches
from texelscope import pipeline
from texelscope.command_line import main
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.draft.drafting import DraftRequest
from texelscope.pipeline.draft_writing.texture_table import write_texture_table


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    """Returns the model that `two_dispatches` computes: a convolution of two weights, cut off at 0, then doubled."""
    nodes = [
        node("Conv", "x w", "c", kernel_shape=[1, 2], pads=[0, 1, 0, 0]),
        node("Relu", "c", "y"),
        node("Mul", "y two", "z"),
    ]
    shape = (1, 1, ROWS, COLUMNS)
    weights = {"w": np.ones((1, 1, 1, 2), np.float32), "two": np.array([2.0], np.float32)}
    made = model(nodes, [value("x", shape)], [value("z", shape)], weights=weights)
    path = tmp_path / "sum.onnx"
    path.write_bytes(made.SerializeToString())
    return path


def compared(gl: moderngl.Context, folder: Path, oracle: Path) -> Report:
    """Returns the report of a recording against a model or a table."""
    with pipeline.open(folder, context=gl, oracle=str(oracle)) as session:
        session.run()
        return session.compare()


def named(report: Report) -> list[tuple[str, str, str]]:
    return [(each.operator, each.verdict, each.compared_with) for each in report.passes]


def test_dispatches_are_compared_with_the_tensors_that_they_compute(
    gl: moderngl.Context, tmp_path: Path, model_file: Path
) -> None:
    report = compared(gl, two_dispatches().write(tmp_path / "page"), model_file)
    assert named(report) == [("Conv+Relu", "match", "meaning"), ("Mul", "match", "meaning")]
    assert [tuple(each.shape) for each in report.passes] == [(1, 1, ROWS, COLUMNS)] * 2
    assert {each.page.agrees_with for each in report.passes if each.page is not None} == {"both"}


def test_a_page_that_was_wrong_is_named(gl: moderngl.Context, tmp_path: Path, model_file: Path) -> None:
    page = two_dispatches()
    dispatch = page.about["commands"][2]
    dispatch["program"] = page.program(SCALE.replace("GAIN *", "GAIN * 1.5 *"))
    before = np.frombuffer(page.files["buffers/3.bin"], np.float32)
    dispatch["bindings"][0]["after"] = page.content(np.float32(3.0) * before)
    report = compared(gl, page.write(tmp_path / "wrong"), model_file)
    assert named(report) == [("Conv+Relu", "match", "meaning"), ("Mul", "not_its_meaning", "meaning")]


def test_the_guess_is_written_as_a_table_and_read_again(
    gl: moderngl.Context, tmp_path: Path, model_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = two_dispatches().write(tmp_path / "page")
    written = write_texture_table(folder, tmp_path / "table", DraftRequest(), model_file)
    assert written.summary.endswith("2 of 2 passes hold a tensor of the model.")
    assert f'layout = {{ name = "tfjs_unpacked", width = {ROWS * COLUMNS} }}' in written.file.read_text()
    guessed = pipeline.plan_of(folder, oracle=str(model_file))
    assert pipeline.plan_of(folder, oracle=str(written.file)).textures == guessed.textures
    assert main(["draft", str(folder), "--to", str(tmp_path / "other")]) == 2
    assert "expected --model MODEL beside a recording, whose passes it explains, got none." in capsys.readouterr().err
