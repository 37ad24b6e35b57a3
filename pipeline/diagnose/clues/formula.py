"""Writes a pass's intermediate tensor as a formula of the tensors it reads: its own name means nothing to a reader."""

from __future__ import annotations

from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

# The deepest nesting of nodes that is written out, and the longest formula in letters.
_DEEPEST, _LONGEST = 4, 80


def formula(case: FailingPass, tensor: str) -> str:
    """Returns a formula such as `ReduceSum(dy · gamma) · 0.1`; empty for what the pass reads, and if it were long."""
    if tensor in case.model_slice.given or tensor not in case.model_slice.makers:
        return ""
    text = _written(case, tensor, _DEEPEST, is_factor=False)
    return text if len(text) <= _LONGEST else ""


def _written(case: FailingPass, tensor: str, depth: int, *, is_factor: bool) -> str:
    node = case.model_slice.makers.get(tensor)
    if node is None or tensor in case.model_slice.given:
        value = case.model_slice.values.get(tensor)
        return f"{float(value.reshape(-1)[0]):.6g}" if value is not None and value.size == 1 else tensor
    if not depth:
        return tensor
    if facts_of(node).keeps_order:
        return _written(case, node.inputs[0], depth, is_factor=is_factor)
    sign, is_sum = _sign(node)
    if not sign:
        return f"{node.op_type}({', '.join(_operands(case, node, depth, is_factor=False))})"
    joined = sign.join(_operands(case, node, depth, is_factor=not is_sum))
    return f"({joined})" if is_factor and is_sum else joined


def _sign(node: Node) -> tuple[str, bool]:
    """Returns the sign between operands, empty for a function; and whether the node is a sum."""
    facts = facts_of(node)
    if facts.adds:
        return " + ", True
    if facts.neutral == (0.0,) and facts.is_ordered:
        return " − ", True
    return (" · " if facts.neutral == (1.0,) else " / " if node.op_type == "Div" else ""), False


def _operands(case: FailingPass, node: Node, depth: int, *, is_factor: bool) -> list[str]:
    """Returns the operands that are real numbers: axes and sizes are left out."""
    real = (name for name in node.inputs if name and case.model_slice.values[name].dtype.kind == "f")
    return [_written(case, name, depth - 1, is_factor=is_factor) for name in real]
