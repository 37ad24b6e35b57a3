"""softmax: four shaders in a row, whichever of them is opened."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from texelscope.pipeline.dialects.ncnn.layers.base import (
    BLOB_DEFAULTS,
    Blob,
    LayerDispatch,
    LayerParameters,
    NcnnLayer,
    SizedLayer,
    in_groups,
    work_of,
)
from texelscope.pipeline.dialects.ncnn.layers.meaning import Meaning
from texelscope.pipeline.dialects.ncnn.layers.names import ShaderName
from texelscope.pipeline.errors import TexelscopeError


class SoftmaxLayer(NcnnLayer):
    """Along `axis` of c, h, w: 1 (rows) or 2 (columns), and 0 (channels) where they are not packed."""

    families = ("softmax_reduce_max", "softmax_exp_sub_max", "softmax_reduce_sum", "softmax_div_sum")
    defaults = MappingProxyType({**BLOB_DEFAULTS, "axis": 2})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """The largest, the exponentials of what is left, their sum, and the quotient."""
        axis = values["axis"]
        valid = (0, 1, 2) if name.pack == 1 else (1, 2)
        if axis not in valid:
            raise TexelscopeError(
                f"{name.stem}.comp axis", f"one of {', '.join(map(str, valid))}", str(axis), "Set another one."
            )
        shape = values.shape()
        blob = Blob(shape, name.pack)
        kept = tuple(1 if place == axis + 1 else size for place, size in enumerate(shape))
        rest = Blob(kept, name.pack, "rows")
        in_groups(name, [blob])
        nodes = (
            Meaning("ReduceMax", ("x", "axes"), "max", {"keepdims": 1}),
            Meaning("Sub", ("x", "max"), "below"),
            Meaning("Exp", ("below",), "powers"),
            Meaning("ReduceSum", ("powers", "axes"), "sum", {"keepdims": 1}),
            Meaning("Div", ("powers", "sum"), "y"),
        )
        own, sizes = {"axis": axis}, {"": "x", "out": "max"}
        whole, few = work_of(blob), work_of(rest)
        steps = (
            LayerDispatch("softmax_reduce_max", "max", {"bottom_top_blob": "x", "max_workspace": "max"}, few, sizes, own),
            LayerDispatch(
                "softmax_exp_sub_max", "powers", {"bottom_blob": "x", "top_blob": "powers", "max_workspace": "max"},
                whole, sizes, own, "x",
            ),
            LayerDispatch("softmax_reduce_sum", "sum", {"bottom_top_blob": "powers", "sum_workspace": "sum"}, few, sizes, own),
            LayerDispatch(
                "softmax_div_sum", "y", {"bottom_blob": "powers", "top_blob": "y", "sum_workspace": "sum"},
                whole, sizes, own, "powers",
            ),
        )  # fmt: skip
        blobs = {"x": blob, "max": rest, "powers": blob, "sum": rest, "y": blob}
        return SizedLayer(nodes, blobs, ("x",), steps, {"axes": np.array([axis + 1])})


LAYERS = (SoftmaxLayer(),)
