"""Layers that change each element by itself: relu, sigmoid, clip and the like, and unaryop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from texelscope.pipeline.dialects.ncnn.layers.base import (
    BLOB_DEFAULTS,
    LayerParameters,
    NcnnLayer,
    SizedLayer,
    elementwise,
)
from texelscope.pipeline.dialects.ncnn.layers.meaning import Meaning
from texelscope.pipeline.dialects.ncnn.layers.names import ShaderName
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Tolerance

# GLSL leaves a driver's tanh to be a quotient of sums of powers, which cancel near 0 (GLSL 4.60, section 4.7.1).
_SINH_OVER_COSH = Tolerance(rtol=1e-5, atol=1e-6)
# erf is a polynomial of ncnn's, good to 1.5e-7 before it is rounded (Abramowitz and Stegun, 7.1.26).
_POLYNOMIAL = Tolerance(rtol=1e-5, atol=2e-6)

Nodes = Callable[[LayerParameters], tuple[Meaning, ...]]

# unaryop's op_type (ncnn's UnaryOp::OperationType) that ONNX has as one operator over all numbers.
UNARY = {0: "Abs", 1: "Neg", 2: "Floor", 3: "Ceil", 7: "Exp", 9: "Sin", 10: "Cos", 13: "Atan", 16: "Tanh"}


def _one(operator: str, **attributes: str) -> Nodes:
    """One node; attributes by the layer's parameters."""
    return lambda values: (
        Meaning(operator, ("x",), "y", {name: values.number(each) for name, each in attributes.items()}),
    )


def _relu(values: LayerParameters) -> tuple[Meaning, ...]:
    slope = values.number("slope")
    return (Meaning("LeakyRelu", ("x",), "y", {"alpha": slope}) if slope else Meaning("Relu", ("x",), "y"),)


def _swish(values: LayerParameters) -> tuple[Meaning, ...]:
    del values
    return Meaning("Sigmoid", ("x",), "sigmoid"), Meaning("Mul", ("x", "sigmoid"), "y")


def _hardswish(values: LayerParameters) -> tuple[Meaning, ...]:
    attributes = {"alpha": values.number("alpha"), "beta": values.number("beta")}
    return Meaning("HardSigmoid", ("x",), "hard", attributes), Meaning("Mul", ("x", "hard"), "y")


def _unary(values: LayerParameters) -> tuple[Meaning, ...]:
    if values["op_type"] not in UNARY:
        valid = ", ".join(f"{number} ({name})" for number, name in UNARY.items())
        raise TexelscopeError("unaryop op_type", f"one of {valid}", str(values["op_type"]), "ONNX has no other as one.")
    return (Meaning(UNARY[values["op_type"]], ("x",), "y"),)


class Activation(NcnnLayer):
    """One of them: `own` are its parameters and at once its specialization constants."""

    def __init__(
        self,
        family: str,
        nodes: Nodes,
        own: Mapping[str, float] = MappingProxyType({}),
        tolerance: Tolerance | None = None,
    ) -> None:
        self.families = (family,)  # type: ignore[misc]  # a family an instance here
        self.defaults = {**BLOB_DEFAULTS, **own}  # type: ignore[misc]
        self._nodes = nodes
        self._own = own
        self._tolerance = tolerance

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """The same for all of them."""
        constants = {each: values.number(each) for each in self._own}
        return elementwise(self._nodes(values), name, values, constants, self._tolerance)


class ClipLayer(NcnnLayer):
    """ONNX has the borders as tensors."""

    families = ("clip",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "const_min": -0.5, "const_max": 0.75})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Clip with two constants."""
        borders = {each: values.number(each) for each in ("const_min", "const_max")}
        nodes = (Meaning("Clip", ("x", *borders), "y"),)
        case = elementwise(nodes, name, values, borders)
        constants = {each: np.float32(value) for each, value in borders.items()}
        return SizedLayer(case.nodes, case.blobs, case.inputs, case.steps, constants)  # type: ignore[arg-type]


LAYERS = (
    Activation("relu", _relu, {"slope": 0.0}),
    Activation("sigmoid", _one("Sigmoid")),
    Activation("tanh", _one("Tanh"), tolerance=_SINH_OVER_COSH),
    Activation("absval", _one("Abs")),
    Activation("elu", _one("Elu", alpha="alpha"), {"alpha": 0.5}),
    Activation("erf", _one("Erf"), tolerance=_POLYNOMIAL),
    Activation("mish", _one("Mish")),
    Activation("hardsigmoid", _one("HardSigmoid", alpha="alpha", beta="beta"), {"alpha": 0.2, "beta": 0.5}),
    Activation("hardswish", _hardswish, {"alpha": 0.2, "beta": 0.5}),
    Activation("swish", _swish),
    Activation("unaryop", _unary, {"op_type": 0}),
    ClipLayer(),
)
