"""Functions written in many ways have the graph that makes what they make, with a node for what has an operator."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from texelscope import pipeline
from texelscope.pipeline.diagnose.tracing.traced import traced
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.oracle.function_oracle import FunctionOracle
from texelscope.pipeline.oracle.graph_oracle import GraphOracle

_FILE = """
[pipeline]
oracle = "oracle.py"
[[input]]
name = "x"
shape = [1, 2, 3, 4]
layout = "channel_tiles"
source = "ramp"
[[pass]]
name = "y"
shader = "y.frag"
output = { shape = [1, 2, 3, 4], layout = "channel_tiles" }
textures.t = "x"
"""
_SHADER = "#version 330 core\nuniform sampler2D t;\nout float y;\nvoid main() { y = texture(t, vec2(0.0)).r; }\n"
_X = np.random.default_rng(0).standard_normal((1, 2, 3, 4)).astype(np.float32)


def _traced(folder: Path, body: str) -> tuple[Graph | None, np.ndarray]:
    """The graph of a function of `x` with that body, and what the function makes of `_X`."""
    code = f"import numpy as np\n\ndef y(x):\n    {body}\n"
    for name, text in (("pipeline.toml", _FILE), ("y.frag", _SHADER), ("oracle.py", code)):
        (folder / name).write_text(text, encoding="utf-8")
    plan = pipeline.plan_of(folder / "pipeline.toml", trust=True)
    each = plan.passes[0]
    right = FunctionOracle(plan).result(each, each.output, {key: _X.astype(np.float64) for key in each.reads})
    return traced(plan, each, {"x": _X}), right


@pytest.mark.parametrize(
    ("body", "operators"),
    [
        ("return np.where(x > 0, x, 0.2 * x)", ["LeakyRelu"]),
        ("return np.maximum(x, 0.2 * x)", ["LeakyRelu"]),
        ("return np.maximum(x, -0.5)", ["Max"]),
        ("return np.where((x > 0) & (x < 1), x, 0.5 * x)", ["Greater", "Less", "And", "Mul", "Where"]),
        ("return np.clip(2 * x, -0.5, 1.5)", ["Mul", "Clip"]),
        ("return np.round(2 * x) + x.round()", ["Mul", "Round", "Round", "Add"]),
        ("e = np.exp(x - x.max(axis=1, keepdims=True)); return e / e.sum(1, keepdims=True)", ["Softmax"]),
        ("return x / (1 + np.exp(-x))", ["Sigmoid", "Mul"]),
        ("return x.reshape(1, 6, 4).transpose(0, 2, 1).reshape(x.shape)", ["Transpose"]),
        ("return x[:, :, ::-1]", ["Gather"]),
        ("return np.pad(x, ((0, 0), (0, 0), (1, 0), (0, 0)), mode='edge')[:, :, :-1]", ["Pad", "Gather"]),
        ("return np.einsum('nchw,ck->nkhw', x, np.eye(2) + 1)", ["Einsum"]),
        ("return x - x.mean(axis=(2, 3), keepdims=True)", ["ReduceMean", "Sub"]),
        ("y = np.zeros(x.shape); y[:, 0] = x[:, 1]; y += 1; return y", ["Gather", "Concat", "Gather", "Add"]),
    ],
)
def test_a_function_has_the_graph_of_what_it_does(tmp_path: Path, body: str, operators: list[str]) -> None:
    graph, right = _traced(tmp_path, body)
    assert graph is not None
    made = GraphOracle(graph).isolated({"x": _X}, "y")
    assert made is not None
    np.testing.assert_allclose(made.value, right, rtol=1e-5, atol=1e-6)
    assert [node.op_type for node in graph.nodes if node.op_type != "Reshape"] == operators


@pytest.mark.parametrize(
    "body", ["return x if x.sum() > 0 else -x", "return np.sort(x)", "return np.vectorize(abs)(x)"]
)
def test_one_that_looks_at_values_or_breaks_has_none(tmp_path: Path, body: str) -> None:
    assert _traced(tmp_path, body)[0] is None
