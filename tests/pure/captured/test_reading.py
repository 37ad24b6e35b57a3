"""Every way to dump a tensor gives the tensor."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.pure.captured.folders import X, plan, raw, right, texels, write
from tests.pure.pipeline_file.folders import INPUT, write_folder
from texelscope import layouts
from texelscope.pipeline.captured.judging import NOT_CAPTURED, judge
from texelscope.pipeline.captured.reading import Captured, read_captured
from texelscope.pipeline.diagnose.evidence.evidence import evidence_of_values
from texelscope.pipeline.importers.registry import plan_of
from texelscope.pipeline.target import OpenOptions

PLAN = plan()
A = texels(PLAN, "a")
HEIGHT, WIDTH, _ = A.shape
SIZE = {"width": WIDTH, "height": HEIGHT}
UNIT = np.clip(np.abs(right(PLAN)["a"]), 0.0, 1.0)


def captured_of(folder: Path) -> Captured:
    return read_captured(folder, PLAN)


def rgba(of: NDArray[Any] = A) -> NDArray[Any]:
    """Returns readPixels's result for a texture with one channel: the others 0, 0, 1."""
    height, width, _ = of.shape
    return np.concatenate([of, np.zeros((height, width, 2), np.float32), np.ones((height, width, 1), np.float32)], 2)


def test_raw_float32_of_four_channels(tmp_path: Path) -> None:
    file = raw(tmp_path, rgba())
    found = captured_of(write(tmp_path, {"name": "a", "file": file, "type": "float32", "channels": 4, **SIZE}))
    assert np.array_equal(found.capture.tensors["a"], right(PLAN)["a"])
    assert np.array_equal(found.texels["a"], A)
    assert found.capture.device.renderer == "Mali-G72"


def test_the_size_and_the_channels_are_those_of_the_layout_where_none_are_given(tmp_path: Path) -> None:
    found = captured_of(write(tmp_path, {"name": "conv", "file": raw(tmp_path, A), "type": "float32"}))
    assert np.array_equal(found.capture.tensors["a"], right(PLAN)["a"])


def test_rows_from_the_last_to_the_first(tmp_path: Path) -> None:
    file = raw(tmp_path, A[::-1])
    found = captured_of(write(tmp_path, {"name": "a", "file": file, "type": "float32", "flipped": True}))
    assert np.array_equal(found.capture.tensors["a"], right(PLAN)["a"])


def test_half_floats_are_float16_there(tmp_path: Path) -> None:
    file = raw(tmp_path, A.astype(np.float16))
    found = captured_of(write(tmp_path, {"name": "a", "file": file, "type": "float16"}))
    assert np.array_equal(found.capture.tensors["a"], right(PLAN)["a"].astype(np.float16).astype(np.float32))
    assert found.plan.textures["a"].storage == "float16"
    assert judge(found).report.passes[0].verdict == "precision"


def test_a_texture_of_half_floats_read_as_float32_is_float16_there(tmp_path: Path) -> None:
    file = raw(tmp_path, A.astype(np.float16).astype(np.float32))
    entry = {"name": "a", "file": file, "type": "float32"}
    assert judge(captured_of(write(tmp_path, {**entry, "storage": "float16"}))).report.passes[0].verdict == "precision"
    assert judge(captured_of(write(tmp_path, entry))).report.passes[0].verdict == "mismatch"


def test_what_a_device_holds_in_half_floats_it_holds_of_weights_and_inputs_too(tmp_path: Path) -> None:
    entry = {"name": "a", "file": raw(tmp_path, A.astype(np.float16)), "type": "float16"}
    found = captured_of(write(tmp_path, entry, storage="float16"))
    assert {each.storage for each in found.plan.textures.values()} == {"float16"}
    assert np.array_equal(found.capture.tensors["x"], X.astype(np.float16).astype(np.float32))


def test_bytes_are_0_to_1(tmp_path: Path) -> None:
    file = raw(tmp_path, np.arange(A.size, dtype=np.uint8).reshape(A.shape))
    found = captured_of(write(tmp_path, {"name": "a", "file": file, "type": "uint8"}))
    assert np.allclose(found.texels["a"].reshape(-1), np.arange(A.size) % 256 / 255.0)


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
def test_a_png_is_a_texture_of_bytes(tmp_path: Path, mode: str) -> None:
    pixels = np.arange(A.size, dtype=np.uint8).reshape(HEIGHT, WIDTH)
    Image.fromarray(pixels).convert(mode).save(tmp_path / "a.png")
    found = captured_of(write(tmp_path, {"name": "a", "file": "a.png"}))
    assert np.allclose(found.texels["a"][:, :, 0] * 255.0, pixels)
    assert found.plan.textures["a"].storage == "uint8"


@pytest.mark.parametrize("held", [right(PLAN)["a"], A, A[:, :, 0], rgba()], ids=["tensor", "texture", "plane", "rgba"])
def test_an_npy_is_the_tensor_or_its_texture(tmp_path: Path, held: NDArray[Any]) -> None:
    np.save(tmp_path / "a.npy", held)
    found = captured_of(write(tmp_path, {"name": "a", "file": "a.npy"}))
    assert np.array_equal(found.capture.tensors["a"], right(PLAN)["a"])


def test_a_buffer_is_the_tensor_in_c_order(tmp_path: Path) -> None:
    file = raw(tmp_path, right(PLAN)["a"])
    found = captured_of(write(tmp_path, {"name": "a", "file": file, "type": "float32", "shape": [1, 5, 6, 5]}))
    assert np.array_equal(found.capture.tensors["a"], right(PLAN)["a"])
    assert "a" not in found.texels


def test_a_buffer_with_its_channels_last(tmp_path: Path) -> None:
    last = np.moveaxis(right(PLAN)["a"], 1, -1)
    entry = {"name": "a", "file": raw(tmp_path, last), "type": "float32", "shape": [1, 6, 5, 5], "axes": "nhwc"}
    assert np.array_equal(captured_of(write(tmp_path, entry)).capture.tensors["a"], right(PLAN)["a"])
    np.save(tmp_path / "a.npy", last)
    entry = {"name": "a", "file": "a.npy", "axes": "nhwc"}
    assert np.array_equal(captured_of(write(tmp_path, entry)).capture.tensors["a"], right(PLAN)["a"])


def test_another_layout_than_the_targets_is_that_of_the_plan_there(tmp_path: Path) -> None:
    other = layouts.layout("row_major_rgba", width=7)
    file = raw(tmp_path, other.encode(right(PLAN)["a"]))
    entry = {"name": "a", "file": file, "type": "float32", "layout": {"name": "row_major_rgba", "width": 7}}
    found = captured_of(write(tmp_path, entry))
    assert np.array_equal(found.capture.tensors["a"], right(PLAN)["a"])
    assert found.plan.textures["a"].layout == other


def test_the_manifest_may_hold_the_values_itself_and_be_named_itself(tmp_path: Path) -> None:
    data = base64.b64encode(A.tobytes()).decode()
    folder = write(tmp_path, {"name": "a", "data": data, "type": "float32"})
    assert np.array_equal(captured_of(folder / "capture.json").capture.tensors["a"], right(PLAN)["a"])


def test_a_manifest_in_toml(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X)
    text = """version = 1
device = { agent = "a browser" }
[[tensors]]
name = "a"
file = "a.raw"
type = "float32"
[[inputs]]
name = "x"
file = "x.npy"
"""
    raw(tmp_path, A)
    (tmp_path / "capture.toml").write_text(text)
    found = captured_of(tmp_path)
    assert np.array_equal(found.capture.tensors["a"], right(PLAN)["a"])
    assert found.capture.device.renderer == "a browser"


def test_an_input_by_its_pattern_and_one_that_the_manifest_says_nothing_of(tmp_path: Path) -> None:
    entry = {"name": "a", "file": raw(tmp_path, A), "type": "float32"}
    folder = write(tmp_path, entry, inputs=[{"name": "x", "source": "ramp"}])
    assert captured_of(folder).capture.tensors["x"].flat[1] == np.float32(1 / 90)
    assert read_captured(folder, PLAN, {"x": X}).capture.tensors["x"].flat[1] == np.float32(1 / 90)
    silent = write(tmp_path, entry, inputs=[])
    assert np.array_equal(read_captured(silent, PLAN, {"x": X}).capture.tensors["x"], X)


@pytest.mark.parametrize(
    ("held", "says"),
    [
        (X[:, :, ::-1], "upside down"),
        (X[:, :, :, ::-1], "mirrored"),
        (X[:, ::-1], "reverse"),
        (X * 255.0, "255 times as large"),
        (X + 1.0, "of other values"),
    ],
)
def test_an_input_that_the_device_held_otherwise_is_told(tmp_path: Path, held: NDArray[Any], says: str) -> None:
    np.save(tmp_path / "held.npy", np.ascontiguousarray(held, dtype=np.float32))
    (note,) = captured_of(write(tmp_path, {"name": "x", "file": "held.npy"})).notes
    assert note.startswith("x: the device stored it ")
    assert says in note


def test_numbers_that_are_none_are_counted_and_the_pass_has_nan(tmp_path: Path) -> None:
    values = A.copy()
    values[0, :3, 0] = np.nan, np.inf, np.nan
    found = captured_of(write(tmp_path, {"name": "a", "file": raw(tmp_path, values), "type": "float32"}))
    assert found.notes == ("a: 2 NaN and 1 infinite of 150 captured values.",)
    assert judge(found, findings=False).report.passes[0].verdict == "nan"


def test_what_was_not_captured_says_so_and_what_follows_is_judged_from_what_was(tmp_path: Path) -> None:
    file = raw(tmp_path, texels(PLAN, "y"))
    first, second = judge(captured_of(write(tmp_path, {"name": "y", "file": file, "type": "float32"}))).report.passes
    assert (first.verdict, first.message) == ("not_run", NOT_CAPTURED)
    assert (second.verdict, second.message) == (
        "match",
        "Judged together with the passes before it: 'a' was not captured.",
    )


def test_a_wrong_pass_is_diagnosed_from_its_values(tmp_path: Path) -> None:
    shifted = np.zeros_like(right(PLAN)["a"])
    shifted[:, :, :, :-1] = right(PLAN)["a"][:, :, :, 1:]
    file = raw(tmp_path, PLAN.textures["a"].layout.encode(shifted))
    report = judge(captured_of(write(tmp_path, {"name": "a", "file": file, "type": "float32"}))).report
    assert report.culprit == "conv"
    assert report.passes[0].findings[0].cause == "shift"
    assert report.passes[0].findings[0].line is None
    assert report.passes[0].message == "Diagnosed from values alone."


def test_weights_that_the_device_held_otherwise_are_known_to_the_diagnosis(tmp_path: Path) -> None:
    weights = PLAN.constant("w")
    assert weights is not None
    np.save(tmp_path / "w.npy", weights.transpose(0, 1, 3, 2))
    entries = [{"name": "a", "file": raw(tmp_path, A), "type": "float32"}, {"name": "w", "file": "w.npy"}]
    found = captured_of(write(tmp_path, *entries))
    evidence = evidence_of_values(found.plan, found.plan.passes[0], found.capture, texels=found.texels)
    assert evidence.facts["other_constants"] == ("w",)


def test_of_several_outputs_those_that_were_captured_are_judged(tmp_path: Path) -> None:
    shader = """#version 330 core
uniform sampler2D t_X;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
void main() {
    first = texelFetch(t_X, ivec2(gl_FragCoord.xy), 0);
    second = 2.0 * first;
}
"""
    outputs = ", ".join(
        f'{{ name = "{name}", shape = [1, 3, 8, 8], layout = "channel_tiles", oracle = "{name}" }}'
        for name in ("first", "second")
    )
    toml = f"""[pipeline]
oracle = "oracle.py"
{INPUT}
[[pass]]
name = "both"
shader = "both.frag"
output = [{outputs}]
textures.t_X = "image"
"""
    oracle = "def first(t_X):\n    return t_X\n\n\ndef second(t_X):\n    return 2.0 * t_X\n"
    file = write_folder(tmp_path, toml, both_frag=shader, oracle_py=oracle)
    both = plan_of(file, OpenOptions(trust=True))
    image = np.asarray(both.initial_inputs["image"], dtype=np.float32)
    for factor, verdict in ((2.0, "match"), (3.0, "mismatch")):
        file_name = raw(tmp_path, both.textures["second"].layout.encode(np.float32(factor) * image))
        folder = write(tmp_path, {"name": "second", "file": file_name, "type": "float32"}, inputs=None)
        (report,) = judge(read_captured(folder, both)).report.passes
        assert report.verdict == verdict
        assert "Of its outputs 'first' was not captured." in report.message
    assert report.message.endswith("Capture its first output to have it diagnosed.")
