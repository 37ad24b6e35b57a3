"""Peaks of this device: measured step by step, plausible, and nothing is left behind."""

from __future__ import annotations

import os
import subprocess
import sys

import moderngl
import psutil

from tests.checkout import ROOT
from texelscope.pipeline.roofline.peaks import PeakMeasurement, Peaks


def test_every_figure_has_a_step_of_its_own_and_is_within_what_devices_do(gl: moderngl.Context) -> None:
    measurement = PeakMeasurement(gl, least_seconds=0.0)
    for _ in range(2 * 7):
        assert measurement.step() is None
    peaks = measurement.step()
    assert isinstance(peaks, Peaks)
    assert peaks.compute is not None
    for rates in (peaks.fragment, peaks.compute):
        assert 0.01 < rates.gflops < 1e6
        assert 0.01 < rates.read_gbytes < 1e5
        assert 0.001 < rates.fetch_gtexels < 1e4
        for each in (rates.fill.r32f, rates.fill.rgba32f, rates.fill.r16f, rates.fill.rgba16f):
            assert 0.001 < each < 1e4


def test_no_texture_that_was_measured_with_stays_in_memory(gl: moderngl.Context) -> None:
    measurement, process = PeakMeasurement(gl, least_seconds=0.0), psutil.Process()
    measurement.step()
    before = process.memory_info().rss
    while measurement.step() is None:
        pass
    gl.finish()
    assert (process.memory_info().rss - before) / 2**20 < 40  # the largest takes 64 MiB


def test_before_opengl_4_3_nothing_is_said_of_compute() -> None:
    ask = (
        "import moderngl\n"
        "from texelscope.pipeline.roofline.peaks import PeakMeasurement\n"
        "context = moderngl.create_context(standalone=True, backend='egl', require=330)\n"
        "assert context.version_code == 330, context.version_code\n"
        "measurement = PeakMeasurement(context, least_seconds=0.0)\n"
        "while (peaks := measurement.step()) is None: pass\n"
        "print(peaks.compute)"
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
