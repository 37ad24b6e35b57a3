"""Imputer: other numbers in place of one that stands for what is missing."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "Imputer"


def write(node: Writer) -> None:
    """X [N, C]; one number for all columns, or one for each."""
    kind = "int64s" if node.given(0).dtype == "int64" else "floats"
    dtype = "int64" if kind == "int64s" else "float32"
    missing = node.attribute(f"replaced_value_{kind[:-1]}", 0)
    others = node.constant(node.required(f"imputed_value_{kind}"), dtype, label="imputed")
    if dtype == "float32" and np.isnan(missing):
        where = node.add("IsNaN", node.x(0), label="missing")
    else:
        where = node.add("Equal", node.x(0), node.constant(missing, dtype, label="replaced"), label="missing")
    node.result(0, node.add("Where", where, others, node.x(0)))
