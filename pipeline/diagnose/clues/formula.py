"""A tensor that a pass has on its way, written as a formula of what the pass reads: its own name says nothing."""

from __future__ import annotations

from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

# Nodes inside one another that are written out, and letters.
_DEEPEST, _LONGEST = 4, 80


def formula(case: FailingPass, tensor: str) -> str:
    """Such as `ReduceSum(dy · gamma) · 0.1`; empty of what the pass reads, and of what would be long."""
    if tensor in case.redo.given or tensor not in case.redo.makers:
        return ""
    text = _written(case, tensor, _DEEPEST, is_factor=False)
    return text if len(text) <= _LONGEST else ""


def _written(case: FailingPass, tensor: str, depth: int, *, is_factor: bool) -> str:
    node = case.redo.makers.get(tensor)
    if node is None or tensor in case.redo.given:
        value = case.redo.values.get(tensor)
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
    """What stands between the operands, empty of what is written as a function; and whether it is a sum."""
    facts = facts_of(node)
    if facts.adds:
        return " + ", True
    if facts.neutral == (0.0,) and facts.is_ordered:
        return " − ", True
    return (" · " if facts.neutral == (1.0,) else " / " if node.op_type == "Div" else ""), False


def _operands(case: FailingPass, node: Node, depth: int, *, is_factor: bool) -> list[str]:
    """Those of real numbers: axes and sizes are left out."""
    real = (name for name in node.inputs if name and case.redo.values[name].dtype.kind == "f")
    return [_written(case, name, depth - 1, is_factor=is_factor) for name in real]
