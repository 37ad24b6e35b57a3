"""TensorFlow.js itself, recorded in a page: its programs run here unchanged, match, and a wrong edit is named.

`make tfjs` fetches it from npm; nothing of it is in this tree.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.peers.install import default_folder
from tests.browser.chromium import Chromium
from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.dialects.recordings.files import files_of
from texelscope.pipeline.dialects.tfjs.recording.kinds import MANIFEST
from texelscope.pipeline.dialects.tfjs.recording.manifest import TfjsRecording, read_manifest

RECORDER = ROOT / "examples" / "tfjs" / "recorder.js"
_ENTRY = """
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-webgl';
import '@tensorflow/tfjs-backend-cpu';
import * as layers from '@tensorflow/tfjs-layers';
Object.assign(window, { tf, layers });
"""
_PAGE = "<!DOCTYPE html><body></body><script src='{script}'></script><script src='recorder.js'></script>"
# What a page may set; programs differ by it.
SETTINGS: Mapping[str, Mapping[str, object]] = {
    "packed": {},
    "packed_convolutions": {"WEBGL_EXP_CONV": True, "WEBGL_PACK_DEPTHWISECONV": True},
    "unpacked": {"WEBGL_PACK": False, "WEBGL_CONV_IM2COL": False},
    "shapes_in_uniforms": {"WEBGL_USE_SHAPES_UNIFORMS": True},
    "webgl_1": {"WEBGL_VERSION": 1},
}
# Those recorded from a minified build too.
SHORT = ("packed", "packed_convolutions", "unpacked")
_OPERATORS = """
  const noise = (shape, seed) => tf.randomNormal(shape, 0, 1, 'float32', seed);
  const x = noise([1, 9, 7, 3], 1), w = noise([3, 3, 3, 5], 2), b = noise([5], 3), d = noise([3, 3, 5, 2], 4);
  const p = noise([1, 1, 10, 6], 5), m = noise([48, 10], 10), s = tf.abs(noise([6], 7));
  const recorder = recordTensorFlow(tf);
  await tf.tidy(() => {
    let t = tf.relu(tf.add(tf.conv2d(x, w, [2, 2], 'same'), b));
    t = tf.depthwiseConv2d(t, d, 1, 'same');
    t = tf.batchNorm(tf.conv2d(t, p, 1, 'valid'), noise([6], 6), s, noise([6], 8), noise([6], 9), 0.001);
    t = tf.add(tf.maxPool(t, [2, 2], [2, 2], 'same'), tf.avgPool(t, [3, 3], [2, 2], 'same'));
    t = tf.image.resizeBilinear(t, [4, 2]);
    return tf.softmax(tf.mul(tf.matMul(tf.reshape(t, [1, 48]), m), tf.scalar(0.005)));
  }).data();
"""
_MODEL = """
  const L = layers.layers, image = layers.input({ shape: [17, 13, 3] });
  let t = L.conv2d({ filters: 6, kernelSize: 3, strides: 2, padding: 'same', activation: 'relu' }).apply(image);
  t = L.depthwiseConv2d({ kernelSize: 3, padding: 'same', activation: 'relu6' }).apply(L.batchNormalization().apply(t));
  t = L.add().apply([L.conv2d({ filters: 6, kernelSize: 1 }).apply(t), t]);
  t = L.upSampling2d({ size: [2, 2] }).apply(L.maxPooling2d({ poolSize: 2 }).apply(t));
  t = L.concatenate().apply([t, t]);
  t = L.conv2dTranspose({ filters: 4, kernelSize: 3, strides: 2, padding: 'same' }).apply(t);
  t = L.globalAveragePooling2d({}).apply(L.leakyReLU().apply(t));
  const model = layers.model({ inputs: image, outputs: L.dense({ units: 5, activation: 'softmax' }).apply(t) });
  const pixels = new ImageData(Uint8ClampedArray.from({ length: 17 * 13 * 4 }, (_, i) => (i * 37 + 11) % 256), 13, 17);
  const recorder = recordTensorFlow(tf);
  await model.predict(tf.expandDims(tf.div(tf.browser.fromPixels(pixels), tf.scalar(255)), 0)).data();
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with TensorFlow.js and the recorder; skipped where it is not installed."""
    installed = default_folder()
    if not (installed / "node_modules" / "@tensorflow").is_dir():
        pytest.skip("TensorFlow.js is not installed: make tfjs")
    folder = tmp_path_factory.mktemp("tfjs")
    (folder / "entry.js").write_text(_ENTRY)
    for script, more in (("tf.js", ()), ("tf.min.js", ("--minify",))):
        subprocess.run(
            [installed / "node_modules" / ".bin" / "esbuild", "entry.js", "--bundle", "--format=iife",
             f"--outfile={script}", "--log-level=error", *more],
            cwd=folder, env={**os.environ, "NODE_PATH": str(installed / "node_modules")}, check=True,
        )  # fmt: skip
        (folder / f"{script}.html").write_text(_PAGE.format(script=script))
    shutil.copyfile(RECORDER, folder / "recorder.js")
    return folder / "tf.js.html"


def recorded(chromium: Chromium, page: Path, name: str, settings: Mapping[str, object], run: str) -> Path:
    """The archive that the page lets one download."""
    chromium.open(page)
    flags = "".join(f"tf.env().set('{flag}', {str(value).lower()});" for flag, value in settings.items())
    start = f"{flags} await tf.setBackend('webgl'); await tf.ready();"
    chromium.evaluate(f"(async () => {{ {start} {run} await recorder.save('{name}.tfjs.zip'); }})()")
    return chromium.downloaded(f"{name}.tfjs.zip")


@pytest.fixture(scope="module")
def recordings(chromium: Chromium, page: Path) -> dict[str, Path]:
    """Returns the operators under every setting, and a model of layers."""
    found = {name: recorded(chromium, page, name, flags, _OPERATORS) for name, flags in SETTINGS.items()}
    minified = page.with_name("tf.min.js.html")
    found |= {
        f"{name}_minified": recorded(chromium, minified, f"{name}_m", SETTINGS[name], _OPERATORS) for name in SHORT
    }
    return {
        **found,
        "model": recorded(chromium, page, "model", {}, _MODEL),
        "model_minified": recorded(chromium, minified, "model_m", {}, _MODEL),
    }


def compared(target: Path) -> Report:
    """Returns the report of a recording."""
    with pipeline.open(target) as session:
        session.run()
        return session.compare()


@pytest.mark.parametrize("name", [*SETTINGS, *(f"{name}_minified" for name in SHORT), "model", "model_minified"])
def test_what_a_page_recorded_runs_unchanged_and_matches_in_every_pass(recordings: dict[str, Path], name: str) -> None:
    plan = pipeline.plan_of(recordings[name])
    assert not plan.warnings
    manifest: TfjsRecording = read_manifest(files_of(recordings[name], MANIFEST))
    made_of = {program.fragment for program in manifest.programs}
    assert {each.program.files[0].path for each in plan.passes} == made_of
    report = compared(recordings[name])
    assert {each.name: each.verdict for each in report.passes if each.verdict != "match"} == {}
    assert {each.page.agrees_with for each in report.passes if each.page is not None} == {"both"}
    assert all(each.recorded_ms is not None and each.notes["cache key"] for each in report.passes)
    assert plan.graph is not None
    unknown = [node for node in plan.graph.nodes if node.op_type == "Recorded"]
    kernels = {each.name: program.kernel for each, program in zip(plan.passes, manifest.programs, strict=True)}
    assert {kernels[node.name] for node in unknown} <= {"FromPixels"}


EDITS = [
    ("unpacked", "Conv2D", "const ivec2 pads = ivec2(1, 1);", "const ivec2 pads = ivec2(1, 0);", "shift"),
    ("unpacked", "Conv2D", "const ivec2 strides = ivec2(2, 2);", "const ivec2 strides = ivec2(2, 1);", "stride"),
    ("packed_convolutions", "Conv2DPacked", "for (int r = 0;", "for (int r = 1;", "missing_taps"),
    ("packed", "Im2ColPacked", "stride[1] - pad[1];", "stride[1] - pad[1] + 1;", "shift"),
    ("packed", "MatMulPacked", "for (int i = 0; i < 14;", "for (int i = 0; i < 13;", "missing_channels"),
    ("packed", "DepthwiseConv2D", "int wC = 0; wC < 3", "int wC = 0; wC < 2", "missing_taps"),
    ("unpacked", "Pool2D", "coords.yz * strides - pads", "coords.yz * strides - pads + ivec2(0, 1)", "shift"),
    ("packed", "UnaryOpPacked", "unaryOperation(x);", "x;", "activation_missing"),
]


@pytest.mark.parametrize(("name", "program", "right", "wrong", "cause"), EDITS)
def test_a_program_that_is_edited_wrongly_is_named_with_its_cause_and_a_line_of_its_own(
    recordings: dict[str, Path], tmp_path: Path, name: str, program: str, right: str, wrong: str, cause: str
) -> None:
    shutil.unpack_archive(recordings[name], tmp_path, "zip")
    path = next(
        path for path in sorted(tmp_path.glob(f"programs/*_{program}Program.frag")) if right in path.read_text()
    )
    path.write_text(path.read_text().replace(right, wrong))
    edited = {each.name for each in pipeline.plan_of(tmp_path).passes if each.program.files[0].path.endswith(path.name)}
    report = compared(tmp_path)
    assert report.culprit in edited
    culprit = report.find(report.culprit)
    assert culprit is not None
    found = culprit.findings[0]
    assert (found.cause, found.shader) == (cause, f"programs/{path.name}")
    assert found.line is not None
    own = next(each for each in pipeline.plan_of(tmp_path).passes if each.name == report.culprit).program.supplied_lines
    assert found.line > own


# Draws once before the recording: textures that exist by then tell their size in another way than new ones.
_WARM = """
  const x = tf.randomNormal([1, 9, 7, 3], 0, 1, 'float32', 1), w = tf.randomNormal([3, 3, 3, 5], 0, 1, 'float32', 2);
  const run = () => tf.tidy(() => tf.relu(tf.conv2d(x, w, 1, 'same')).data());
  await run();
  const recorder = recordTensorFlow(tf);
  await run();
"""


@pytest.mark.parametrize("name", ["packed", "unpacked", "webgl_1"])
def test_textures_that_were_there_before_the_recording_have_their_real_size(
    chromium: Chromium, page: Path, name: str
) -> None:
    archive = recorded(chromium, page, f"warm_{name}", SETTINGS[name], _WARM)
    manifest: TfjsRecording = read_manifest(files_of(archive, MANIFEST))
    assert not any(program.name.startswith("EncodeMatrix") for program in manifest.programs)
    report = compared(archive)
    assert {each.verdict for each in report.passes} == {"match"}


# As some releases do, allots packed textures twice as wide and high as they are drawn to.
_LARGER = """
  const gpgpu = tf.backend().gpgpu, make = gpgpu.createPackedMatrixTexture;
  gpgpu.createPackedMatrixTexture = (rows, columns) => make.call(gpgpu, 2 * rows, 2 * columns);
"""
_UPLOADS = """
  const x = tf.randomNormal([5, 7], 0, 1, 'float32', 1);
  const recorder = recordTensorFlow(tf);
  await tf.relu(x).data();
"""


def test_a_texture_has_the_size_that_webgl_was_asked_for(chromium: Chromium, page: Path) -> None:
    settings = {"WEBGL_CPU_FORWARD": False}
    usual = recorded(chromium, page, "usual", settings, _UPLOADS)
    larger = recorded(chromium, page, "larger", settings, _LARGER + _UPLOADS)
    sizes = []
    for archive in (usual, larger):
        manifest: TfjsRecording = read_manifest(files_of(archive, MANIFEST))
        upload = next(each for each in manifest.textures.values() if each.arrangement == "texels")
        assert upload.shape == (upload.height, upload.width, 4)
        sizes.append((upload.width, upload.height))
    assert sizes[1] == (2 * sizes[0][0], 2 * sizes[0][1])
