"""`diff` on a folder compares every target in it, each in its own process, and prints one table."""

from __future__ import annotations

import json
import shutil
import threading
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import psutil
import pytest

from tests.checkout import ROOT
from tests.gl.commands.running import Run
from tests.pure.models import model, node, relu, saved_conv_and_relu, value
from texelscope.diff_folder import files_to_compare
from texelscope.pipeline.commands.diff import FAILED, MATCH, MISMATCH
from texelscope.pipeline.commands.folder import compare_targets
from texelscope.pipeline.target import OpenOptions, Target

TWICE = ROOT / "examples" / "convolution_twice"
BIAS = "texelFetch(t_bias, ivec2(o, 0), 0).x"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A right model, one below it, a wrong pipeline file, and a model that cannot be read."""
    (tmp_path / "a.onnx").write_bytes(relu().SerializeToString())
    (tmp_path / "below").mkdir()
    saved_conv_and_relu(tmp_path / "below").rename(tmp_path / "below" / "conv.onnx")
    shutil.copytree(TWICE, tmp_path / "twice")
    (tmp_path / "z.onnx").write_bytes(b"no model")
    return tmp_path


def wrong(folder: Path) -> None:
    """Leaves the bias out of the pipeline's fragment shader."""
    shader = folder / "twice" / "conv.frag"
    text = shader.read_text()
    assert text.count(BIAS) == 1
    shader.write_text(text.replace(BIAS, "0.0"))


def test_one_table_has_all_of_them(folder: Path, run: Run) -> None:
    wrong(folder)
    assert run("diff", folder, "--jobs", 2) == MISMATCH
    rows = run.out.splitlines()
    assert rows[0].split()[:5] == ["target", "passes", "that", "match", "verdict"]
    named = [row.split()[1] for row in rows[1:5]]
    assert named == [str(folder / name) for name in ("a.onnx", "z.onnx", "below/conv.onnx", "twice/pipeline.toml")]
    assert [row[0] for row in rows[1:5]] == ["●", "!", "●", "✗"]
    assert "1 of 1  match" in rows[1]
    assert "2 of 4 targets match. 1 is wrong. 1 could not run or be compared. This took " in run.out
    assert "2 targets at a time." in run.out
    assert f"diff {folder / 'twice' / 'pipeline.toml'}' shows the passes of the first wrong one." in run.out
    assert f"! {folder / 'z.onnx'}: " in run.out
    assert "1 of 4: " in run.err
    assert "4 of 4: " in run.err


def test_json_has_every_report_and_junit_a_suite_for_each_target(folder: Path, run: Run, tmp_path: Path) -> None:
    written = tmp_path / "all.json", tmp_path / "all.xml"
    assert run("diff", folder, "--json", written[0], "--junit", written[1]) == FAILED
    told = json.loads(written[0].read_text())
    assert told["version"] == 1
    assert [Path(each["path"]).name for each in told["targets"]] == ["a.onnx", "z.onnx", "conv.onnx", "pipeline.toml"]
    assert [each["exit_code"] for each in told["targets"]] == [MATCH, FAILED, MATCH, MATCH]
    assert told["targets"][0]["report"]["verdict"] == "match"
    assert told["targets"][1]["report"] is None
    assert "z.onnx" in told["targets"][1]["message"]
    suites = ET.fromstring(written[1].read_text())
    assert [suite.get("errors") for suite in suites] == ["0", "1", "0", "0"]


def test_it_says_the_same_of_a_target_as_diff_of_that_target(folder: Path, run: Run) -> None:
    wrong(folder)
    target = folder / "twice" / "pipeline.toml"
    assert run("diff", target, "--diagnose-seconds", 0, "--json", "-") == MISMATCH
    alone = json.loads(run.out)
    assert run("diff", folder / "twice", "--diagnose-seconds", 0, "--json", "-") == MISMATCH
    ((together,),) = [json.loads(run.out)["targets"]]
    for report in (alone, together["report"]):
        for each in report["passes"]:
            each["gpu_ms"] = None
    assert together["report"] == alone


def test_a_folder_without_targets_and_options_of_one_target_are_refused(tmp_path: Path, run: Run) -> None:
    message = run.refusal("diff", tmp_path)
    assert "expected a pipeline file (.toml), a model (.onnx) or a shader in it or below it, got none." in message
    message = run.refusal("diff", tmp_path, "--html", "page.html")
    assert f"--html: expected one target, got the folder '{tmp_path}'. Name one of its targets." in message
    (tmp_path / "a.onnx").write_bytes(relu().SerializeToString())
    message = run.refusal("diff", tmp_path / "a.onnx", "--jobs", 2)
    assert "--jobs: expected a folder of targets, got one target. Leave it out." in message


def test_what_is_interrupted_leaves_no_process(folder: Path) -> None:
    before = {each.pid for each in psutil.Process().children(recursive=True)}
    targets = [Target(str(folder / "a.onnx"), OpenOptions())] * 3

    def stop(_each: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare_targets(targets, 2, done=stop)
    end = time.monotonic() + 10
    while left := {each.pid for each in psutil.Process().children(recursive=True)} - before:
        assert time.monotonic() < end, left
        time.sleep(0.1)
    assert not [each for each in threading.enumerate() if "ThreadPoolExecutor" in each.name]


def test_what_lies_beside_a_pipeline_file_belongs_to_it_and_bare_shaders_count_alone(tmp_path: Path) -> None:
    for name in ("net/pipeline.toml", "net/model.onnx", "net/pass.frag", "other/model.onnx", "alone/pass.frag"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("[pipeline]\n")
    found = [path.relative_to(tmp_path).as_posix() for path in files_to_compare(tmp_path)]
    assert found == ["net/pipeline.toml", "other/model.onnx"]
    assert [path.name for path in files_to_compare(tmp_path / "alone")] == ["pass.frag"]


def test_engines_shaders_and_recordings_are_among_them() -> None:
    found = {path.relative_to(ROOT / "examples").as_posix() for path in files_to_compare(ROOT / "examples")}
    named = {"ncnn/relu.comp", "mpv/sharpen_x2.glsl", "magpie/sharpen_x2.hlsl", "reshade/sharpen.fx"}
    assert named | {"tfjs/small_network.tfjs.zip", "convolution_twice/pipeline.toml"} <= found
    assert not {"convolution_twice/conv.comp", "convolution_twice/model.onnx", "webgl_cnn/up.frag"} & found


def test_what_could_not_be_compared_says_why(run: Run) -> None:
    assert run("diff", ROOT / "examples" / "ci_template") == FAILED
    assert "0 of 1 targets match. 1 could not run or be compared." in run.out
    assert "'across': oracle.py is code and was not run; trust it (--trust) to compare." in run.out


def test_shapes_are_those_of_every_target(tmp_path: Path, run: Run) -> None:
    free = model([node("Relu", "x", "y", "act")], [value("x", (1, "C", "H", "W"))], [value("y", (1, "C", "H", "W"))])
    for name in ("a.onnx", "b.onnx"):
        (tmp_path / name).write_bytes(free.SerializeToString())
    assert run("diff", tmp_path) == FAILED
    assert "expected a shape without free dimensions" in run.out
    assert run("diff", tmp_path, "--shape", "x=1,3,4,5") == MATCH


def test_a_pipeline_file_that_cannot_be_read_is_no_target_left_out(tmp_path: Path, run: Run) -> None:
    (tmp_path / "pipeline.toml").write_text("[pipeline")
    assert run("diff", tmp_path) == FAILED
    assert "0 of 1 targets match. 1 could not run or be compared." in run.out
    assert f"! {tmp_path / 'pipeline.toml'}: " in run.out
