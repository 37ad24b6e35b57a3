"""Expands Unique of com.microsoft: the distinct elements in order of appearance, each one's index, and their counts."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "Unique"


def write(node: Writer) -> None:
    """Takes X [k]; the number of distinct elements must be known before the run."""
    distinct, _, places, counts = node.add_several(
        "Unique", node.x(0), labels=("distinct", "first", "places", "counts"), sorted=0
    )
    for position, found in enumerate((distinct, places, counts)):
        node.result(position, found)
