"""FusedMatMul: y = α·A'·B', each perhaps turned over."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "FusedMatMul"


def write(node: Writer) -> None:
    """A and B as MatMul has them, or with their axes in another order."""
    product = node.add("MatMul", turned(node, 0, "A"), turned(node, 1, "B"), label="product")
    alpha = float(node.attribute("alpha", 1.0))
    node.result(0, product if alpha == 1.0 else node.add("Mul", product, node.constant(alpha, label="alpha")))


def turned(node: Writer, position: int, letter: str) -> str:
    """The operand in the order in which MatMul reads it."""
    axes = list(range(node.given(position).rank))
    if node.attribute(f"transBatch{letter}", 0) and len(axes) > 2:
        axes = [*axes[1:-1], axes[0], axes[-1]]
    if node.attribute(f"trans{letter}", 0) and len(axes) > 1:
        axes = [*axes[:-2], axes[-1], axes[-2]]
    x = node.x(position)
    return x if axes == sorted(axes) else node.add("Transpose", x, perm=axes, label=f"{letter.lower()}/turned")
