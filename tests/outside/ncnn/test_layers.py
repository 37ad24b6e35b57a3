"""ncnn's shaders open unchanged and match ONNX in every mode and pack; a fault planted in one is found."""

from __future__ import annotations

import shutil
from pathlib import Path

import moderngl
import pytest

from tests.outside.ncnn.tree import VARIABLE, shader_folder
from texelscope import pipeline
from texelscope.pipeline.commands.diff import diff
from texelscope.pipeline.dialects.ncnn.layers.base import PACKS, sibling
from texelscope.pipeline.dialects.ncnn.layers.opening import all_layers
from texelscope.pipeline.glsl.ncnn.modes import MODES
from texelscope.pipeline.target import Target

FOLDER = shader_folder()
if not (FOLDER / "relu.comp").is_file():
    pytest.skip(
        f"no shaders of ncnn: run 'python -m tests.outside.ncnn.fetch', or name their folder in {VARIABLE}",
        allow_module_level=True,
    )

# This one mixes up 1-d and 3-d images, in a mode that ncnn itself has given up since.
FLAWED = {("hardsigmoid", 1)}
CASES = [
    pytest.param(family, pack, id=f"{family}-{pack}")
    for family in all_layers()
    for pack in PACKS
    if family not in ("softmax_exp_sub_max", "softmax_reduce_max", "softmax_reduce_sum")  # they open the four of them
]


@pytest.mark.parametrize(("family", "pack"), CASES)
def test_an_unchanged_layer_matches_in_every_mode(family: str, pack: int, gl: moderngl.Context) -> None:
    path = sibling(FOLDER / f"{family}.comp", pack)
    outcomes = {}
    for mode in MODES:
        if mode.has_half_arithmetic or (mode.has_images and (family, pack) in FLAWED):
            continue
        for sizes in ("constant", "pushed") if mode.name == "fp32" else ("constant",):
            with pipeline.open(str(path), dialect={"mode": mode.name, "sizes": sizes}, context=gl) as session:
                session.run()
                report = session.compare(findings=False)
                assert {name: str(error) for name, error in session.shader_errors.items()} == {}
                outcomes[mode.name, sizes] = report.verdict
    assert set(outcomes.values()) <= {"match", "precision"}, outcomes
    assert outcomes["fp32", "constant"] == outcomes["fp32", "pushed"] == "match"


# Shader, what stands there, what somebody might have written, and the pass that is wrong.
FAULTS = (
    ("relu_pack4", "gz * psc(cstep)", "gz * psc(w)", "relu_pack4"),  # the wrong step between channels
    ("sigmoid", "gy * psc(w) + gx", "gy * psc(h) + gx", "sigmoid"),
    ("batchnorm_pack8", "gxyz[psc(dims) - 1]", "gxyz[psc(dims) - 2]", "batchnorm_pack8"),
    ("scale_pack4", "gxyz[psc(dims) - 1]", "gxyz[1]", "scale_pack4"),
    ("prelu", "gxyz[psc(dims) - 1]", "gxyz[0]", "prelu"),
    ("binaryop_pack8", "buffer_ld8(b_blob_data, gi)", "buffer_ld8(a_blob_data, gi)", "binaryop_pack8"),
    ("concat_pack4", "buffer_cp4(top_blob_data, v_offset,", "buffer_cp4(top_blob_data, v_offset + 1,", "begun"),
    ("concat_pack8", "psc(outcstep)", "psc(cstep) + 1", "begun"),
    ("interp_pack4", "psc(h) - 2", "psc(h) - 3", "interp_pack4"),
    ("padding_pack8", "gx - p.left", "gx - p.top", "padding_pack8"),
    ("pooling", "v_offset += psc(w);", "v_offset += psc(outw);", "pooling"),
    ("pixelshuffle", "psc(outcstep)", "psc(cstep)", "pixelshuffle"),
    ("innerproduct_pack4", "gx * psc(w)", "gx * psc(outw)", "innerproduct_pack4"),
    ("convolution_pack8", "dilation_h * psc(w)", "dilation_h * psc(outw)", "convolution_pack8"),
    ("convolution", "gz2 * psc(outcstep)", "gz2 * psc(outw)", "convolution"),
    ("convolution_pack4_1x1s1d1", "barrier();", "", "convolution_pack4_1x1s1d1"),
    ("convolutiondepthwise_pack4", "gz * psc(cstep)", "gz * psc(outcstep)", "convolutiondepthwise_pack4"),
    ("softmax_exp_sub_max", "exp(v - max_value)", "exp(v)", "powers"),
    ("softmax_reduce_sum_pack8", "gx * psc(w) + i", "gx * psc(h) + i", "sum"),
)

# What stands for the step between channels; pooling_pack4 has it one too far, the others forget padding.
STEPS = (
    ("pooling", "gz * psc(cstep)", "gz * psc(w) * psc(h)", 63),
    ("pooling_pack4", "gz * psc(cstep)", "gz * (psc(cstep) + 1)", 64),
    ("interp", "gz * psc(cstep)", "gz * psc(w) * psc(h)", 63),
    ("convolutiondepthwise", "gz * psc(cstep)", "gz * psc(w) * psc(h)", 63),
    ("convolution", "z * psc(cstep)", "z * psc(w) * psc(h)", 63),
)


def edited(folder: Path, shader: str, old: str, new: str) -> Path:
    """Returns the shader with a fault, beside those of its layer."""
    layer = shader.split("_", 1)[0]
    for path in (*FOLDER.glob(f"{layer}*.comp"), FOLDER / "vulkan_activation.comp"):
        shutil.copy(path, folder)
    path = folder / f"{shader}.comp"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


@pytest.mark.parametrize(("shader", "old", "new", "step"), STEPS, ids=[fault[0] for fault in STEPS])
def test_a_wrong_step_between_channels_is_named(shader: str, old: str, new: str, step: int, tmp_path: Path) -> None:
    (wrong,) = diff(Target(str(edited(tmp_path, shader, old, new)))).report.passes
    assert wrong.findings[0].cause == "wrong_layout"
    assert wrong.findings[0].parameters["step"] == step
    assert wrong.findings[0].line is not None


def test_a_missing_barrier_is_named(tmp_path: Path) -> None:
    path = edited(tmp_path, "convolution_pack4_1x1s1d1", "barrier();", "")
    (wrong,) = diff(Target(str(path))).report.passes
    assert wrong.findings[0].cause == "missing_barrier"


@pytest.mark.parametrize(("shader", "old", "new", "culprit"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_fault_is_found_in_its_pass(
    shader: str, old: str, new: str, culprit: str, tmp_path: Path, gl: moderngl.Context
) -> None:
    path = edited(tmp_path, shader, old, new)
    with pipeline.open(str(path), dialect={}, context=gl) as session:
        session.run()
        report = session.compare(findings=False)
        assert (report.culprit, report.verdict in ("mismatch", "unwritten", "nan")) == (culprit, True)
