"""One node of com.microsoft, run by ONNX Runtime, as passes, and by its numpy definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

import moderngl
import numpy as np
import onnx
import onnxruntime
from numpy.typing import ArrayLike, NDArray
from onnx import helper, numpy_helper

from texelscope import pipeline
from texelscope.pipeline.graph import CONTRIB_DOMAIN, Node
from texelscope.pipeline.oracle.reference import Reference

Array = NDArray[Any]
NOTHING: Mapping[str, Any] = MappingProxyType({})
_INPUT, _OUTPUT = "in", "out"


@cache
def _saturates() -> bool:
    """Whether ONNX Runtime's sums of uint8 times int8 saturate at 16 bits, as on x86 processors without VNNI."""
    inputs = [helper.make_tensor_value_info("a", onnx.TensorProto.UINT8, (1, 4))]
    weights = numpy_helper.from_array(np.full((4, 1), 127, np.int8), "b")
    outputs = [helper.make_tensor_value_info("y", onnx.TensorProto.INT32, (1, 1))]
    graph = helper.make_graph([helper.make_node("MatMulInteger", ["a", "b"], ["y"])], "sum", inputs, outputs, [weights])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (result,) = session.run(None, {"a": np.full((1, 4), 255, np.uint8)})
    return int(result.item()) != 4 * 255 * 127


@dataclass(frozen=True)
class Case:
    """One node with its inputs (None: omitted); those at the positions `given` depend on the run, others do not.

    `outputs` says of each output whether somebody asks for it. `slack` is how far results may be from ONNX Runtime's:
    in codes of whole numbers, otherwise in parts of the largest number or of 1. Without `has_kernel` ONNX Runtime
    has the operator for other processors alone, and the definition is the only judge.
    """

    op_type: str
    inputs: tuple[Array | None, ...]
    attributes: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    given: tuple[int, ...] = (0,)
    outputs: tuple[bool, ...] = (True,)
    domain: str = CONTRIB_DOMAIN
    opset: int = 17
    has_kernel: bool = True
    slack: float = 2e-5

    def __str__(self) -> str:
        shapes = "+".join("x".join(map(str, x.shape)) or "1" for x in self.inputs if x is not None and x.size > 1)
        said = ",".join(f"{key}={_short(value)}" for key, value in self.attributes.items())
        types = "" if self.inputs[0] is None or self.inputs[0].dtype == np.float32 else f" {self.inputs[0].dtype}"
        return f"{self.op_type}({' '.join(filter(None, (shapes, said)))}){types}"

    def model(self) -> onnx.ModelProto:
        """The node as a model; inputs are in0, in1 …, outputs out0, out1 …"""
        graph = helper.make_graph(
            [helper.make_node(self.op_type, *self._names(), name="node", domain=self.domain, **self.attributes)],
            self.op_type,
            [
                helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
                for name, x in self.feeds().items()
            ],
            [onnx.ValueInfoProto(name=name) for name in self._names()[1] if name],
            [
                numpy_helper.from_array(x, f"{_INPUT}{i}")
                for i, x in enumerate(self.inputs)
                if x is not None and i not in self.given
            ],
        )
        opsets = [helper.make_opsetid("", self.opset), helper.make_opsetid(CONTRIB_DOMAIN, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)

    def feeds(self) -> dict[str, Array]:
        """Returns the inputs that depend on the run, by name."""
        return {f"{_INPUT}{i}": x for i, x in enumerate(self.inputs) if x is not None and i in self.given}

    def expected(self) -> list[Array]:
        """Returns the results of ONNX Runtime, with nothing rearranged."""
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(self.model().SerializeToString(), options, ["CPUExecutionProvider"])
        return [np.asarray(value) for value in session.run(None, self.feeds())]

    def defined(self) -> list[Array]:
        """Returns the results of the numpy definition."""
        inputs, outputs = self._names()
        node = Node("node", self.op_type, tuple(inputs), tuple(outputs), self._said(), CONTRIB_DOMAIN)
        results = Reference().run_node(node, self.inputs)
        return [result for result in results if result is not None]

    def check(self, context: moderngl.Context, layouts: Sequence[str]) -> str:
        """Returns the problems of the definition or the passes; nothing if they agree with ONNX Runtime."""
        expected = self.expected() if self._is_judged_by_runtime() else self.defined()
        problems = [f"definition: {self._difference(self.defined(), expected)}"]
        for layout in layouts:
            problems.append(f"{layout}: {self._run(context, layout, expected)}")
        return "; ".join(each for each in problems if not each.endswith(": "))

    def _is_judged_by_runtime(self) -> bool:
        """Whether ONNX Runtime has the operator, and computes it exactly on this processor."""
        has_signed_weights = any(x is not None and x.dtype == np.int8 for x in self.inputs)
        return self.has_kernel and not (has_signed_weights and _saturates())

    def _run(self, context: moderngl.Context, layout: str, expected: Sequence[Array]) -> str:
        with pipeline.open(self.model(), layout=layout, context=context) as session:
            for name, value in self.feeds().items():
                if name in session.plan.inputs:
                    session.set_input(name, value)
            session.run()
            if session.plan.not_run:
                return session.plan.not_run[0].reason
            for each in session.compare().passes:
                if each.verdict != "match":
                    return f"{each.name} {each.operator}: {each.verdict} {each.isolated} {each.message}"
            return self._difference([session.tensor(name) for name in self._names()[1] if name], expected)

    def _difference(self, results: Sequence[Array], expected: Sequence[Array]) -> str:
        if len(results) != len(expected):
            return f"{len(results)} outputs, not {len(expected)}"
        for position, (result, want) in enumerate(zip(results, expected, strict=True)):
            if result.shape != want.shape:
                return f"output {position}: {list(result.shape)}, not {list(want.shape)}"
            got, right = result.astype(np.float64), want.astype(np.float64)
            worst = float(np.abs(got - right).max(initial=0.0))
            if want.dtype.kind in "iub":
                allowed = self.slack if self.slack >= 1.0 else 0.0
            else:
                allowed = self.slack * max(1.0, float(np.abs(right).max(initial=0.0)))
            if not worst <= allowed:
                return f"output {position}: off by {worst:.3g}, {allowed:.3g} allowed"
        return ""

    def _names(self) -> tuple[list[str], list[str]]:
        inputs = [f"{_INPUT}{i}" if x is not None else "" for i, x in enumerate(self.inputs)]
        return inputs, [f"{_OUTPUT}{i}" if asked else "" for i, asked in enumerate(self.outputs)]

    def _said(self) -> Mapping[str, Any]:
        return {key: tuple(value) if isinstance(value, list) else value for key, value in self.attributes.items()}


def scalar(value: ArrayLike, dtype: str = "float32") -> Array:
    """Returns a constant without axes."""
    return np.asarray(value, dtype=dtype)


class Numbers:
    """Draws random tensors, the same in every run."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def real(self, *shape: int) -> Array:
        """Returns normal numbers, float32."""
        return self._random.standard_normal(shape).astype(np.float32)

    def uint8(self, *shape: int) -> Array:
        """Returns all codes alike."""
        return self._random.integers(0, 256, shape, dtype=np.uint8)

    def int8(self, *shape: int) -> Array:
        """Returns all codes alike."""
        return self._random.integers(-128, 128, shape, dtype=np.int8)

    def whole(self, low: int, high: int, *shape: int) -> Array:
        """Returns int32 from low up to and without high."""
        return self._random.integers(low, high, shape, dtype=np.int32)


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).replace(" ", "")
