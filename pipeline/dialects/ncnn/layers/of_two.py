"""Layers of two blobs: binaryop, eltwise, concat."""

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

# op_type of ncnn's BinaryOp and Eltwise.
BINARY = {0: "Add", 1: "Sub", 2: "Mul", 4: "Max", 5: "Min"}
ELTWISE = {0: "Mul", 1: "Add", 2: "Max"}


def _operator(layer: str, names: dict[int, str], number: int) -> str:
    if number not in names:
        valid = ", ".join(f"{each} ({operator})" for each, operator in names.items())
        raise TexelscopeError(f"{layer} op_type", f"one of {valid}", str(number), "Set another one.")
    return names[number]


class BinaryOp(NcnnLayer):
    """Two blobs of one shape."""

    families = ("binaryop",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "op_type": 0})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """One node."""
        blob = Blob(values.shape(), name.pack)
        in_groups(name, [blob])
        nodes = (Meaning(_operator("binaryop", BINARY, values["op_type"]), ("a", "b"), "y"),)
        step = LayerDispatch(
            "binaryop",
            "y",
            {"a_blob": "a", "b_blob": "b", "top_blob": "y"},
            work_of(blob),
            {"a": "a", "b": "b", "out": "y"},
            {"op_type": values["op_type"]},
        )
        return SizedLayer(nodes, {"a": blob, "b": blob, "y": blob}, ("a", "b"), (step,))


class Eltwise(NcnnLayer):
    """Two blobs of one shape, without coefficients."""

    families = ("eltwise",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "op_type": 1})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """One node."""
        blob = Blob(values.shape(), name.pack)
        in_groups(name, [blob])
        nodes = (Meaning(_operator("eltwise", ELTWISE, values["op_type"]), ("a", "b"), "y"),)
        bound = {"bottom_blob1": "a", "bottom_blob2": "b", "top_blob": "y"}
        own = {"op_type": values["op_type"], "coeff_term": 0, "coeff0": 1, "coeff1": 1}
        step = LayerDispatch("eltwise", "y", bound, work_of(blob), {"": "y"}, own)
        return SizedLayer(nodes, {"a": blob, "b": blob, "y": blob}, ("a", "b"), (step,))


class ConcatLayer(NcnnLayer):
    """Two blobs along the channels: a dispatch each, the second one's result starts as that of the first."""

    families = ("concat",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "more_channels": 8})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """What the first dispatch leaves is its blob with zeros behind; the second's nodes take the blob from there."""
        if name.pack != name.out_pack:
            raise TexelscopeError(
                f"{name.stem}.comp", "a shader that keeps the pack", f"{name.pack} to {name.out_pack}",
                "Describe it in a pipeline.toml with a compute pass.",
            )  # fmt: skip
        _, C, H, W = values.shape()
        more = values["more_channels"]
        first, second = Blob((1, C, H, W), name.pack), Blob((1, more, H, W), name.pack)
        top = Blob((1, C + more, H, W), name.pack)
        in_groups(name, [first, second, top])
        nodes = (
            Meaning("Pad", ("a", "pads"), "begun"),
            Meaning("Slice", ("begun", "start", "stop", "axis"), "again"),
            Meaning("Concat", ("again", "b"), "y", {"axis": 1}),
        )
        constants = {
            "pads": np.array([0, 0, 0, 0, 0, more, 0, 0]), "start": np.array([0]), "stop": np.array([C]),
            "axis": np.array([1]),
        }  # fmt: skip
        steps = tuple(
            LayerDispatch(
                "concat",
                result,
                {"bottom_blob": source, "top_blob": result},
                work_of(blob),
                {"": source, "out": result},
                {"axis": 0, "offset": offset},
                start,
            )
            for source, blob, result, offset, start in (
                ("a", first, "begun", 0, "zeros"),
                ("b", second, "y", C // name.pack, "begun"),
            )
        )
        blobs = {"a": first, "b": second, "zeros": top, "begun": top, "y": top}
        zeros = np.zeros(top.shape, dtype=np.float32)
        return SizedLayer(nodes, blobs, ("a", "b"), steps, constants, {"zeros": zeros})


LAYERS = (BinaryOp(), Eltwise(), ConcatLayer())
