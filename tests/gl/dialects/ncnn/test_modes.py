"""Shaders of ncnn in every mode and pack: each right, and the one that is wrong seen at a glance."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.ncnn_shaders import PRODUCT, copying, relu, write_relu
from tests.pure.models import model, node, value
from texelscope import command_line, pipeline
from texelscope.pipeline.commands.diff import diff
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.modes.table import as_json, render, table_of
from texelscope.pipeline.modes.tabulating import tabulate
from texelscope.pipeline.opening import set_inputs
from texelscope.pipeline.target import OpenOptions, Target

SMALL = {"channels": "8", "height": "3", "width": "5"}
MODES = ("fp32", "fp16_packed", "fp16_storage", "fp32_image", "fp16_packed_image", "fp16_storage_image")


def target(path: Path, **said: str) -> Target:
    return Target(str(path), OpenOptions(dialect={**SMALL, **said}))


@contextmanager
def ran(path: Path, gl: moderngl.Context, said: Mapping[str, str]) -> Iterator[DebugSession]:
    with pipeline.open(str(path), dialect=said, context=gl) as session:
        set_inputs(session, target(path))
        session.run()
        yield session


def test_one_source_is_right_in_every_mode_and_pack_and_a_slip_in_one_is_seen(tmp_path: Path) -> None:
    path = write_relu(tmp_path)
    assert tabulate(target(path)).conclusion == "Right in each of the 18 that ran."
    wrong = relu(4).replace("    v = max", "#if NCNN_fp16_packed\n    v = v.yxzw;\n#endif\n    v = max")
    (tmp_path / "relu_pack4.comp").write_text(wrong, encoding="utf-8")
    table = tabulate(target(path))
    assert table.conclusion == "Only wrong in fp16_packed and fp16_packed_image with pack 4."
    assert [(cell.mode, cell.pack) for cell in table.cells if cell.is_wrong] == [
        ("fp16_packed", 4),
        ("fp16_packed_image", 4),
    ]
    text = render(table)
    assert "\nfp32                ● 0     ● 0     ● 0\nfp16_packed         ● 0     ✗ >1e6  ● 0\n" in text
    assert "\n– ncnn mode 'fp16_arithmetic': expected a driver with GL_AMD_gpu_shader_half_float" in text
    cells = {(each["mode"], each["pack"]): each for each in json.loads(as_json(table))["cells"]}
    assert cells["fp16_packed", 4] | {"bound_ratio": 1} == {
        "mode": "fp16_packed", "pack": 4, "verdict": "mismatch", "wrong": True, "bound_ratio": 1, "pass": "relu_pack4",
        "reason": None,
    }  # fmt: skip
    assert cells["fp16_arithmetic", 8]["verdict"] == "not_run"
    assert table_of(as_json(table)) == table
    with pytest.raises(
        TexelscopeError, match=r"a table of modes: expected JSON as 'modes --json' writes it, got 'cells'"
    ):
        table_of("{}")


def test_the_command_line_prints_the_table_and_tells_by_its_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "relu.comp").write_text(relu(1, "gi - gi % 2"), encoding="utf-8")
    arguments = ["modes", str(tmp_path / "relu.comp"), "--json", str(tmp_path / "modes.json")]
    assert command_line.main([*arguments, "--param", "channels=2", "--param", "height=3"]) == 1
    printed = capsys.readouterr().out
    assert "pack 1\n" in printed
    assert "pack 4" not in printed, "there is no such file"
    assert "Only wrong in fp16_packed, fp16_storage and fp32." in printed
    assert json.loads((tmp_path / "modes.json").read_text(encoding="utf-8"))["conclusion"] in printed


def test_what_has_no_modes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TexelscopeError, match=r"m\.onnx: expected a shader of ncnn's \(\.comp\), got '\.onnx'"):
        tabulate(target(tmp_path / "m.onnx"))


@pytest.mark.parametrize("mode", ["fp32", "fp16_packed", "fp16_storage"])
def test_shared_memory_holds_what_the_mode_has_there(mode: str, tmp_path: Path, gl: moderngl.Context) -> None:
    path = tmp_path / "convolution_pack4_1x1s1d1.comp"
    path.write_text(PRODUCT, encoding="utf-8")
    with ran(path, gl, {**SMALL, "mode": mode, "out_channels": "12"}) as session:
        report = session.compare()
        assert report.verdict == ("match" if mode == "fp32" else "precision")
        assert session.plan.textures["weight"].layout.parameters == {"pack": 4, "out_pack": 4}


def test_channels_taken_for_closer_than_the_mode_has_them_are_named_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "convolution_pack4_1x1s1d1.comp"
    path.write_text(PRODUCT.replace("z * psc(cstep)", "z * psc(w) * psc(h)"), encoding="utf-8")
    report = diff(target(path, mode="fp16_packed")).report
    (wrong,) = report.passes
    line = next(n for n, text in enumerate(PRODUCT.split("\n"), 1) if "z * psc(cstep)" in text)
    first = wrong.findings[0]
    assert (first.cause, first.line, first.parameters["step"]) == ("wrong_layout", line, 15)
    assert first.explained == 1.0
    assert "is read as ncnn_pack4 with channels 15 apart, but it is bound as ncnn_pack4 with align 2" in first.evidence


FLAT = """#version 450
layout(constant_id = 0) const uint n = 0;
layout(binding = 0) buffer bottom_top_blob { sfpvec4 blob_data[]; };
layout(push_constant) uniform parameter { uint n; } p;
void main()
{
    uint gi = gl_GlobalInvocationID.x;
    if (gi >= psc(n))
        return;
    afpvec4 v = buffer_ld4(blob_data, gi);
    buffer_st4(blob_data, gi, max(v, afp(0.f)));
}
"""


@pytest.mark.parametrize("mode", ["fp32", "fp16_packed"])
def test_a_shader_as_ncnn_has_them_since_2026_goes_through_memory(
    mode: str, tmp_path: Path, gl: moderngl.Context
) -> None:
    path = tmp_path / "relu.comp"
    path.write_text(FLAT, encoding="utf-8")
    with ran(path, gl, {**SMALL, "mode": mode}) as session:
        assert session.compare().verdict == "match"
        storage = "float32" if mode == "fp32" else "float16"
        assert session.plan.textures["x"].storage == storage, "a single number is packed too"
    with pytest.raises(TexelscopeError, match=r"relu\.comp: expected a shader with a branch for NCNN_image_shader"):
        pipeline.open(str(path), dialect={**SMALL, "mode": f"{mode}_image"}, context=gl)


def test_sizes_are_the_same_pushed_as_constant(tmp_path: Path, gl: moderngl.Context) -> None:
    path = write_relu(tmp_path)
    for said in ({}, {"sizes": "pushed"}):
        with ran(path, gl, {**SMALL, **said}) as session:
            assert session.compare().verdict == "match"
            assert ("const int w = 0;" in session.plan.passes[0].program.fragment) == bool(said)
            assert session.plan.passes[0].uniforms["p.w"] == 5


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("psc(cstep) + at.y", "psc(w) * psc(h) + at.y"),  # channels lie closer than they do
        ("psc(w) + at.x", "psc(h) + at.x"),
        ("v = max(v, afp(0.f))", "v = max(v, afp(0.1f))"),
    ],
)
def test_a_fault_in_a_layer_is_found(old: str, new: str, tmp_path: Path, gl: moderngl.Context) -> None:
    path = tmp_path / "relu.comp"
    assert relu(1).count(old) == 1
    path.write_text(relu(1).replace(old, new), encoding="utf-8")
    with ran(path, gl, SMALL) as session:
        report = session.compare(findings=False)
        assert (report.verdict, report.culprit) == ("mismatch", "relu")


CHAIN = ((1, 4), (4, 8), (8, 1), (1, 8), (8, 4), (4, 1))


def write_copies(folder: Path, mode: str, swap: str = "") -> Path:
    """A pipeline file that takes a blob through all packs, and the model that says that it stays what it is."""
    align = {"fp32": (4, 1), "fp16_packed": (4, 2), "fp16_storage": (8, 2)}[mode]
    layouts = {1: f'{{ name = "ncnn_pack1", align = {align[0]} }}', 4: f'{{ name = "ncnn_pack4", align = {align[1]} }}'}
    layouts[8] = '"ncnn_pack8"'
    single = "float16" if mode == "fp16_storage" else "float32"
    types = {1: single, 4: "float32" if mode == "fp32" else "float16", 8: "float32" if mode == "fp32" else "float16"}
    steps = {pack: -(-15 // aligned) * aligned for pack, aligned in ((1, align[0]), (4, align[1]), (8, 1))}
    nodes = [node("Identity", "x" if i == 0 else f"y{i - 1}", f"y{i}") for i in range(len(CHAIN))]
    shape = (1, 8, 3, 5)
    made = model(nodes, [value("x", shape)], [value(f"y{len(CHAIN) - 1}", shape)])
    (folder / "m.onnx").write_bytes(made.SerializeToString())
    text = f"""[pipeline]
name = "copies"
model = "m.onnx"
[[input]]
name = "x"
shape = [1, 8, 3, 5]
source = "ramp"
layout = {layouts[1]}
dtype = "{types[1]}"
"""
    for i, (source, wanted) in enumerate(CHAIN):
        (folder / f"{i}.comp").write_text(copying(source, wanted, swap if i == 1 else ""), encoding="utf-8")
        text += f"""[[pass]]
name = "y{i}"
shader = "{i}.comp"
output = {{ shape = [1, 8, 3, 5], layout = {layouts[wanted]}, dtype = "{types[wanted]}" }}
ncnn = {{ mode = "{mode}", local_size = [16, 1, 1] }}
buffers.bottom_blob = "{"x" if i == 0 else f"y{i - 1}"}"
buffers.top_blob = "y{i}"
push = {{ size = 15, cstep = {steps[source]}, outcstep = {steps[wanted]}, groups = {8 // max(source, wanted)} }}
dispatch = [1, 2, 1]
"""
    path = folder / "pipeline.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("mode", ["fp32", "fp16_packed", "fp16_storage"])
def test_a_blob_is_the_same_after_every_copy_between_packs(mode: str, tmp_path: Path, gl: moderngl.Context) -> None:
    with pipeline.open(str(write_copies(tmp_path, mode)), context=gl) as session:
        blob = np.arange(120, dtype=np.float32).reshape(1, 8, 3, 5) / 8
        session.set_input("x", blob)
        session.run()
        for i in range(len(CHAIN)):
            np.testing.assert_array_equal(session.tensor(f"y{i}"), blob)
        assert session.compare().verdict == "match"


def test_a_copy_that_gathers_in_the_wrong_order_is_found(tmp_path: Path, gl: moderngl.Context) -> None:
    with pipeline.open(str(write_copies(tmp_path, "fp16_packed", ".yx")), context=gl) as session:
        set_inputs(session, Target(""))
        session.run()
        report = session.compare(findings=False)
        assert report.culprit == "y1"
