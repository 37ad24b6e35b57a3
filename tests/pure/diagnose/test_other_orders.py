"""Steps of a pass in another order, factors on other parts of a sum, elements dealt out otherwise: each has a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.compare.report import Finding
from pipeline.diagnose.explain import explain
from pipeline.graph import Graph, Node, TensorInfo
from pipeline.oracle.graph_oracle import GraphOracle
from tests.pure.diagnose.synthetic import evidence

Array = NDArray[Any]
Values = Mapping[str, Array]

X = np.random.default_rng(1).standard_normal((6, 6)).astype(np.float32)
TABLES = {
    name: np.random.default_rng(seed).standard_normal((6, 6)).astype(np.float32) for seed, name in enumerate("wv")
}
MASK = np.where(np.arange(6) > np.arange(6)[:, None], np.float32(-50.0), np.float32(0.0))
SPLIT = np.array([6, 2, 3], dtype=np.int64)

GATED = (
    ("Sigmoid", ("x",), "gate"), ("MatMul", ("x", "w"), "p"), ("MatMul", ("x", "v"), "q"),
    ("Mul", ("gate", "q"), "part"), ("Add", ("p", "part"), "sum"), ("Tanh", ("sum",), "y"),
)  # fmt: skip
SILU = (
    ("MatMul", ("x", "w"), "p"), ("Sigmoid", ("p",), "share"), ("Mul", ("p", "share"), "silu"),
    ("MatMul", ("x", "v"), "q"), ("Mul", ("silu", "q"), "y"),
)  # fmt: skip
HEADS = (("MatMul", ("x", "w"), "p"), ("Reshape", ("p", "split"), "y"))
GELU = (("MatMul", ("x", "w"), "p"), ("Gelu", ("p",), "y"))
SUMS = (("MatMul", ("x", "w"), "y"),)
MASKED = (("MatMul", ("x", "w"), "p"), ("Add", ("p", "mask"), "y"))


def _found(nodes: tuple[tuple[str, tuple[str, ...], str], ...], wrong: Callable[[Values], Array]) -> Finding:
    """The first finding where a pass gives what `wrong` makes of the right values."""
    used = {name for _, inputs, _ in nodes for name in inputs}
    constants = {name: value for name, value in {**TABLES, "mask": MASK, "split": SPLIT}.items() if name in used}
    made = tuple(Node(output, kind, inputs, (output,), opset=20) for kind, inputs, output in nodes)
    tensors = {name: TensorInfo(name, value.shape, value.dtype.name) for name, value in {"x": X, **constants}.items()}
    tensors |= {output: TensorInfo(output, (6, 2, 3) if kind == "Reshape" else (6, 6)) for kind, _, output in nodes}
    graph = Graph("test", made, MappingProxyType(tensors), ("x",), ("y",), MappingProxyType(constants))
    right = {name: value.value for name, value in GraphOracle(graph).chained({"x": X}).items()}
    actual = np.asarray(wrong({**right, **constants, "x": X}), dtype=np.float32)
    return explain(evidence(graph, actual, given=X)).findings[0]


def _silu(x: Array) -> Array:
    return np.asarray(x / (1.0 + np.exp(-x)))


@pytest.mark.parametrize(
    ("nodes", "wrong", "cause"),
    [
        (GATED, lambda v: np.tanh(v["gate"] * (v["p"] + v["q"])), "wrong_partner"),
        (GATED, lambda v: np.tanh(v["p"] + (v["gate"] * v["x"]) @ v["v"]), "wrong_partner"),
        (GATED, lambda v: np.tanh(v["p"]) + v["part"], "wrong_function"),
        (SILU, lambda v: _silu(v["p"] * v["q"]), "wrong_function"),
        (SILU, lambda v: np.tanh(v["p"]) * v["q"], "wrong_function"),
        (GELU, lambda v: v["p"] / 2.0 * (1.0 + np.tanh(0.7978845608 * (v["p"] + 0.1 * v["p"] ** 3))), "wrong_function"),
        (HEADS, lambda v: v["p"].reshape(6, 3, 2).transpose(0, 2, 1), "index_map"),
        (MASKED, lambda v: v["p"] + np.where(np.arange(6) >= np.arange(6)[:, None], -50.0, 0.0), "index_map"),
        (SUMS, lambda v: v["y"][:, [0, 0, 2, 2, 4, 4]], "index_map"),
    ],
    ids=[
        "a gate on the whole sum", "a gate on what is summed up", "a curve before the sum", "a curve behind",
        "another curve of several nodes", "another number in it", "heads inside", "a mask one on", "columns",
    ],
)  # fmt: skip
def test_it_is_named(nodes: Any, wrong: Callable[[Values], Array], cause: str) -> None:
    found = _found(nodes, wrong)
    assert (found.cause, found.explained) == (cause, 1.0)
