"""SkipGroupNorm: GroupNorm of a sum with what was skipped."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.normalised import by_group
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "SkipGroupNorm"


def write(node: Writer) -> None:
    """X [N, H, W, C], gamma and beta [C], skip of X's shape, [N, 1, 1, C] or [N, C], bias [C]; the sum is an output."""
    given, skip = node.given(0), node.given(3)
    if not node.attribute("channels_last", 1):
        raise node.refusal("channels in the last axis", "channels_last = 0")
    other = node.reshape(skip.name, skip.shape[0], 1, 1, skip.shape[1]) if skip.rank == 2 else skip.name
    total = node.add("Add", given.name, other, label="sum")
    total = node.add("Add", total, node.x(4), label="sum") if node.has(4) else total
    node.result(0, by_group(node, total))
    node.result(1, total)
