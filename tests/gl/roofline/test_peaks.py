"""Peaks of this device: measured step by step, plausible, and nothing is left behind."""

from __future__ import annotations

import os
import subprocess
import sys

import moderngl
import pytest

from pipeline.roofline.peaks import PeakMeasurement, Peaks, measure_peaks
from tests.checkout import ROOT


@pytest.fixture(scope="module")
def peaks(gl: moderngl.Context) -> Peaks:
    """All of them, measured once."""
    gl.__enter__()  # type: ignore[no-untyped-call]
    return measure_peaks(gl)


def test_every_figure_is_within_what_devices_do(peaks: Peaks) -> None:
    assert 0.01 < peaks.gflops < 1e6
    assert peaks.compute_gflops is not None
    assert 0.01 < peaks.compute_gflops < 1e6
    assert 0.01 < peaks.read_gbytes < 1e5
    assert 0.001 < peaks.fetch_gtexels < 1e4
    for each in (peaks.fill.r32f, peaks.fill.rgba32f, peaks.fill.r16f, peaks.fill.rgba16f):
        assert 0.001 < each < 1e4


def test_one_figure_a_step(gl: moderngl.Context) -> None:
    measurement = PeakMeasurement(gl, least_seconds=0.0)
    for _ in range(8):
        assert measurement.step() is None
    assert isinstance(measurement.step(), Peaks)


def test_before_opengl_4_3_nothing_is_said_of_compute() -> None:
    ask = (
        "import moderngl\n"
        "from pipeline.roofline.peaks import PeakMeasurement\n"
        "context = moderngl.create_context(standalone=True, backend='egl', require=330)\n"
        "assert context.version_code == 330, context.version_code\n"
        "measurement = PeakMeasurement(context, least_seconds=0.0)\n"
        "while (peaks := measurement.step()) is None: pass\n"
        "print(peaks.compute_gflops)"
    )
    settings = {"MESA_GL_VERSION_OVERRIDE": "3.3", "MESA_GLSL_VERSION_OVERRIDE": "330", "LIBGL_ALWAYS_SOFTWARE": "1"}
    child = subprocess.run(
        [sys.executable, "-c", ask],
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=True,
    )
    assert child.stdout.strip() == "None"
