"""Estimates from above, before an evaluation begins, whether it could take long: it cannot be interrupted."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array
from texelscope.pipeline.graph import CONTRIB_DOMAIN, OWN_DOMAIN, Node

# Operators whose evaluation is a few calls of numpy, whatever the shapes.
# fmt: off
_WHOLE = frozenset((
    "Abs", "Acos", "Acosh", "Add", "And", "ArgMax", "ArgMin", "Asin", "Asinh", "Atan", "Atanh", "AveragePool",
    "BatchNormalization", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Cast", "CastLike", "Ceil", "Celu",
    "Clip", "Concat", "Constant", "ConstantOfShape", "Cos", "Cosh", "CumSum", "DepthToSpace", "DequantizeLinear", "Div",
    "Dropout", "Elu", "Equal", "Erf", "Exp", "Expand", "Flatten", "Floor", "Gather", "GatherElements", "Gelu",
    "GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool", "Greater", "GreaterOrEqual", "GroupNormalization",
    "HardSigmoid", "HardSwish", "Hardmax", "Identity", "InstanceNormalization", "IsInf", "IsNaN", "LRN",
    "LayerNormalization", "LeakyRelu", "Less", "LessOrEqual", "Log", "LogSoftmax", "LpNormalization", "LpPool", "Max",
    "MaxPool", "Mean", "MeanVarianceNormalization", "Min", "Mish", "Mod", "Mul", "Neg", "NonZero", "Not", "OneHot",
    "Or", "PRelu", "Pad", "Pow", "QuantizeLinear", "RMSNormalization", "Range", "Reciprocal", "ReduceL1", "ReduceL2",
    "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum",
    "ReduceSumSquare", "Relu", "Reshape", "Resize", "Round", "Selu", "Shape", "Sigmoid", "Sign", "Sin", "Sinh", "Size",
    "Slice", "Softmax", "Softplus", "Softsign", "SpaceToDepth", "Split", "Sqrt", "Squeeze", "Sub", "Sum", "Swish",
    "Tan", "Tanh", "ThresholdedRelu", "Tile", "Transpose", "Trilu", "Unsqueeze", "Upsample", "Where", "Xor",
))
# fmt: on
# Operators that work in blocks and check the time between these.
_IN_BLOCKS = frozenset({"Conv", "ConvTranspose"})
# Operators whose values may grow in each turn: nothing predicts them.
_LOOPS = frozenset({"Loop", "Scan", "SequenceMap"})
_PRODUCTS = frozenset({"MatMul", "Gemm", "MatMulInteger", "QLinearMatMul", "Einsum"})
# Seconds for an element of a whole array, for one that Python goes to by itself, and for a term of a product, of floats
# and of whole numbers: measured on one slow core.
_OF_WHOLE, _BY_ITSELF, _OF_PRODUCT, _OF_WHOLE_NUMBERS = 2e-8, 2e-6, 2e-10, 2e-9
# A call below this estimate runs in this process: another one takes half a second to start.
_LITTLE_SECONDS = 2.0


def may_take_long(node: Node, inputs: Sequence[Array | None]) -> bool:
    """Whether evaluating the node could take seconds, or all memory, in a call that nothing can interrupt."""
    if node.op_type in _LOOPS and not node.domain:
        return True
    if node.op_type in _IN_BLOCKS or node.domain in (OWN_DOMAIN, CONTRIB_DOMAIN):
        return False
    return seconds_of(node, inputs) > _LITTLE_SECONDS


def seconds_of(node: Node, inputs: Sequence[Array | None]) -> float:
    """Returns an upper estimate of its seconds."""
    present = [x for x in inputs if x is not None]
    elements = sum(x.size for x in present)
    if node.op_type in _PRODUCTS:
        is_float = all(x.dtype.kind == "f" for x in present)
        return _terms(node, present) * (_OF_PRODUCT if is_float else _OF_WHOLE_NUMBERS)
    window = int(math.prod(node.attributes.get("kernel_shape", ()) or (1,)))
    each = _OF_WHOLE if node.op_type in _WHOLE and not node.domain else _BY_ITSELF
    return float(each * (elements * window + _counted(present)))


def _terms(node: Node, inputs: Sequence[Array]) -> float:
    """Counts the products that are summed: of two matrices, or over all letters of an Einsum."""
    if node.op_type == "Einsum":
        sizes: dict[str, int] = {}
        for term, x in zip(str(node.attributes.get("equation", "")).split("->")[0].split(","), inputs, strict=False):
            letters = term.replace(" ", "").replace("...", "")
            sizes.update(zip(reversed(letters), reversed(x.shape), strict=False))
        return float(math.prod(sizes.values()))
    matrices = [x for x in inputs if x.ndim >= 2] or list(inputs[:1])
    first, second = matrices[0], matrices[min(1, len(matrices) - 1)]
    longest: int = max(*first.shape[-2:], *second.shape[-2:], 1)
    return float(max(first.size, second.size) * longest)


def _counted(inputs: Sequence[Array]) -> float:
    """Returns the largest whole number among few: a number of repeats, or a length."""
    few = [x for x in inputs if 0 < x.size <= 8 and x.dtype.kind in "iu"]
    return float(max((int(np.max(np.abs(x.astype(np.float64)))) for x in few), default=0))
