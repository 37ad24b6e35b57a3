"""The benchmarks' networks as steps of TensorFlow.js, in headless Chromium: the same work, and the same output."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.peers.engines import Places, all_engines
from benchmarks.peers.install import default_folder, is_installed
from benchmarks.peers.measuring import Worker
from benchmarks.peers.model import write_network
from tests.benchmark_networks import SMALL, computed


@pytest.mark.parametrize("name", SMALL)
def test_tensorflow_js_computes_a_network_of_the_benchmarks_by_as_many_products(tmp_path: Path, name: str) -> None:
    if not is_installed(default_folder()):
        pytest.skip("the engines are not installed: make tfjs")
    model = SMALL[name]()
    about = write_network(tmp_path, name, model)
    engine = next(each for each in all_engines((), name) if each.name == "TensorFlow.js WebGL")
    places = Places(tmp_path, default_folder(), angle="swiftshader")
    with Worker(engine, engine.command(places)) as worker:
        assert (worker.about["parameters"], worker.about["macs"]) == (about.parameters, about.macs)
        worker.run_ms()
        output = worker.output()
    values = np.fromfile(tmp_path / "input.bin", np.float32).reshape(about.given_shape)
    np.testing.assert_allclose(output, computed(model, values).ravel(), rtol=1e-4, atol=1e-4)
