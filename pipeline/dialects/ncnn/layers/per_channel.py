"""Layers with a number or two a channel: batchnorm, scale, prelu."""

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
    noise,
    work_of,
)
from texelscope.pipeline.dialects.ncnn.layers.meaning import Meaning
from texelscope.pipeline.dialects.ncnn.layers.names import ShaderName


class BatchNorm(NcnnLayer):
    """y = b·x + a, with b = scale / √(var + eps), a = bias - b·mean."""

    families = ("batchnorm",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "eps": 1e-5})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """What ncnn folds them to is noise of 16 bits; a mean that is large beside the bias would cancel in it."""
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
    """y = x·scale + bias."""

    families = ("scale",)
    defaults = BLOB_DEFAULTS

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """With a bias."""
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
    """y = x for x above 0, else slope·x, a slope a channel."""

    families = ("prelu",)
    defaults = BLOB_DEFAULTS

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Slopes are noise."""
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


LAYERS = (BatchNorm(), ScaleLayer(), PRelu())
