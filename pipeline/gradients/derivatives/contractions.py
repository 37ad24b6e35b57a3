"""Sums of products over labelled axes: Einsum."""

from __future__ import annotations

import string

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape

_ELLIPSIS = "..."


def einsum(node: Backward) -> None:
    """The gradient of one operand is the contraction of dy with the others, repeated along what it alone sums over."""
    operands, out = _labels(node)
    if any(len(set(names)) < len(names) for names in operands):
        raise node.refusal(
            "labels that no operand repeats", f"'{node.required('equation')}'", "Take the diagonal first."
        )
    sizes: dict[str, int] = {}
    for position, names in enumerate(operands):
        for name, size in zip(names, node.shape(position), strict=True):
            sizes[name] = max(size, sizes.get(name, 1))
    for position, names in enumerate(operands):
        if node.wants(position):
            others = [other for other in range(len(operands)) if other != position]
            at_hand = set(out).union(*(operands[other] for other in others))
            kept = "".join(name for name in names if name in at_hand)
            left = ",".join((out, *(operands[other] for other in others)))
            part = node.add(
                "Einsum", node.dy(), *(node.x(other) for other in others), label=f"d{position}",
                equation=f"{left}->{kept}",
            )  # fmt: skip
            _give(node, position, part, names, {name: sizes[name] for name in kept}, sizes)


def _give(node: Backward, position: int, part: str, names: str, kept: dict[str, int], sizes: dict[str, int]) -> None:
    """`part`, with the axes `kept`, as the gradient of an operand with the axes `names`."""
    full: Shape = tuple(sizes[name] for name in names)
    if len(kept) < len(names):
        shape = tuple(kept.get(name, 1) for name in names)
        part = node.spread(node.to_shape(part, shape, label=f"d{position}_shape"), full, label=f"d{position}_spread")
    node.give(position, part, full)


def _labels(node: Backward) -> tuple[list[str], str]:
    """The labels of each operand's axes and of the output's, an ellipsis as letters that the equation has not."""
    equation = str(node.required("equation")).replace(" ", "")
    left, arrow, right = equation.partition("->")
    texts = left.split(",")
    free = [letter for letter in string.ascii_letters if letter not in equation]
    hidden = [len(node.shape(i)) - len(text.replace(_ELLIPSIS, "")) for i, text in enumerate(texts)]
    most = max(count if _ELLIPSIS in text else 0 for text, count in zip(texts, hidden, strict=True))
    if most > len(free):
        raise node.refusal("letters left for the axes of an ellipsis", f"'{equation}'", "Reshape around the node.")
    shared = "".join(free[:most])
    operands = [
        text.replace(_ELLIPSIS, shared[most - count :] if count else "")
        for text, count in zip(texts, hidden, strict=True)
    ]
    if arrow:
        return operands, right.replace(_ELLIPSIS, shared)
    every = "".join(texts).replace(_ELLIPSIS, "")
    return operands, shared + "".join(sorted(name for name in set(every) if every.count(name) == 1))


DERIVATIVES = {"Einsum": einsum}
FLAT = ()
