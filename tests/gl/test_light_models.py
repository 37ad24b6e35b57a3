"""A network of the onnx package on two pictures at once: every pass matches, and each picture is on its own."""

from __future__ import annotations

import moderngl
import numpy as np

from benchmarks.models import LIGHT, for_any_batch
from texelscope import pipeline

KEY = "data_0"
PICTURES = np.random.default_rng(0).random((2, 3, 224, 224), dtype=np.float32)


def test_squeezenet_matches_with_two_pictures_as_with_one(gl: moderngl.Context) -> None:
    model = for_any_batch(LIGHT / "light_squeezenet.onnx")
    with pipeline.open(model, shapes={KEY: PICTURES.shape}, context=gl) as session:
        session.set_input(KEY, PICTURES)
        session.run()
        report = session.compare(findings=False)
        together = session.tensor("n64")
    assert {each.verdict for each in report.passes} == {"match"}
    assert np.ptp(together, axis=0).min() > 0  # another picture, another result
    with pipeline.open(model, shapes={KEY: (1, 3, 224, 224)}, context=gl) as session:
        session.set_input(KEY, PICTURES[1:])
        session.run()
        np.testing.assert_allclose(session.tensor("n64"), together[1:], rtol=1e-5)
