"""Tests the commands on pipeline files with several frames."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.automata import LIFE_CLAMPED, LIFE_TOML, NEURAL_LATE, glider, next_world, write_life, write_neural
from tests.checkout import ROOT
from tests.gl.commands.running import Run
from tests.gl.frames.test_comparing import write_halving

MODEL = ROOT / "examples" / "convolution_twice" / "model.onnx"


def test_diff_shows_the_first_frame_that_differs_with_its_pass_cause_and_line(run: Run, tmp_path: Path) -> None:
    target = write_neural(tmp_path, NEURAL_LATE)
    assert run("diff", target, "--trust", "--diagnose", "state", "--json", tmp_path / "report.json") == 1
    assert run.out.split("\n")[:2] == ["60 frames: frame 12 is the first that differs, in pass 'state'.", ""]
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["frames"] == {
        "count": 60, "planned": 60, "shown": 12, "first_mismatch": {"frame": 12, "name": "state"},
    }  # fmt: skip
    line = NEURAL_LATE[: NEURAL_LATE.index("u_frame >= 12")].count("\n") + 1
    found = report["passes"][0]["findings"][0]
    assert (found["cause"], found["shader"], found["line"]) == ("wrong_literal", "neural.frag", line)
    assert f"neural.frag:{line}" in run.out


def test_diff_shows_the_last_frame_if_none_differs(run: Run, tmp_path: Path) -> None:
    assert run("diff", write_life(tmp_path), "--trust") == 0
    assert run.out.startswith("60 frames: none differs. This is frame 59.\n\n")


def test_as_many_frames_are_compared_as_are_asked_for(run: Run, tmp_path: Path) -> None:
    target = write_life(tmp_path, LIFE_CLAMPED, glider(10, 3))
    assert run("diff", target, "--trust", "--frames", "9") == 0
    assert run.out.startswith("9 frames: none differs. This is frame 8.\n")
    assert run("diff", target, "--trust", "--frames", "10", "--diagnose-seconds", "0") == 1
    assert run.out.startswith("10 frames: frame 9 is the first that differs, in pass 'state'.\n")


def test_one_frame_has_no_line_about_frames(run: Run, tmp_path: Path) -> None:
    assert run("diff", write_life(tmp_path), "--trust", "--frames", "1", "--json", tmp_path / "report.json") == 0
    assert "frame" not in run.out
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["frames"] is None


def test_frames_without_an_oracle_run_and_are_not_compared(run: Run, tmp_path: Path) -> None:
    assert run("diff", write_life(tmp_path, toml=LIFE_TOML.replace('oracle = "oracle.py"\n', ""))) == 2
    assert run.out.startswith("60 frames: nothing was compared. This is frame 59.\n")


def test_a_state_that_is_not_computed_ends_the_frames(run: Run, tmp_path: Path) -> None:
    target = write_life(tmp_path, LIFE_CLAMPED.replace("void main", "void nain"))
    assert run("diff", target, "--trust") == 1
    assert run.out.startswith(
        "1 of 60 frames, the last of which did not compute what the next one reads: "
        "frame 0 is the first that differs, in pass 'state'.\n"
    )


def test_page_and_junit_say_which_frame_they_show(run: Run, tmp_path: Path) -> None:
    target = write_life(tmp_path, LIFE_CLAMPED, glider(10, 3))
    words = ("--diagnose-seconds", "0", "--html", tmp_path / "page.html", "--junit", tmp_path / "junit.xml")
    assert run("diff", target, "--trust", *words) == 1
    for name in ("page.html", "junit.xml"):
        assert "60 frames: frame 9 is the first that differs" in (tmp_path / name).read_text(encoding="utf-8")


def test_export_and_step_are_of_the_frame_that_is_named(run: Run, tmp_path: Path) -> None:
    target = write_life(tmp_path / "life")
    assert run("export", target, "--frame", "3", "--format", "npy", "--to", tmp_path / "out") == 0
    world = glider()
    for _ in range(4):
        world = next_world(world)
    (file,) = (tmp_path / "out").glob("*.npy")
    assert np.array_equal(np.load(file), world)
    assert run("step", target, "--frame", "3", "--pass", "state", "--texel", "2,3", "--json", "-") == 0
    trace = json.loads(run.out)
    assert trace["outputs"]["result"][0] == world[0, 0, 3, 2]


def test_bench_times_one_frame(run: Run, tmp_path: Path) -> None:
    assert run("bench", write_life(tmp_path)) == 0
    assert "state" in run.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("diff", "--frames", "2"), "--frames: expected a pipeline file with 'frames', or a pass that reads"),
        (("export", "--frame", "2", "--to", "nowhere"), "--frame: expected a pipeline file with 'frames'"),
    ],
)
def test_a_target_whose_frames_are_alike_has_none_to_choose(run: Run, words: tuple[str, ...], message: str) -> None:
    command, *rest = words
    assert message in run.refusal(command, MODEL, *rest)


def test_more_frames_than_the_limit_are_refused(run: Run, tmp_path: Path) -> None:
    target = write_life(tmp_path)
    assert run.refusal("diff", target, "--trust", "--frames", "20000").endswith(
        "--frames: expected at most 10,000 frames, got 20,000. If you trust it: --limit frames=20000.\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--inject", "oracle"), "--inject: expected a run of one frame, got 60 frames. Add --frames 1."),
        (("--repeat", "3"), "--repeat: expected a run of one frame, got 60 frames. Add --frames 1."),
        (("--frames", "2", "--golden", "g.npz"), "--golden: expected no --frames beside it, got both."),
    ],
)
def test_what_cannot_be_done_with_several_frames_is_refused(
    run: Run, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    target = write_life(tmp_path, toml=LIFE_TOML.replace('oracle = "oracle.py"\n', ""))
    assert message in run.refusal("diff", target, *words)


def test_a_capture_of_frame_0_is_judged_on_the_first_values(
    run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    target = write_life(tmp_path / "life")
    capture = tmp_path / "capture"
    capture.mkdir()
    np.save(capture / "state.npy", next_world(glider()))
    (capture / "capture.json").write_text(
        json.dumps({"version": 1, "tensors": [{"name": "state", "file": "state.npy"}]})
    )
    assert run("diff", target, "--trust", "--captured", capture) == 0
    assert "state@previous: the capture has no values for it; the target's are used." in caplog.text


def test_a_capture_of_a_later_frame_brings_the_state_that_it_read(run: Run, tmp_path: Path) -> None:
    target = write_life(tmp_path / "life")
    capture = tmp_path / "capture"
    capture.mkdir()
    np.save(capture / "before.npy", glider(7, 7))
    np.save(capture / "state.npy", next_world(glider(7, 7)))
    tensors = [{"name": "state", "file": "state.npy"}, {"name": "state@previous", "file": "before.npy"}]
    (capture / "capture.json").write_text(json.dumps({"version": 1, "tensors": tensors}))
    assert run("diff", target, "--trust", "--captured", capture) == 0


def test_reduce_cuts_out_the_frame_that_is_named(run: Run, tmp_path: Path) -> None:
    target, folder = write_neural(tmp_path / "neural", NEURAL_LATE), tmp_path / "reduced"
    assert run("reduce", target, "--trust", "--frame", "12", "--seconds", "0", "--to", folder) == 0
    assert "uniforms.u_frame = 12\n" in (folder / "pipeline.toml").read_text(encoding="utf-8")
    assert run("diff", folder / "pipeline.toml", "--trust", "--diagnose-seconds", "0") == 1


def test_reduce_keeps_the_state_that_the_frame_read_where_a_model_reads_the_first_one(run: Run, tmp_path: Path) -> None:
    late = "    if (u_frame >= 3) result += 0.1 * texelFetch(u_state, at, 0);\n}"
    target, folder = write_halving(tmp_path / "halving", late), tmp_path / "reduced"
    assert run("export", target, "--frame", "2", "--format", "npy", "--to", tmp_path / "before") == 0
    (before,) = (np.load(file) for file in (tmp_path / "before").glob("*.npy"))
    assert run("reduce", target, "--frame", "3", "--seconds", "0", "--to", folder) == 0
    assert any(np.array_equal(np.load(file), before) for file in folder.glob("*.npy"))


def test_a_page_does_not_run_passes_that_read_the_frame_before(run: Run, tmp_path: Path) -> None:
    assert run.refusal("probe", write_life(tmp_path), "--to", tmp_path / "page.html") == (
        f"texelscope: {tmp_path.name}: expected passes that read nothing of the frame before, got one that reads "
        "'state' of it. A page runs one frame: bind an [[input]].\n"
    )
