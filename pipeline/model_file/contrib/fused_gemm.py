"""FusedGemm: y = f(α·A'·B' + β·C), a Gemm with the activation that follows it."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.activations import activated
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "FusedGemm"
_OF_GEMM = ("alpha", "beta", "transA", "transB")


def write(node: Writer) -> None:
    """A [M, K], B [K, N] and C, each as Gemm has them."""
    inputs = [node.x(position) for position in range(3) if node.has(position)]
    y = node.add("Gemm", *inputs, **{name: node.attribute(name, None) for name in _OF_GEMM})
    given = (node.attribute(f"activation_{name}", None) for name in ("alpha", "beta", "gamma"))
    node.result(0, activated(node, y, [value for value in given if value is not None]))
