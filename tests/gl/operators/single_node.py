"""Models of one node, run on GL and compared: what every operator's tests are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import moderngl
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.registry import all_operators
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.plan import Backend

Array = NDArray[Any]

LAYOUTS = ("channel_tiles", "channel_tiles_rgba", "row_major_rgba")
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class NodeCase:
    """One node with its inputs (None: omitted); those at the positions `constant` are initializers.

    `output_shape` is for operators whose shape ONNX does not infer.
    """

    op_type: str
    inputs: tuple[Array | None, ...]
    attributes: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    constant: tuple[int, ...] = ()
    outputs: int = 1
    opset: int = 23
    output_shape: tuple[int, ...] | None = None

    def __str__(self) -> str:
        shapes = "+".join(self._argument(i, x) for i, x in enumerate(self.inputs) if x is not None)
        listed = ",".join(f"{key}={_short(value)}" for key, value in self.attributes.items())
        return f"{self.op_type}{self.opset}({shapes} {listed})".replace(" )", ")")

    def _output(self, name: str) -> onnx.ValueInfoProto:
        if self.output_shape is None:
            return onnx.ValueInfoProto(name=name)
        return helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, self.output_shape)

    def _argument(self, position: int, x: Array) -> str:
        if position in self.constant and x.size <= 8:
            return _short(x.reshape(-1).tolist())
        return "x".join(map(str, x.shape)) or "scalar"

    def model(self) -> onnx.ModelProto:
        """The node as a model; inputs are in0, in1 …, outputs out0, out1 …"""
        names = [f"in{i}" if x is not None else "" for i, x in enumerate(self.inputs)]
        outputs = [f"out{i}" for i in range(self.outputs)]
        given = {name: x for name, x in zip(names, self.inputs, strict=True) if x is not None}
        fixed = {f"in{i}" for i in self.constant}
        graph = helper.make_graph(
            [helper.make_node(self.op_type, names, outputs, name="node", **self.attributes)],
            self.op_type,
            [
                helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
                for name, x in given.items()
                if name not in fixed
            ],
            [self._output(name) for name in outputs],
            [numpy_helper.from_array(x, name) for name, x in given.items() if name in fixed],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=10)


def opened(case: NodeCase, layout: str, gl: moderngl.Context, backend: Backend = "auto") -> DebugSession:
    """A session on the case with its inputs set; the caller releases it."""
    session = pipeline.open(case.model(), layout=layout, backend=backend, context=gl)
    for i, x in enumerate(case.inputs):
        if f"in{i}" in session.plan.inputs and x is not None:
            session.set_input(f"in{i}", x)
    return session


def assert_matches(case: NodeCase, layout: str, gl: moderngl.Context, backend: Backend = "auto") -> list[Array]:
    """Every pass of the case runs and matches, alone and end to end. Returns the outputs."""
    with opened(case, layout, gl, backend) as session:
        session.run()
        assert not session.plan.not_run, session.plan.not_run[0].reason
        for each in session.compare().passes:
            assert each.verdict == "match", (
                f"{layout} {each.name} {each.operator}: {each.verdict} {each.isolated} {each.message}"
            )
        return [session.tensor(f"out{i}") for i in range(case.outputs)]


def assert_follows_the_reference(case: NodeCase, layout: str, gl: moderngl.Context) -> None:
    """As `assert_matches`, and the outputs are those that onnx.reference gives for the node as a whole.

    For operators that run as several nodes: each of those is compared by itself with a definition of its own.
    """
    outputs = assert_matches(case, layout, gl)
    (node,) = load(case.model()).nodes
    expected = Reference(fast=False).run_node(node, case.inputs)
    for output, want in zip(outputs, expected, strict=True):
        assert want is not None
        np.testing.assert_allclose(output, want, rtol=2e-4, atol=2e-5)


def assert_reads_are_exact(
    case: NodeCase,
    gl: moderngl.Context,
    *,
    position: int = 0,
    poison: float = np.nan,
    samples: int = 6,
    layout: str = "channel_tiles",
    backend: Backend = "auto",
) -> None:
    """An input element that is poisoned reaches those outputs, and only those, that say they read it.

    `poison` is a value that an output cannot hide once it has read it. The case must be a single pass.
    """
    value = case.inputs[position]
    assert value is not None
    with opened(case, layout, gl, backend) as session:
        graph = session.plan.graph
        assert graph is not None
        assert len(graph.nodes) == 1, [node.op_type for node in graph.nodes]
        operator, call = all_operators()[graph.nodes[0].op_type], Call(graph.nodes[0], graph)
        outputs = int(np.prod(graph.tensors["out0"].shape))
        readers = [_reads(operator.reads(call, element), position) for element in range(outputs)]
        chosen = np.random.default_rng(5).permutation(value.size)[:samples]
        for index in chosen:
            poisoned = value.copy()
            poisoned.reshape(-1)[index] = poison
            session.set_input(f"in{position}", poisoned)
            for i, other in enumerate(case.inputs):
                if i != position and f"in{i}" in session.plan.inputs and other is not None:
                    session.set_input(f"in{i}", other)
            session.run()
            reached = np.flatnonzero(~np.isfinite(session.tensor("out0").reshape(-1)))
            expected = [element for element in range(outputs) if index in readers[element]]
            np.testing.assert_array_equal(reached, expected, f"input {position} element {index}")


def _reads(taps: Mapping[int, Array] | None, position: int) -> set[int]:
    assert taps is not None
    indices = taps.get(position, np.zeros(0, dtype=np.int64)).tolist()
    assert len(indices) == len(set(indices)), "an element is listed twice"
    return set(indices)


def normal(*shape: int, seed: int = 0) -> NDArray[np.float32]:
    """float32 of that shape, normally distributed."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def ints(*values: int) -> NDArray[np.int64]:
    """int64 [n]."""
    return np.array(values, dtype=np.int64)


def floats(*values: float) -> NDArray[np.float32]:
    """float32 [n]."""
    return np.array(values, dtype=np.float32)


def assert_fast_is_reference(case: NodeCase) -> None:
    """The oracle's fast version of the operator gives what the ONNX reference gives, within rounding."""
    (node,) = load(case.model()).nodes
    (fast,), (slow,) = (Reference(fast=fast).run_node(node, case.inputs) for fast in (True, False))
    assert fast is not None
    assert slow is not None
    np.testing.assert_allclose(fast, slow, rtol=1e-5, atol=1e-6)


def _short(value: Any) -> str:
    several = isinstance(value, Sequence) and not isinstance(value, str)
    return "x".join(each if isinstance(each, str) else f"{each:.3g}" for each in value) if several else str(value)
