"""Reductions of very many elements, written as passes over blocks of them and over the blocks' results."""

from __future__ import annotations

from texelscope.pipeline.graph import TensorInfo
from texelscope.pipeline.operators.base import Call, Rewrite
from texelscope.pipeline.operators.group_statistics import ElementGroups, add_exponential_sum, add_fold, add_total
from texelscope.pipeline.operators.reduction import ReducedAxes
from texelscope.pipeline.operators.rewriting import Passes

_TERMS = {"ReduceSum": "value", "ReduceMean": "value", "ReduceL1": "absolute", "ReduceSumSquare": "square"}
# Of IsInf, whose defaults a rewritten node has to say.
_BOTH = {"detect_positive": 1, "detect_negative": 1}
_FOLDS = {"ReduceMax": "max", "ReduceMin": "min", "ReduceProd": "mul"}


def in_blocks(call: Call, axes: ReducedAxes) -> Rewrite:
    """The node as passes over blocks of its elements along `axes`."""
    name, op_type, output = call.node.name, call.node.op_type, call.output_info()
    passes = Passes(name)
    groups = ElementGroups(call.node.inputs[0], axes.shape, axes.axes)
    kept = TensorInfo(f"{name}/sum", output.shape)
    if op_type in _FOLDS:
        add_fold(passes, groups, output, _FOLDS[op_type])
    elif op_type in _TERMS:
        add_total(passes, groups, output, _TERMS[op_type], 1.0 / axes.count if op_type == "ReduceMean" else 1.0)
    elif op_type == "ReduceL2":
        passes.add_onnx("Sqrt", (add_total(passes, groups, kept, "square"),), output)
    elif op_type == "ReduceLogSum":
        passes.add_onnx("Log", (add_total(passes, groups, kept),), output)
    else:
        _add_log_of_exponentials(passes, groups, output)
    return passes.rewrite()


def _add_log_of_exponentials(passes: Passes, groups: ElementGroups, output: TensorInfo) -> None:
    """m + ln Σe^(x − m); m itself where it is infinite."""
    name = passes.name
    largest = add_fold(passes, groups, TensorInfo(f"{name}/largest", output.shape), "max")
    total = add_exponential_sum(passes, groups, TensorInfo(f"{name}/sum", output.shape), largest)
    logarithm = passes.add_onnx("Log", (total,), TensorInfo(f"{name}/logarithm", output.shape))
    finite = passes.add_onnx("Add", (largest, logarithm), TensorInfo(f"{name}/finite", output.shape))
    infinite = passes.add_onnx("IsInf", (largest,), TensorInfo(f"{name}/infinite", output.shape, "bool"), **_BOTH)
    passes.add_onnx("Where", (infinite, largest, finite), output)
