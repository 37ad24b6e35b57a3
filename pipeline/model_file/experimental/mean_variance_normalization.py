"""MeanVarianceNormalization before opset 9: a channel, or the whole, by its own mean and deviation over the batch."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "MeanVarianceNormalization"


def write(node: Writer) -> None:
    """X [N, C, H, W]; with `normalize_variance` of 0 only the mean is taken away."""
    axes = (0, 1, 2, 3) if node.attribute("across_channels", 0) else (0, 2, 3)
    if node.attribute("normalize_variance", 1):
        node.result(0, node.add("MeanVarianceNormalization", node.x(0), axes=list(axes)))
        return
    mean = node.add("ReduceMean", node.x(0), node.whole(*axes, label="axes"), label="mean")
    node.result(0, node.add("Sub", node.x(0), mean))
