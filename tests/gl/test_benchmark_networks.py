"""The benchmarks' networks: each computes here what it computes in ONNX Runtime, fused and pass by pass."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest

from tests.benchmark_networks import SMALL, computed
from texelscope import pipeline


@pytest.mark.parametrize("name", SMALL)
def test_a_network_of_the_benchmarks_computes_what_onnx_runtime_does(
    gl: moderngl.Context, tmp_path: Path, name: str
) -> None:
    model = SMALL[name]()
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, tmp_path / "model.onnx")
    given, made = model.graph.input[0], model.graph.output[0]
    shape = [size.dim_value for size in given.type.tensor_type.shape.dim]
    values = np.random.default_rng(0).random(shape, np.float32)
    right = computed(model, values)
    assert 0.1 < right.std() < 10  # the weights keep the numbers in range
    with pipeline.open(tmp_path / "model.onnx", context=gl) as session:
        session.set_input(given.name, values)
        session.run()
        np.testing.assert_allclose(session.tensor(made.name), right, rtol=1e-4, atol=1e-4)
        session.run_fused()
        np.testing.assert_allclose(session.tensor(made.name), right, rtol=1e-4, atol=1e-4)
