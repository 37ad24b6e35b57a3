"""Unique of com.microsoft: the distinct elements as they come, where each is among them, and how often it comes."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "Unique"


def write(node: Writer) -> None:
    """X [k]; how many there are has to be known before the run."""
    distinct, _, places, counts = node.add_several(
        "Unique", node.x(0), labels=("distinct", "first", "places", "counts"), sorted=0
    )
    for position, found in enumerate((distinct, places, counts)):
        node.result(position, found)
