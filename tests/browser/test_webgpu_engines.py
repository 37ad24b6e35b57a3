"""TensorFlow.js and ONNX Runtime Web, unchanged, recorded on WebGPU in a page; the latter compared with its model too.

`make webgpu` fetches them from npm; nothing of them is in this tree.
"""

from __future__ import annotations

import base64
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

from tests.browser.chromium import Chromium
from tests.browser.test_webgpu import compared, page_of, recorded, returned
from tests.browser.webgpu_engines.fetch import files
from tests.pure.models import model, node, value
from texelscope import pipeline
from texelscope.pipeline.plan import Plan

# A convolution, a depthwise one, a pool, a product of matrices, a sum and a softmax.
_RUN_LAYERS = """
  await tf.setBackend('webgpu');
  const wave = (...shape) => {
    const count = shape.reduce((a, b) => a * b);
    return tf.tensor(Float32Array.from({ length: count }, (_, i) => Math.sin(1.3 * i)), shape);
  };
  const y = tf.tidy(() => {
    let t = wave(1, 12, 10, 3);
    const bias = wave(8), filter = wave(3, 3, 3, 8);
    t = tf.fused.conv2d({ x: t, filter, strides: 1, pad: 'same', bias, activation: 'relu' });
    t = tf.depthwiseConv2d(t, wave(3, 3, 8, 1), 1, 'same');
    t = tf.maxPool(t, 2, 2, 'valid');
    t = tf.matMul(t.reshape([1, 240]), wave(240, 10));
    const largest = tf.argMax(t, 1);
    return tf.concat([tf.softmax(tf.mul(tf.add(t, wave(10)), 0.01)), tf.cast(largest, 'float32').reshape([1, 1])], 1);
  });
  const result = Array.from(await y.data());
"""
_RUN_MODEL = """
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const ort = await import(URL.createObjectURL(new Blob([bytes(RUNTIME)], { type: 'text/javascript' })));
  Object.assign(ort.env.wasm, { numThreads: 1, wasmBinary: bytes(BINARY).buffer });
  const session = await ort.InferenceSession.create(bytes(MODEL), { executionProviders: ['webgpu'] });
  const x = new ort.Tensor('float32', Float32Array.from(X), [1, 3, 12, 10]);
  const results = await session.run({ x });
  const result = Array.from(await results.y.getData());
"""


def noise(seed: int, *shape: int) -> NDArray[np.float32]:
    """Draws noise."""
    return (0.3 * np.random.default_rng(seed).standard_normal(shape)).astype(np.float32)


X = noise(1, 1, 3, 12, 10)


def attention_model() -> onnx.ModelProto:
    """Two convolutions and a pool, then a layer normalisation and attention over its 30 places."""
    weights: dict[str, NDArray[Any]] = {
        "w": noise(2, 8, 3, 3, 3), "b": noise(3, 8), "d": noise(4, 8, 1, 3, 3), "p": noise(5, 8, 16),
        "pb": noise(6, 16), "g": noise(7, 16), "be": noise(8, 16), "q": noise(9, 16, 16), "k": noise(10, 16, 16),
        "v": noise(11, 16, 16), "places": np.array([1, 8, 30], np.int64), "chosen": np.array([29, 0, 7], np.int64),
    }  # fmt: skip
    made = model(
        [
            node("Conv", "x w b", "c", kernel_shape=[3, 3], pads=[1] * 4),
            node("Relu", "c", "r"),
            node("Conv", "r d", "dw", kernel_shape=[3, 3], pads=[1] * 4, group=8),
            node("MaxPool", "dw", "mp", kernel_shape=[2, 2], strides=[2, 2]),
            node("Reshape", "mp places", "s"),
            node("Transpose", "s", "t", perm=[0, 2, 1]),
            node("MatMul", "t p", "m"),
            node("Add", "m pb", "a"),
            node("LayerNormalization", "a g be", "n", axis=-1),
            node("MatMul", "n q", "nq"),
            node("MatMul", "n k", "nk"),
            node("MatMul", "n v", "nv"),
            node("Transpose", "nk", "kt", perm=[0, 2, 1]),
            node("MatMul", "nq kt", "scores"),
            node("Softmax", "scores", "shares", axis=-1),
            node("MatMul", "shares nv", "o"),
            node("Gather", "o chosen", "y", axis=1),
        ],
        [value("x", X.shape)],
        [value("y", (1, 3, 16))],
        weights=weights,
        opset=17,
    )
    made.ir_version = 8  # which this engine reads
    return made


@dataclass(frozen=True)
class RecordedPage:
    """Holds a page's recording, what it computed meanwhile, and what it computes without the recorder."""

    archive: Path
    result: list[float]
    plain: list[float]


@pytest.fixture(scope="module")
def pages(chromium: Chromium, tmp_path_factory: pytest.TempPathFactory) -> dict[str, RecordedPage]:
    """Returns the recorded page of each engine."""
    if not all(path.is_file() for path in files()):
        pytest.skip("The engines are not installed: make webgpu")
    runtime, binary, tf, backend = files()
    data = tmp_path_factory.mktemp("data") / "data.js"
    named = {
        "RUNTIME": runtime.read_bytes(),
        "BINARY": binary.read_bytes(),
        "MODEL": attention_model().SerializeToString(),
    }
    texts = [f"const {name} = '{base64.b64encode(content).decode()}';" for name, content in named.items()]
    data.write_text("\n".join([*texts, f"const X = {json.dumps(X.ravel().tolist())};"]))
    runs = {"tfjs": (_RUN_LAYERS, (tf, backend)), "ort": (_RUN_MODEL, (data,))}
    found = {}
    for name, (run, scripts) in runs.items():
        page = page_of(tmp_path_factory.mktemp(name), *scripts)
        plain = returned(chromium, page, f"{run} return result;")
        archive, result = recorded(chromium, page, name, run)
        found[name] = RecordedPage(archive, result, plain)
    return found


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the model's file."""
    path = tmp_path_factory.mktemp("model") / "attention.onnx"
    path.write_bytes(attention_model().SerializeToString())
    return path


# As the engines call them, each at its first dispatch.
OPERATORS = {
    "tfjs": [
        "Im2ColProgram", "MatMulSmallOutputSizeProgram", "DepthwiseConv2DVec4Program", "Pool2DProgram",
        "MatMulReduceProgram", "ArgMinMaxProgram", "BinaryOpProgram", "SoftmaxProgram", "ConcatProgram",
    ],
    "ort": ["Transpose", "Conv2dMM", "GroupedConv", "Pool", "Gemm", "LayerNorm", "MatMul", "Softmax", "Gather"],
}  # fmt: skip


@pytest.mark.parametrize("engine", OPERATORS)
def test_an_engine_computes_the_same_bit_for_bit_while_it_is_recorded(
    pages: dict[str, RecordedPage], engine: str
) -> None:
    page = pages[engine]
    assert page.result == page.plain
    assert len({*page.result}) > 10


@pytest.mark.parametrize("engine", OPERATORS)
def test_every_dispatch_of_an_engine_runs_here_and_matches_what_the_page_wrote(
    pages: dict[str, RecordedPage], engine: str
) -> None:
    page = pages[engine]
    plan = pipeline.plan_of(page.archive)
    assert plan.warnings == ()
    assert list(dict.fromkeys(each.operator for each in plan.passes)) == OPERATORS[engine]
    assert plan.recorded is not None
    last = plan.recorded.values[plan.passes[-1].output]
    assert last.ravel()[: len(page.result)].tolist() == page.result
    assert {each.verdict for each in compared(page.archive).passes} == {"match"}


def test_tensors_have_the_shapes_that_the_engines_have_in_their_uniforms(pages: dict[str, RecordedPage]) -> None:
    of_tfjs, of_ort = ({each.operator: each.output for each in plan.passes} for plan in map(_plan_of, pages.values()))
    tfjs, ort = map(_plan_of, pages.values())
    assert tfjs.textures[of_tfjs["DepthwiseConv2DVec4Program"]].shape == (1, 12, 10, 8)
    assert tfjs.textures[of_tfjs["Pool2DProgram"]].shape == (1, 6, 5, 8)
    assert tfjs.textures[of_tfjs["ArgMinMaxProgram"]].dtype == "int32"
    # Of a buffer that is larger than its tensor.
    assert ort.textures[of_ort["Pool"]].shape == (1, 6, 5, 8)
    assert ort.textures[of_ort["LayerNorm"]].shape == (1, 30, 16)


def _plan_of(page: RecordedPage) -> Plan:
    return pipeline.plan_of(page.archive)


MEANT = ["Conv+Relu", "Conv", "MaxPool", "Reshape", "Transpose", "MatMul+Add", "MatMul", "Softmax", "Gather"]


def test_dispatches_of_a_model_match_it(pages: dict[str, RecordedPage], model_file: Path) -> None:
    with pipeline.open(pages["ort"].archive, oracle=str(model_file)) as session:
        session.run()
        report = session.compare()
    assert {each.verdict for each in report.passes} == {"match"}
    meant = [each for each in report.passes if each.compared_with == "meaning"]
    assert {*MEANT} <= {each.operator for each in meant}
    assert len(meant) == 15
    assert {each.page.agrees_with for each in meant if each.page is not None} == {"both"}


EDITS = [
    ("tfjs", "uniforms.dilations[1] * ((col %", "uniforms.dilations[0] * ((row %", "Im2ColProgram"),
    ("tfjs", "- rowMaxShared) / rowSumShared", "- rowMaxShared)", "SoftmaxProgram"),
    ("ort", "x_indices[j] -= uniforms.pads[d_idx];", "x_indices[j] += 1u;", "Pool"),
    ("ort", "f32(uniforms.norm_size) - mean * mean", "f32(uniforms.norm_size)", "LayerNorm"),
]


@pytest.mark.parametrize(("engine", "right", "wrong", "operator"), EDITS)
def test_a_program_that_is_edited_wrongly_is_the_first_wrong_pass(
    pages: dict[str, RecordedPage], tmp_path: Path, engine: str, right: str, wrong: str, operator: str
) -> None:
    shutil.unpack_archive(pages[engine].archive, tmp_path, "zip")
    path = next(each for each in sorted((tmp_path / "programs").iterdir()) if right in each.read_text())
    path.write_text(path.read_text().replace(right, wrong))
    report = compared(tmp_path)
    assert report.culprit is not None
    culprit = report.find(report.culprit)
    assert culprit is not None
    assert (culprit.operator, culprit.verdict) == (operator, "mismatch")
