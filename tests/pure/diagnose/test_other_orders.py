"""Elements dealt out otherwise have a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.pure.diagnose.synthetic import evidence
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose.explain import explain
from texelscope.pipeline.graph import Graph, Node, TensorInfo
from texelscope.pipeline.oracle.graph_oracle import GraphOracle

Array = NDArray[Any]
Values = Mapping[str, Array]

X = np.random.default_rng(1).standard_normal((6, 6)).astype(np.float32)
TABLES = {
    name: np.random.default_rng(seed).standard_normal((6, 6)).astype(np.float32) for seed, name in enumerate("wv")
}
CONSTANTS: Mapping[str, Array] = {**TABLES, "split": np.array([6, 2, 3], dtype=np.int64)}

HEADS = (("MatMul", ("x", "w"), "p"), ("Reshape", ("p", "split"), "y"))


def _found(nodes: tuple[tuple[str, tuple[str, ...], str], ...], wrong: Callable[[Values], Array]) -> Finding:
    """The first finding where a pass gives what `wrong` makes of the right values."""
    used = {name for _, inputs, _ in nodes for name in inputs}
    constants = {name: value for name, value in CONSTANTS.items() if name in used}
    made = tuple(Node(output, kind, inputs, (output,), opset=20) for kind, inputs, output in nodes)
    tensors = {name: TensorInfo(name, value.shape, value.dtype.name) for name, value in {"x": X, **constants}.items()}
    tensors |= {output: TensorInfo(output, (6, 2, 3) if kind == "Reshape" else (6, 6)) for kind, _, output in nodes}
    graph = Graph("test", made, MappingProxyType(tensors), ("x",), ("y",), MappingProxyType(constants))
    right = {name: value.value for name, value in GraphOracle(graph).chained({"x": X}).items()}
    actual = np.asarray(wrong({**right, **constants, "x": X}), dtype=np.float32)
    return explain(evidence(graph, actual, given=X)).findings[0]


def test_heads_inside_are_elements_from_other_places() -> None:
    found = _found(HEADS, lambda v: np.asarray(v["p"].reshape(6, 3, 2).transpose(0, 2, 1)))
    assert (found.cause, found.explained) == ("index_map", 1.0)
