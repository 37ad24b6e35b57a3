"""What operators meant before opset 7, where onnx.reference knows the later meaning alone.

Binary operators broadcast only if told to (`broadcast`), and then line the second operand up with the first at
`axis`. `consumed_inputs`, a hint about memory in opset 1, never changed a result.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.graph import Node
from pipeline.oracle.arithmetic.invocation import Array

_BINARY = frozenset(("Add", "And", "Div", "Equal", "Greater", "Less", "Mul", "Or", "Pow", "Sub", "Xor"))


def is_old_binary(node: Node) -> bool:
    """Whether `node` is a binary operator that broadcasts in the old way."""
    return not node.domain and node.opset < 7 and node.op_type in _BINARY


def obsolete_attributes(node: Node) -> frozenset[str]:
    """Attributes that the evaluator must not see."""
    if is_old_binary(node):
        return frozenset(("axis", "broadcast", "consumed_inputs"))
    # There it is required, though as meaningless.
    return frozenset() if node.op_type == "BatchNormalization" else frozenset(("consumed_inputs",))


def lined_up(node: Node, inputs: Sequence[Array | None]) -> Sequence[Array | None]:
    """The inputs, of which the second one has trailing axes of 1 so that today's broadcasting lines it up at `axis`.

    Without `axis` the last axes are lined up, as today.
    """
    axis = node.attributes.get("axis")
    if not is_old_binary(node) or axis is None or not node.attributes.get("broadcast"):
        return inputs
    first, second = inputs
    if first is None or second is None:
        return inputs
    trailing = first.ndim - axis % first.ndim - second.ndim
    return first, second.reshape(*second.shape, *(1,) * max(0, trailing))
