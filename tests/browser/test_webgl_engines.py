"""ONNX Runtime Web, gpu.js and TensorFlow.js, unchanged, recorded in a page and compared with an ONNX model.

`make webgl` fetches them from npm; nothing of them is in this tree.
"""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

from tests.browser.chromium import Chromium
from tests.browser.test_webgl import page_of, recorded
from tests.browser.webgl_engines.fetch import script_of
from tests.pure.models import model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.draft.drafting import DraftRequest
from texelscope.pipeline.draft_writing.texture_table import write_texture_table

_RUN_MODEL = """
  const bytes = Uint8Array.from(atob('{model}'), (letter) => letter.charCodeAt(0));
  const session = await ort.InferenceSession.create(bytes, {{ executionProviders: ['webgl'] }});
  const results = await session.run({{ x: new ort.Tensor('float32', Float32Array.from({x}), [1, 3, 8, 6]) }});
  await results.y.getData();
"""
# The first two layers of the model as kernels of a person's own.
_RUN_KERNELS = """
  const gpu = new GPU.GPU({{ mode: 'gpu' }}), size = [6, 8, 6];
  const conv = gpu.createKernel(function(x, w, b) {{
    let total = b[this.thread.z];
    for (let c = 0; c < 3; c++) {{
      for (let r = 0; r < 3; r++) {{
        for (let s = 0; s < 3; s++) {{
          const row = this.thread.y + r - 1;
          const column = this.thread.x + s - 1;
          if (row >= 0 && row < 8 && column >= 0 && column < 6) {{
            total += x[c][row][column] * w[this.thread.z * 3 + c][r * 3 + s];
          }}
        }}
      }}
    }}
    return total;
  }}).setOutput(size).setPipeline(true);
  const relu = gpu.createKernel(function(x) {{
    return Math.max(x[this.thread.z][this.thread.y][this.thread.x], 0.0);
  }}).setOutput(size);
  relu(conv({x}, {w}, {b}));
"""
# The same model in channels last, as a person would write it; this engine uploads each tensor, and packs it by draws.
_RUN_LAYERS = """
  await tf.setBackend('webgl');
  const [x, w1, b1, w2, b2, k] = {tensors}.map((each) => tf.tensor(each));
  let t = tf.fused.conv2d({{ x, filter: w1, strides: 1, pad: 'same', bias: b1, activation: 'relu' }});
  t = tf.maxPool(t, 2, 2, 'valid');
  t = tf.fused.conv2d({{ x: t, filter: w2, strides: 1, pad: 'valid', bias: b2 }});
  await tf.add(t, k).data();
"""


def noise(seed: int, *shape: int) -> NDArray[np.float32]:
    """Draws noise."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


X = noise(1, 1, 3, 8, 6)
WEIGHTS = {
    "w1": noise(2, 6, 3, 3, 3), "b1": noise(3, 6), "w2": noise(4, 5, 6, 1, 1), "b2": noise(5, 5),
    "k": noise(6, 1, 5, 1, 1),
}  # fmt: skip


def channels_last() -> list[NDArray[np.float32]]:
    """Returns the input and the weights as TensorFlow.js has them."""
    w1, w2 = (WEIGHTS[name].transpose(2, 3, 1, 0) for name in ("w1", "w2"))
    return [X.transpose(0, 2, 3, 1), w1, WEIGHTS["b1"], w2, WEIGHTS["b2"], WEIGHTS["k"].transpose(0, 2, 3, 1)]


def small_model() -> onnx.ModelProto:
    """A convolution, a pool, a product of channels and a sum."""
    made = model(
        [
            node("Conv", "x w1 b1", "c1", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
            node("Relu", "c1", "r1"),
            node("MaxPool", "r1", "p1", kernel_shape=[2, 2], strides=[2, 2]),
            node("Conv", "p1 w2 b2", "c2", kernel_shape=[1, 1]),
            node("Add", "c2 k", "y"),
        ],
        [value("x", X.shape)],
        [value("y", (1, 5, 4, 3))],
        weights=WEIGHTS,
        opset=11,
    )
    made.ir_version = 7  # which this engine reads
    return made


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the model's file."""
    path = tmp_path_factory.mktemp("model") / "small.onnx"
    path.write_bytes(small_model().SerializeToString())
    return path


@pytest.fixture(scope="module")
def recordings(chromium: Chromium, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Returns the recording of each engine's page."""
    runs = {
        "onnxruntime-web": _RUN_MODEL.format(
            model=base64.b64encode(small_model().SerializeToString()).decode(), x=json.dumps(X.ravel().tolist())
        ),
        "gpu.js": _RUN_KERNELS.format(
            x=json.dumps(X[0].tolist()), w=json.dumps(WEIGHTS["w1"].reshape(18, 9).tolist()),
            b=json.dumps(WEIGHTS["b1"].tolist()),
        ),
        "@tensorflow/tfjs": _RUN_LAYERS.format(tensors=json.dumps([each.tolist() for each in channels_last()])),
    }  # fmt: skip
    found = {}
    for engine, run in runs.items():
        if not script_of(engine).is_file():
            pytest.skip(f"{engine} is not installed: make webgl")
        page = page_of(tmp_path_factory.mktemp("page"), script_of(engine))
        found[engine] = recorded(chromium, page, script_of(engine).stem, run)
    return found


def compared(target: Path, model_file: Path) -> Report:
    """Returns the report of a recording against a model."""
    with pipeline.open(target, oracle=str(model_file)) as session:
        session.run()
        return session.compare()


EXPLAINED = {
    "onnxruntime-web": ["Conv+Relu", "MaxPool", "Conv", "Add"],
    "gpu.js": ["Conv", "Relu"],
    "@tensorflow/tfjs": ["Conv+Relu", "Conv+Relu", "MaxPool", "Conv", "Add"],  # twice: unpacked, then in rows of pixels
}


@pytest.mark.parametrize("engine", EXPLAINED)
def test_every_draw_matches_and_those_that_the_model_explains_match_it(
    recordings: dict[str, Path], model_file: Path, engine: str
) -> None:
    report = compared(recordings[engine], model_file)
    assert {each.verdict for each in report.passes} == {"match"}
    meant = [each for each in report.passes if each.compared_with == "meaning"]
    assert [each.operator for each in meant] == EXPLAINED[engine]
    assert {each.page.agrees_with for each in meant if each.page is not None} == {"both"}
    assert all(each.page is not None for each in meant)


EDITS = [
    ("onnxruntime-web", "indices[4 - 1] * 2 - 0 + i", "indices[4 - 1] * 2 - 1 + i", "MaxPool", (-1, 0)),
    ("gpu.js", "((threadId.y+user_r)-1)", "((threadId.y+user_r)-2)", "Conv", (0, -1)),
    ("@tensorflow/tfjs", "coords.yz * strides - pads", "coords.yz * strides - pads + ivec2(0, 1)", "MaxPool", (1, 0)),
]


@pytest.mark.parametrize(("engine", "right", "wrong", "operator", "shift"), EDITS)
def test_a_shifted_index_in_a_recorded_program_is_named_with_its_line(
    recordings: dict[str, Path], model_file: Path, tmp_path: Path, engine: str, right: str, wrong: str,
    operator: str, shift: tuple[int, int],
) -> None:  # fmt: skip
    shutil.unpack_archive(recordings[engine], tmp_path, "zip")
    (path,) = (each for each in (tmp_path / "programs").glob("*.frag") if right in each.read_text())
    path.write_text(path.read_text().replace(right, wrong))
    report = compared(tmp_path, model_file)
    assert report.culprit is not None
    culprit = report.find(report.culprit)
    assert culprit is not None
    assert (culprit.operator, culprit.verdict) == (operator, "mismatch")
    found = culprit.findings[0]
    assert (found.cause, found.parameters["dx"], found.parameters["dy"]) == ("shift", *shift)
    assert found.shader == f"programs/{path.name}"
    assert found.line is not None


@pytest.mark.parametrize("engine", EXPLAINED)
def test_the_guess_is_a_table_that_opens_the_same_plan(
    recordings: dict[str, Path], model_file: Path, tmp_path: Path, engine: str
) -> None:
    written = write_texture_table(recordings[engine], tmp_path / "table", DraftRequest(), model_file)
    guessed = pipeline.plan_of(recordings[engine], oracle=str(model_file))
    read = pipeline.plan_of(recordings[engine], oracle=str(written.file))
    assert read.textures == guessed.textures
    assert [(each.operator, each.nodes, each.oracle) for each in read.passes] == [
        (each.operator, each.nodes, each.oracle) for each in guessed.passes
    ]  # fmt: skip
