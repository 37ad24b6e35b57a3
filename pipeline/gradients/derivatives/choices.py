"""Of several tensors one that is taken, element by element: Where, Max, Min."""

from __future__ import annotations

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.gradients.derivatives.formulas import Formula, TensorTerm


def where(node: Backward) -> None:
    """dy to what is taken."""
    f = Formula(node)
    if node.wants(1):
        f.give(1, f.x.where(f.dy, 0.0))
    if node.wants(2):
        f.give(2, f.x.where(0.0, f.dy))


def extreme(node: Backward) -> None:
    """dy to the one that y is, in equal shares to all that are."""
    f = Formula(node)
    if len(node.inputs) == 1:
        f.give(0, f.dy)
        return
    taken = [f.input(position).equals(f.y) for position in range(len(node.inputs))]
    ones = [each.of("CastLike", f.y).name for each in taken]
    share = f.dy / TensorTerm(node, node.add("Sum", *ones, label="count"))
    for position, is_taken in enumerate(taken):
        if node.wants(position):
            f.give(position, is_taken.where(share, 0.0))


DERIVATIVES = {"Where": where, "Max": extreme, "Min": extreme}
FLAT = ()
