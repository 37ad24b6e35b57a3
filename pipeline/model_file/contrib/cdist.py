"""CDist: the distance of every row of one matrix from every row of another."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "CDist"


def write(node: Writer) -> None:
    """A [M, K], B [N, K] → [M, N]."""
    metric = str(node.attribute("metric", "sqeuclidean"))
    if metric not in ("sqeuclidean", "euclidean"):
        raise node.refusal("a metric out of euclidean, sqeuclidean", f"'{metric}'", "Use another metric.")
    a = node.add("Unsqueeze", node.x(0), node.whole(1, label="axes"), label="rows")
    apart = node.add("Sub", a, node.x(1), label="apart")
    squares = node.add("ReduceSumSquare", apart, node.whole(-1, label="axes"), keepdims=0, label="squares")
    node.result(0, squares if metric == "sqeuclidean" else node.add("Sqrt", squares))
