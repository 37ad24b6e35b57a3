"""Products of matrices: MatMul, Gemm."""

from __future__ import annotations

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape


def matmul(node: Backward) -> None:
    """dA = dY · Bᵀ, dB = Aᵀ · dY, each summed over what was broadcast; a vector is a row, or a column."""
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
    """The two factors and the product, each with two axes at least."""
    left = (1, *a) if len(a) == 1 else a
    right = (*b, 1) if len(b) == 1 else b
    rank = max(len(left), len(right)) - 2
    batches = ((1,) * (rank - len(each[:-2])) + each[:-2] for each in (left, right))
    batch = tuple(max(sizes) for sizes in zip(*batches, strict=True))
    return left, right, (*batch, left[-2], right[-1])


def _flipped(node: Backward, tensor: str, rank: int) -> str:
    return node.transposed(tensor, [*range(rank - 2), rank - 1, rank - 2])


def gemm(node: Backward) -> None:
    """Y = α · A' · B' + β · C, with A' and B' as the attributes transpose them."""
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


DERIVATIVES = {"MatMul": matmul, "Gemm": gemm}
FLAT = ()
