"""GroupNorm: groups of channels by their own mean and deviation, perhaps x · sigmoid(x) of that."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.normalised import by_group
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "GroupNorm"


def write(node: Writer) -> None:
    """X [N, H, W, C], or [N, C, H, W] without `channels_last`, gamma and beta [C]."""
    node.result(0, by_group(node, node.x(0)))
