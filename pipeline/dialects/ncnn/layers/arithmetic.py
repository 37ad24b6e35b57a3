"""Describes layers of two blobs (binaryop, eltwise, concat), or of one and numbers per channel."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from texelscope.pipeline.dialects.ncnn.layers.base import (
    BLOB_DEFAULTS,
    Blob,
    LayerDispatch,
    LayerParameters,
    Meaning,
    NcnnLayer,
    ShaderName,
    SizedLayer,
    in_groups,
    noise,
    work_of,
)
from texelscope.pipeline.errors import TexelscopeError


class BatchNorm(NcnnLayer):
    """Computes y = b·x + a, with b = scale / √(var + eps), a = bias - b·mean."""

    families = ("batchnorm",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "eps": 1e-5})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the case; what ncnn folds is noise of 16 bits, as a mean much larger than the bias would cancel."""
        channels = values["channels"]
        b, a, mean, spread = (noise(seed, channels).astype(np.float64) for seed in range(4))
        a, mean, var = (a + np.copysign(1, a)).astype(np.float16).astype(np.float64), mean / 16, np.abs(spread) + 0.5
        statistics = {"scale": b * np.sqrt(var + values.number("eps")), "bias": a + b * mean, "mean": mean, "var": var}
        blob, vector = Blob(values.shape(), name.pack), Blob((1, channels), name.pack, "vector")
        in_groups(name, [blob])
        nodes = (
            Meaning(
                "BatchNormalization", ("x", "scale", "bias", "mean", "var"), "y", {"epsilon": values.number("eps")}
            ),
        )
        step = LayerDispatch(
            "batchnorm", "y", {"bottom_blob": "x", "top_blob": "y", "a": "a", "b": "b"}, work_of(blob), {"": "x"},
            starts_as="x",
        )  # fmt: skip
        return SizedLayer(
            nodes,
            {"x": blob, "y": blob, "a": vector, "b": vector},
            ("x",),
            (step,),
            {each: value.astype(np.float32) for each, value in statistics.items()},
            {"a": a.astype(np.float32)[None], "b": b.astype(np.float32)[None]},
        )


class ScaleLayer(NcnnLayer):
    """Computes y = x·scale + bias."""

    families = ("scale",)
    defaults = BLOB_DEFAULTS

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the case with a bias."""
        channels = values["channels"]
        scale, bias = noise(0, channels), noise(1, channels)
        blob, vector = Blob(values.shape(), name.pack), Blob((1, channels), name.pack, "vector")
        in_groups(name, [blob])
        nodes = (Meaning("Mul", ("x", "scales"), "scaled"), Meaning("Add", ("scaled", "biases"), "y"))
        bound = {"bottom_blob": "x", "top_blob": "y", "scale_blob": "scale", "bias_blob": "bias"}
        step = LayerDispatch("scale", "y", bound, work_of(blob), {"": "x"}, {"bias_term": 1}, "x")
        return SizedLayer(
            nodes,
            {"x": blob, "y": blob, "scale": vector, "bias": vector},
            ("x",),
            (step,),
            {"scales": scale.reshape(-1, 1, 1), "biases": bias.reshape(-1, 1, 1)},
            {"scale": scale[None], "bias": bias[None]},
        )


class PRelu(NcnnLayer):
    """Computes y = x for x above 0, else slope·x, with a slope per channel."""

    families = ("prelu",)
    defaults = BLOB_DEFAULTS

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the case, with noise for slopes."""
        channels = values["channels"]
        slope = noise(0, channels)
        blob, vector = Blob(values.shape(), name.pack), Blob((1, channels), name.pack, "vector")
        in_groups(name, [blob])
        nodes = (Meaning("PRelu", ("x", "slopes"), "y"),)
        bound = {"bottom_blob": "x", "top_blob": "y", "slope_blob": "slope"}
        step = LayerDispatch("prelu", "y", bound, work_of(blob), {"": "x"}, {"num_slope": channels}, "x")
        return SizedLayer(
            nodes,
            {"x": blob, "y": blob, "slope": vector},
            ("x",),
            (step,),
            {"slopes": slope.reshape(-1, 1, 1)},
            {"slope": slope[None]},
        )


def _operator(layer: str, names: dict[int, str], number: int) -> str:
    if number not in names:
        valid = ", ".join(f"{each} ({operator})" for each, operator in names.items())
        raise TexelscopeError(f"{layer} op_type", f"one of {valid}", str(number), "Set another one.")
    return names[number]


# op_type of ncnn's BinaryOp and Eltwise.
BINARY = {0: "Add", 1: "Sub", 2: "Mul", 4: "Max", 5: "Min"}
ELTWISE = {0: "Mul", 1: "Add", 2: "Max"}


class BinaryOp(NcnnLayer):
    """Combines two blobs of one shape."""

    families = ("binaryop",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "op_type": 0})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns one node."""
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
    """Combines two blobs of one shape, without coefficients."""

    families = ("eltwise",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "op_type": 1})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns one node."""
        blob = Blob(values.shape(), name.pack)
        in_groups(name, [blob])
        nodes = (Meaning(_operator("eltwise", ELTWISE, values["op_type"]), ("a", "b"), "y"),)
        bound = {"bottom_blob1": "a", "bottom_blob2": "b", "top_blob": "y"}
        own = {"op_type": values["op_type"], "coeff_term": 0, "coeff0": 1, "coeff1": 1}
        step = LayerDispatch("eltwise", "y", bound, work_of(blob), {"": "y"}, own)
        return SizedLayer(nodes, {"a": blob, "b": blob, "y": blob}, ("a", "b"), (step,))


class ConcatLayer(NcnnLayer):
    """Joins two blobs along the channels: a dispatch each, the second one's result starts as that of the first."""

    families = ("concat",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "more_channels": 8})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns two dispatches: the first leaves its blob with zeros behind it, which the second's nodes read."""
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


LAYERS = (BatchNorm(), ScaleLayer(), PRelu(), BinaryOp(), Eltwise(), ConcatLayer())
