"""texelscope bench: times that add up, work that can be checked by hand, ways side by side."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from tests.gl.commands.running import Run, run
from tests.pure.models import saved_conv_and_relu
from texelscope.pipeline.bench import benching
from texelscope.pipeline.bench.benching import BenchRequest, bench
from texelscope.pipeline.bench.figures import Benchmark, render
from texelscope.pipeline.bench.timing import pass_times
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.opening import open_session
from texelscope.pipeline.roofline.peaks import FillRates, Peaks, Rates
from texelscope.pipeline.target import OpenOptions, Target

__all__ = ["run"]

PEAKS = Peaks(Rates(10.0, 10.0, 1.0, FillRates(1.0, 1.0, 1.0, 1.0)))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory, watched_contexts: object) -> Benchmark:
    """Returns everything, measured once."""
    path = saved_conv_and_relu(tmp_path_factory.mktemp("bench"))
    target = Target(str(path), OpenOptions("channel_tiles"))
    return bench(target, BenchRequest(("channel_tiles_rgba",), seconds=0.0))


def test_the_times_are_medians_of_several_runs_and_the_driver_is_named(found: Benchmark) -> None:
    assert found.ways[0].runs == 5
    assert 0.0 < found.ways[0].submit_ms <= found.frame_ms < 60_000.0
    assert found.first_ms > found.frame_ms
    assert found.device.renderer
    assert [each.name for each in found.passes] == ["conv", "act"]


def test_ways_stand_side_by_side_as_ratios_to_the_first(found: Benchmark) -> None:
    assert [str(each.way) for each in found.ways] == [
        "channel_tiles, fragment, unfused",
        "channel_tiles, compute, unfused",
        "channel_tiles_rgba, fragment, unfused",
        "channel_tiles_rgba, fragment, fused",
    ]
    first, _, other, fused = found.ways
    assert first.ratio == 1.0
    assert other.ratio == pytest.approx(other.frame_ms / first.frame_ms)
    assert first.runs == other.runs
    assert first.gpu_ms == pytest.approx(sum(each.gpu_ms or math.nan for each in found.passes))
    # channel_tiles: x 16x16, and two of 12x12; a lane each.
    assert first.alive_bytes == first.texture_bytes == 4 * (16 * 16 + 2 * 12 * 12)
    assert first.memory_ratio == 1.0
    # The convolution's weights and bias: 4x3x3x3 and 4, in tiles and packed.
    assert first.weight_bytes >= 4 * (4 * 3 * 3 * 3 + 4)
    # What the activation reads is made on the way to it: three channels of 8x8 go in, four of 6x6 come out.
    assert fused.gpu_ms is None
    assert fused.alive_bytes == fused.texture_bytes == 4 * 4 * (8 * 8 + 6 * 6)


def test_first_results_are_of_processes_of_their_own_with_caches_of_their_own(found: Benchmark) -> None:
    assert found.first is not None
    assert found.first.cold_ms > 100.0  # Python's start alone
    assert found.first.warm_ms > 100.0
    assert found.first.cached_bytes > 0  # Mesa's


def test_rates_are_work_over_time(found: Benchmark) -> None:
    conv, act = found.passes
    assert conv.gpu_ms is not None
    assert conv.operations is not None
    assert conv.gflops == pytest.approx(conv.operations / conv.gpu_ms / 1e6)
    assert conv.gbytes == pytest.approx(conv.bytes / conv.gpu_ms / 1e6)
    assert act.gflops is None


def test_no_pass_is_faster_than_its_limit(found: Benchmark) -> None:
    for each in found.passes:
        assert each.gpu_ms is not None
        assert 0.0 < each.limit_ms < each.gpu_ms


def test_every_pass_has_its_time_whatever_ran_before(tmp_path: Path) -> None:
    with open_session(saved_conv_and_relu(tmp_path), OpenOptions()) as session:
        session.set_input("x", np.ones((1, 3, 8, 8), np.float32))
        session.run_fused()
        assert not session.has_run("conv"), "it is inside of a form"
        assert list(pass_times(session, 1)) == ["conv", "act"]


def test_the_json_is_strict_and_has_its_version(found: Benchmark) -> None:
    figures = json.loads(found.as_json())
    assert figures["version"] == 2
    assert set(figures) == {
        *("version", "target", "device", "first_ms", "first", "frame_ms", "runs", "peak", "ways", "passes")
    }
    assert figures["ways"][2]["way"] == {"layout": "channel_tiles_rgba", "backend": "fragment", "fused": False}
    assert set(figures["peak"]) == {"fragment", "compute"}
    assert set(figures["peak"]["compute"]) == {"gflops", "read_gbytes", "fetch_gtexels", "fill"}
    assert set(figures["first"]) == {"cold_ms", "warm_ms", "cached_bytes"}
    assert figures["passes"][1]["gflops"] is None


def test_the_table_has_a_row_a_pass_and_a_row_a_way_and_tells_what_was_measured(found: Benchmark) -> None:
    text = render(found)
    lines = text.splitlines()
    assert lines[1].split()[:2] == ["conv", "Conv"]
    assert lines[5].split()[:3] == ["channel_tiles", "fragment", "unfused"]
    assert "read back with empty caches" in lines[-5]
    assert f"(median of {found.ways[0].runs})" in lines[-4]
    assert lines[-3].startswith("measured peaks")
    assert [line.split()[0] for line in lines[-2:]] == ["fragment", "compute"]


def test_a_driver_without_a_cache_is_told(found: Benchmark) -> None:
    assert found.first is not None
    without = Benchmark(
        found.target,
        found.device,
        found.first_ms,
        type(found.first)(found.first.cold_ms, found.first.warm_ms, 0),
        PEAKS,
        found.ways,
        found.passes,
    )
    assert "this driver caches no shaders" in render(without)


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(benching, "measure_peaks", lambda _context: PEAKS)
    path = saved_conv_and_relu(tmp_path)
    assert run("bench", path, "--json", "-", "--seconds", 0, "--no-first") == 0
    figures = json.loads(run.out)
    assert (figures["target"], figures["first"]) == ("m.onnx", None)
    assert "missing.onnx: expected an ONNX file, got no such file" in run.refusal("bench", "missing.onnx")
    assert "no_such" in run.refusal("bench", path, "--no-first", "--against-layout", "no_such")


def test_a_process_that_fails_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from texelscope.pipeline.bench import timing

    monkeypatch.setattr(timing, "as_text", lambda _target: "{")
    with pytest.raises(TexelscopeError, match=r"first result .* expected a time, got .*JSONDecodeError") as caught:
        timing.first_results(Target(str(tmp_path / "m.onnx")))
    assert "--no-first" in str(caught.value)
