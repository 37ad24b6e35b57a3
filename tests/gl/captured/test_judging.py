"""Tests a capture beside a run of the same shaders here: wrong in the same way, or right here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.checkout import ROOT
from tests.gl.commands.running import Run, run
from tests.gl.commands.test_app import save
from tests.pure.models import array, model, node, value
from tests.pure.pipeline_file.folders import COPY, INPUT, PASS, write_folder
from texelscope import pipeline
from texelscope.pipeline.commands.captured import captured_exit_code, diff_captured
from texelscope.pipeline.commands.diff import FAILED, MATCH, MISMATCH
from texelscope.pipeline.compare.report import PassReport
from texelscope.pipeline.target import OpenOptions, Target

__all__ = ["run"]
NETWORKS = ROOT / "examples" / "webgl_cnn"
RENDERER = "Adreno (TM) 640"


def pipeline_of(variant: str) -> str:
    return str(NETWORKS / f"{variant}.toml")


def dump(folder: Path, tensors: dict[str, NDArray[Any]], **top: Any) -> Path:
    """Writes textures [height, width, lanes] as a capture of another device."""
    folder.mkdir(exist_ok=True)
    entries = []
    for name, texels in tensors.items():
        texels.tofile(folder / f"{name}.f32")
        height, width, channels = texels.shape
        entries.append(
            {"name": name, "file": f"{name}.f32", "type": "float32", "width": width, "height": height,
             "channels": channels}
        )  # fmt: skip
    manifest = {"version": 1, "device": {"renderer": RENDERER}, "tensors": entries, **top}
    (folder / "capture.json").write_text(json.dumps(manifest))
    return folder


def first_pass(variant: str) -> NDArray[np.float32]:
    """Returns the output of `down1` of a variant on the driver here."""
    with pipeline.open(pipeline_of(variant)) as session:
        session.run(to="down1")
        return session.texels("down1")


def judged(folder: Path, variant: str) -> PassReport:
    """Returns the report of `down1` of a capture, against a variant's shaders."""
    outcome = diff_captured(Target(pipeline_of(variant)), folder)
    assert outcome.report.device.renderer == RENDERER
    assert captured_exit_code(outcome.report) == MISMATCH
    assert outcome.report.culprit == "down1"
    return outcome.report.passes[0]


def test_what_is_wrong_here_too_is_diagnosed_with_what_this_driver_shows(tmp_path: Path) -> None:
    found = judged(dump(tmp_path, {"down1": first_pass("broken")}), "broken")
    assert found.message.startswith("Wrong here in the same way, on ")
    assert (found.findings[0].cause, found.findings[0].shader, found.findings[0].line) == ("shift", "down1.frag", 44)


def copied(folder: Path, captured: float, factor: str) -> PassReport:
    """The report of a pass that should copy its input, whose shader has a factor here; the capture has another."""
    toml = f'[pipeline]\noracle = "oracle.py"\n{INPUT}{PASS}'
    shader = COPY.replace("Y = texelFetch", f"Y = {factor} * texelFetch")
    file = write_folder(folder, toml, copy_frag=shader, oracle_py="def copy(t_X):\n    return t_X\n")
    options = OpenOptions(trust=True)
    with pipeline.open(file, trust=True) as session:
        texels = session.texels("image") * np.float32(captured)
    return diff_captured(Target(str(file), options), dump(folder, {"copy": texels})).report.passes[0]


def test_what_is_right_here_and_wrong_there_is_said_so_and_looked_into_from_values(tmp_path: Path) -> None:
    found = copied(tmp_path, 3.0, "1.0")
    assert found.message.startswith("Right here, wrong there: ")
    assert found.message.endswith(" Diagnosed from values alone.")
    assert found.findings[0].cause == "scale"


def test_what_is_wrong_in_two_ways_is_said_so(tmp_path: Path) -> None:
    found = copied(tmp_path, 3.0, "2.0")
    assert found.message.startswith("Wrong here too, on ")
    assert " but with other values. " in found.message
    assert found.findings[0].cause == "scale"


def test_a_model_was_run_by_another_program_unless_the_capture_says_otherwise(tmp_path: Path) -> None:
    nodes = [node("Conv", "x w", "y", "conv", pads=[1, 1, 1, 1])]
    made = save(tmp_path, model(nodes, outputs=[value("y", None)], weights={"w": array(4, 3, 3, 3)}))
    with pipeline.open(made) as session:
        session.set_input("x", np.abs(array(1, 3, 8, 8)))
        session.run()
        texels, right = session.texels("y"), session.tensor("x")
    np.save(tmp_path / "x.npy", right)
    inputs = [{"name": "x", "file": "x.npy"}]
    for shaders, says in ((None, "Diagnosed from values alone."), ("target", "Right here, wrong there: ")):
        top = {"inputs": inputs} | ({"shaders": shaders} if shaders else {})
        report = diff_captured(Target(str(made)), dump(tmp_path, {"y": 3.0 * texels}, **top)).report
        assert report.passes[0].message.startswith(says)
        assert report.passes[0].findings[0].cause == "scale"


class TestCommand:
    """Tests diff --captured."""

    def test_what_was_not_captured_is_named_and_no_failure(self, run: Run, tmp_path: Path) -> None:
        folder = dump(tmp_path, {"down1": first_pass("fixed")})
        assert run("diff", pipeline_of("fixed"), "--captured", folder, "--json", tmp_path / "r.json") == MATCH
        assert f"1 of 6 passes match on {RENDERER}." in run.out
        assert "○ up3: Not captured." in run.out
        assert json.loads((tmp_path / "r.json").read_text())["device"]["renderer"] == RENDERER

    def test_an_input_beside_the_capture_and_a_page(self, run: Run, tmp_path: Path) -> None:
        folder = dump(tmp_path, {"down1": first_pass("fixed")})
        words = ("diff", pipeline_of("fixed"), "--captured", folder, "--html", tmp_path / "page.html")
        assert run(*words, "--input", NETWORKS / "inputs" / "townhouse.png") == MATCH
        assert "the target's are used" not in run.err
        assert RENDERER in (tmp_path / "page.html").read_text()

    def test_nothing_that_is_compared_is_a_failure(self, run: Run, tmp_path: Path) -> None:
        with pipeline.open(pipeline_of("fixed")) as session:
            folder = dump(tmp_path, {"image": session.texels("image")})
        assert run("diff", pipeline_of("fixed"), "--captured", folder) == FAILED
        assert "0 of 6 passes match" in run.out

    def test_a_capture_cannot_be_injected_into(self, run: Run, tmp_path: Path) -> None:
        message = run.refusal("diff", pipeline_of("fixed"), "--captured", tmp_path, "--inject")
        assert "--inject: expected no --captured beside it, got both. Leave one of the two out." in message

    def test_a_pass_is_diagnosed_that_is_asked_for_and_none_in_no_time(self, run: Run, tmp_path: Path) -> None:
        wrong = {"down1": 2.0 * first_pass("fixed")}
        words = ("diff", pipeline_of("fixed"), "--captured", dump(tmp_path, wrong))
        assert run(*words, "--diagnose-seconds", 0) == MISMATCH
        assert "scale" not in run.out
        assert run(*words, "--diagnose", "up3", "--tolerance", "down1=1,10") == MATCH
        assert run.refusal(*words, "--diagnose", "dwon1").endswith("Did you mean 'down1'?\n")

    def test_a_folder_without_a_manifest_is_refused(self, run: Run, tmp_path: Path) -> None:
        message = run.refusal("diff", pipeline_of("fixed"), "--captured", tmp_path)
        assert "expected a manifest, capture.json or capture.toml, got none." in message


def test_a_whole_capture_of_what_is_right_matches(tmp_path: Path) -> None:
    with pipeline.open(pipeline_of("fixed")) as session:
        session.run()
        textures = {each.name: session.texels(each.output) for each in session.plan.passes}
    report = diff_captured(Target(pipeline_of("fixed")), dump(tmp_path, textures)).report
    assert {each.verdict for each in report.passes} == {"match"}
    assert captured_exit_code(report) == MATCH
