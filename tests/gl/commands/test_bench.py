"""texelscope bench: times that add up, work that can be checked by hand, peaks of this device."""

from __future__ import annotations

import json
from pathlib import Path

import moderngl
import pytest

import pipeline
from pipeline.commands import bench as command
from pipeline.commands.bench import Benchmark, bench, render
from pipeline.commands.peaks import Peaks, measure_peaks
from pipeline.commands.work import moved_bytes, operations
from pipeline.target import Target
from tests.pure.models import array, model, node, value
from texelscope import command_line


def save(folder: Path) -> Path:
    made = model(
        [node("Conv", "x w", "c", "conv"), node("Relu", "c", "y", "act")],
        outputs=[value("y", None)],
        weights={"w": array(4, 3, 3, 3)},
    )
    path = folder / "m.onnx"
    path.write_bytes(made.SerializeToString())
    return path


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watched_contexts: object) -> Benchmark:
    monkeypatch.setattr(command, "SECONDS", 0.0)
    return bench(Target(str(save(tmp_path))))


def test_work_is_a_product_and_a_sum_for_each_weight_of_an_element(tmp_path: Path) -> None:
    plan = pipeline.plan_of(save(tmp_path))
    conv, act = plan.passes
    assert operations(plan, conv) == 2 * (4 * 6 * 6) * (3 * 3 * 3)
    assert operations(plan, act) is None  # it moves bytes
    # channel_tiles: x 16x16, y 12x12; filter_tiles: 2x2 filters of 6x6.
    assert moved_bytes(plan, conv) == 4 * (16 * 16 + 12 * 12 + 12 * 12)
    assert moved_bytes(plan, act) == 4 * (12 * 12 * 2)


def test_the_times_are_medians_of_several_runs_and_the_driver_is_named(found: Benchmark) -> None:
    assert found.runs == 5
    assert 0.0 < found.frame_ms < 60_000.0
    assert found.first_ms > found.frame_ms
    assert found.device.renderer
    assert [each.name for each in found.passes] == ["conv", "act"]


def test_rates_are_work_over_time(found: Benchmark) -> None:
    conv, act = found.passes
    assert conv.gpu_ms is not None
    assert conv.operations is not None
    assert conv.gflops == pytest.approx(conv.operations / conv.gpu_ms / 1e6)
    assert conv.gbytes == pytest.approx(conv.bytes / conv.gpu_ms / 1e6)
    assert act.gflops is None


def test_no_pass_is_faster_than_the_peaks(found: Benchmark) -> None:
    assert any(each.gflops is not None for each in found.passes)
    assert any(each.gbytes is not None for each in found.passes)
    for each in found.passes:
        assert each.gflops is None or each.gflops < found.peak.gflops
        assert each.gbytes is None or each.gbytes < found.peak.gbytes


def test_peaks_leave_nothing_behind(gl: moderngl.Context) -> None:
    peaks = measure_peaks(gl)
    assert 0.01 < peaks.gflops < 1e6
    assert 0.01 < peaks.gbytes < 1e5


def test_the_json_is_strict_and_has_its_version(found: Benchmark) -> None:
    figures = json.loads(found.as_json())
    assert figures["version"] == 1
    assert set(figures) == {"version", "target", "device", "first_ms", "frame_ms", "runs", "peak", "passes"}
    assert set(figures["peak"]) == {"gflops", "gbytes"}
    assert figures["passes"][1]["gflops"] is None


def test_the_table_has_a_row_a_pass_and_tells_what_was_measured(found: Benchmark) -> None:
    lines = render(found).splitlines()
    assert lines[1].split()[:2] == ["conv", "Conv"]
    assert f"(median of {found.runs})" in lines[-2]
    assert "measured peaks:" in lines[-1]


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "SECONDS", 0.0)
    monkeypatch.setattr(command, "measure_peaks", lambda _context: Peaks(10.0, 10.0))
    assert command_line.main(["bench", str(save(tmp_path)), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["target"] == "m.onnx"
    assert command_line.main(["bench", "missing.onnx"]) == 2
    assert "missing.onnx: expected an ONNX file, got no such file" in capsys.readouterr().err
