"""Differentiates products and contractions of matrices, and determinants."""

from __future__ import annotations

import string

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape

_ELLIPSIS = "..."


def matmul(node: Backward) -> None:
    """Computes dA = dY · Bᵀ, dB = Aᵀ · dY, each summed over broadcast axes; a vector is a row, or a column."""
    a, b, y = _as_matrices(node.shape(0), node.shape(1))
    dy = node.to_shape(node.dy(), y, label="dy_matrix")
    if node.wants(0):
        right = node.to_shape(node.x(1), b, label="b_matrix")
        product = node.add("MatMul", dy, _flipped(node, right, len(b)), label="da")
        summed = node.summed_to(product, (*_batch(y), *a[-2:]), a, label="da_summed")
        node.result(0, node.to_shape(summed, node.shape(0), label="da_shape"))
    if node.wants(1):
        left = node.to_shape(node.x(0), a, label="a_matrix")
        product = node.add("MatMul", _flipped(node, left, len(a)), dy, label="db")
        summed = node.summed_to(product, (*_batch(y), *b[-2:]), b, label="db_summed")
        node.result(1, node.to_shape(summed, node.shape(1), label="db_shape"))


def _batch(shape: Shape) -> Shape:
    return shape[:-2]


def _as_matrices(a: Shape, b: Shape) -> tuple[Shape, Shape, Shape]:
    """Returns the two factors and the product, each with at least two axes."""
    left = (1, *a) if len(a) == 1 else a
    right = (*b, 1) if len(b) == 1 else b
    rank = max(len(left), len(right)) - 2
    batches = ((1,) * (rank - len(each[:-2])) + each[:-2] for each in (left, right))
    batch = tuple(max(sizes) for sizes in zip(*batches, strict=True))
    return left, right, (*batch, left[-2], right[-1])


def _flipped(node: Backward, tensor: str, rank: int) -> str:
    return node.transposed(tensor, [*range(rank - 2), rank - 1, rank - 2])


def gemm(node: Backward) -> None:
    """Differentiates Y = α · A' · B' + β · C, with A' and B' as the attributes transpose them."""
    alpha, beta = float(node.attribute("alpha", 1.0)), float(node.attribute("beta", 1.0))
    is_a, is_b = bool(node.attribute("transA", 0)), bool(node.attribute("transB", 0))
    dy, a, b = node.dy(), node.x(0), node.x(1)
    if node.wants(0):  # dA' = α · dY · B'ᵀ
        pair = (b, dy) if is_a else (dy, b)
        flags = {"transA": int(is_b), "transB": 1} if is_a else {"transA": 0, "transB": int(not is_b)}
        node.result(0, node.add("Gemm", *pair, label="da", alpha=alpha, **flags))
    if node.wants(1):  # dB' = α · A'ᵀ · dY
        pair = (dy, a) if is_b else (a, dy)
        flags = {"transA": 1, "transB": int(is_a)} if is_b else {"transA": int(not is_a), "transB": 0}
        node.result(1, node.add("Gemm", *pair, label="db", alpha=alpha, **flags))
    if node.wants(2):
        node.give(2, node.scaled(dy, beta, label="dc"))


def einsum(node: Backward) -> None:
    """Contracts dy with the other operands to an operand's gradient, repeated along axes that only it sums over."""
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
    """Sets `part`, with the axes `kept`, as the gradient of an operand with the axes `names`."""
    full: Shape = tuple(sizes[name] for name in names)
    if len(kept) < len(names):
        shape = tuple(kept.get(name, 1) for name in names)
        part = node.spread(node.to_shape(part, shape, label=f"d{position}_shape"), full, label=f"d{position}_spread")
    node.give(position, part, full)


def _labels(node: Backward) -> tuple[list[str], str]:
    """Returns the labels of each operand's axes and of the output's, an ellipsis as letters not in the equation."""
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


def det(node: Backward) -> None:
    """Computes dX = dy · cofactors of X: determinants without a row and a column, with alternating signs.

    That equals det X · (X⁻¹)ᵀ, and holds where X has no inverse.
    """
    *batch, size, _ = node.shape(0)
    count = node.count(tuple(batch))
    dy = node.to_shape(node.dy(), (count, 1, 1), label="dy_of_matrix")
    if size == 1:
        node.result(0, node.to_shape(dy, node.shape(0), label="dx"))
        return
    places = np.arange(size * size).reshape(size, size)
    left = [np.delete(np.delete(places, row, 0), column, 1) for row in range(size) for column in range(size)]
    rows = node.to_shape(node.x(0), (count, size * size), label="x_rows")
    picked = node.constant(np.concatenate([each.reshape(-1) for each in left]), "int64", "places")
    taken = node.add("Gather", rows, picked, label="x_left", axis=1)
    minors = node.add(
        "Det", node.to_shape(taken, (count * size * size, size - 1, size - 1), label="matrices_left"), label="minors"
    )
    signs = 1.0 - 2.0 * (np.indices((size, size)).sum(0) % 2)
    of_each = node.to_shape(minors, (count, size, size), label="minors_of_matrix")
    cofactors = node.add("Mul", of_each, node.constant(signs, label="signs"), label="cofactors")
    made = node.add("Mul", cofactors, dy, label="dx_of_matrix")
    node.result(0, node.to_shape(made, node.shape(0), label="dx"))


DERIVATIVES = {
    "MatMul": matmul,
    "Gemm": gemm,
    "Einsum": einsum,
    "Det": det,
}
