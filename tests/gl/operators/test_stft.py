"""STFT as windows, weights and transforms, against numpy's transform of each window."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import NodeCase, assert_matches, ints, normal
from texelscope import pipeline

SIGNAL = normal(2, 41, 1)
WINDOW = np.hanning(8).astype(np.float32)


@pytest.mark.parametrize("onesided", [0, 1])
def test_each_frame_has_the_spectrum_of_its_window(onesided: int, gl: moderngl.Context) -> None:
    step = ints(5).reshape(())
    case = NodeCase("STFT", (SIGNAL, step, WINDOW), {"onesided": onesided}, constant=(1, 2), opset=17)
    (y,) = assert_matches(case, "channel_tiles", gl)
    frames = np.stack([SIGNAL[:, start : start + 8, 0] * WINDOW for start in range(0, 41 - 8 + 1, 5)], axis=1)
    spectrum = np.fft.fft(frames)[..., : 5 if onesided else 8]
    np.testing.assert_allclose(y, np.stack((spectrum.real, spectrum.imag), axis=-1), atol=1e-5)
    names = [each.operator for each in pipeline.plan_of(case.model()).passes]
    assert names == ["Frames", "Reshape", "Mul", "DFT"]


def test_without_a_window_the_frame_has_a_length(gl: moderngl.Context) -> None:
    inputs = (SIGNAL, ints(3).reshape(()), None, ints(6).reshape(()))
    (y,) = assert_matches(NodeCase("STFT", inputs, constant=(1, 3), opset=17), "row_major_rgba", gl)
    assert y.shape == (2, 12, 4, 2)
