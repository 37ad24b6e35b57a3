"""What PyTorch computed for small models, as it comes with the onnx package, from opset 6 on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from tests.pure.oracle.nodes import FAST, Array
from texelscope.pipeline.importers.onnx_model import load

DATA = Path(onnx.__file__).parent / "backend" / "test" / "data"
MODELS = sorted(path.parent for kind in ("converted", "operator") for path in DATA.glob(f"pytorch-{kind}/*/model.onnx"))


def tensors(folder: Path, kind: str) -> list[Array]:
    """The tensors that lie beside a model: `kind` is input or output."""
    count = len(list(folder.glob(f"{kind}_*.pb")))
    return [numpy_helper.to_array(onnx.load_tensor(str(folder / f"{kind}_{i}.pb"))) for i in range(count)]


def test_the_models_are_there() -> None:
    assert len(MODELS) > 100


@pytest.mark.parametrize("folder", MODELS, ids=lambda folder: folder.name)
def test_the_oracle_gives_what_pytorch_gave(folder: Path) -> None:
    graph = load(folder / "model.onnx")
    data = folder / "test_data_set_0"
    inputs = dict(zip(graph.inputs, tensors(data, "input"), strict=True))
    results = FAST.run(graph.nodes, {**graph.constants, **inputs}, graph.outputs)
    for name, expected in zip(graph.outputs, tensors(data, "output"), strict=True):
        np.testing.assert_allclose(results[name], expected, rtol=1e-3, atol=1e-5)
