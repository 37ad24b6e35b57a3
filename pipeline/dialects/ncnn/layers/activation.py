"""Describes activations: relu, sigmoid, clip and the like, unaryop, and softmax with its four shaders in sequence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from texelscope.pipeline.dialects.ncnn.layers.base import (
    BLOB_DEFAULTS,
    Blob,
    LayerDispatch,
    LayerParameters,
    Meaning,
    NcnnLayer,
    ShaderName,
    SizedLayer,
    elementwise,
    in_groups,
    work_of,
)
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Tolerance

# GLSL lets a driver compute tanh as a quotient of sums of exponentials, which cancel near 0 (GLSL 4.60, section 4.7.1).
_SINH_OVER_COSH = Tolerance(rtol=1e-5, atol=1e-6)
# erf is ncnn's polynomial, accurate to 1.5e-7 before rounding (Abramowitz and Stegun, 7.1.26).
_POLYNOMIAL = Tolerance(rtol=1e-5, atol=2e-6)

Nodes = Callable[[LayerParameters], tuple[Meaning, ...]]

# Values of unaryop's op_type (ncnn's UnaryOp::OperationType) that are one ONNX operator over all numbers.
UNARY = {0: "Abs", 1: "Neg", 2: "Floor", 3: "Ceil", 7: "Exp", 9: "Sin", 10: "Cos", 13: "Atan", 16: "Tanh"}


def _one(operator: str, **attributes: str) -> Nodes:
    """Returns one node; attributes by the layer's parameters."""
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
    """An activation: `own` are its parameters and also its specialization constants."""

    def __init__(
        self,
        family: str,
        nodes: Nodes,
        own: Mapping[str, float] = MappingProxyType({}),
        tolerance: Tolerance | None = None,
    ) -> None:
        self.families = (family,)  # type: ignore[misc]  # one family per instance here
        self.defaults = {**BLOB_DEFAULTS, **own}  # type: ignore[misc]
        self._nodes = nodes
        self._own = own
        self._tolerance = tolerance

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the case, alike for all activations."""
        constants = {each: values.number(each) for each in self._own}
        return elementwise(self._nodes(values), name, values, constants, self._tolerance)


class ClipLayer(NcnnLayer):
    """An activation whose bounds are tensors in ONNX."""

    families = ("clip",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "const_min": -0.5, "const_max": 0.75})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns Clip with two constants."""
        borders = {each: values.number(each) for each in ("const_min", "const_max")}
        nodes = (Meaning("Clip", ("x", *borders), "y"),)
        case = elementwise(nodes, name, values, borders)
        constants = {each: np.float32(value) for each, value in borders.items()}
        return SizedLayer(case.nodes, case.blobs, case.inputs, case.steps, constants)  # type: ignore[arg-type]


class SoftmaxLayer(NcnnLayer):
    """Works along `axis` of c, h, w: 1 (rows) or 2 (columns), and 0 (channels) where they are not packed."""

    families = ("softmax_reduce_max", "softmax_exp_sub_max", "softmax_reduce_sum", "softmax_div_sum")
    defaults = MappingProxyType({**BLOB_DEFAULTS, "axis": 2})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns four dispatches: the largest, the exponentials of the differences, their sum, and the quotient."""
        axis = values["axis"]
        valid = (0, 1, 2) if name.pack == 1 else (1, 2)
        if axis not in valid:
            raise TexelscopeError(
                f"{name.stem}.comp axis", f"one of {', '.join(map(str, valid))}", str(axis), "Set another one."
            )
        shape = values.shape()
        blob = Blob(shape, name.pack)
        kept = tuple(1 if place == axis + 1 else size for place, size in enumerate(shape))
        rest = Blob(kept, name.pack, "rows")
        in_groups(name, [blob])
        nodes = (
            Meaning("ReduceMax", ("x", "axes"), "max", {"keepdims": 1}),
            Meaning("Sub", ("x", "max"), "below"),
            Meaning("Exp", ("below",), "powers"),
            Meaning("ReduceSum", ("powers", "axes"), "sum", {"keepdims": 1}),
            Meaning("Div", ("powers", "sum"), "y"),
        )
        own, sizes = {"axis": axis}, {"": "x", "out": "max"}
        whole, few = work_of(blob), work_of(rest)
        steps = (
            LayerDispatch("softmax_reduce_max", "max", {"bottom_top_blob": "x", "max_workspace": "max"},
                          few, sizes, own),
            LayerDispatch(
                "softmax_exp_sub_max", "powers", {"bottom_blob": "x", "top_blob": "powers", "max_workspace": "max"},
                whole, sizes, own, "x",
            ),
            LayerDispatch("softmax_reduce_sum", "sum", {"bottom_top_blob": "powers", "sum_workspace": "sum"},
                          few, sizes, own),
            LayerDispatch(
                "softmax_div_sum", "y", {"bottom_blob": "powers", "top_blob": "y", "sum_workspace": "sum"},
                whole, sizes, own, "powers",
            ),
        )  # fmt: skip
        blobs = {"x": blob, "max": rest, "powers": blob, "sum": rest, "y": blob}
        return SizedLayer(nodes, blobs, ("x",), steps, {"axes": np.array([axis + 1])})


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
    SoftmaxLayer(),
)
