"""FeatureVectorizer: the inputs' columns side by side."""

from __future__ import annotations

import math

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "FeatureVectorizer"


def write(node: Writer) -> None:
    """Any number of inputs [N, C] or [N]; of each the first `inputdimensions` columns."""
    sizes = node.attribute("inputdimensions", ())
    columns = []
    for position in range(len(node.inputs)):
        given = node.given(position)
        part = node.reshape(given.name, given.shape[0], -1, label=f"part{position}") if given.rank != 2 else given.name
        width = math.prod(given.shape[1:])
        if sizes and int(sizes[position]) < width:
            ends = node.whole(int(sizes[position]), label="ends")
            part = node.add("Slice", part, node.whole(0, label="starts"), ends, node.whole(1, label="axes"))
        columns.append(part)
    node.result(0, node.add("Concat", *columns, axis=1))
