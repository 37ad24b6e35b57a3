"""Describes layers that read neighbours or move elements: pooling, interp, padding, crop and two shuffles."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

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
    work_of,
)
from texelscope.pipeline.errors import TexelscopeError

_BOUND = {"bottom_blob": "x", "top_blob": "y"}
_SIZES = {"": "x", "out": "y"}


def _case(
    name: ShaderName,
    nodes: tuple[Meaning, ...],
    bottom: Blob,
    top: Blob,
    values: Mapping[str, float],
    constants: Mapping[str, NDArray[np.int64] | NDArray[np.float32]] | None = None,
) -> SizedLayer:
    """Returns one dispatch over the result."""
    if name.pack != name.out_pack:
        raise TexelscopeError(
            f"{name.stem}.comp", "a shader that keeps the pack", f"{name.pack} to {name.out_pack}",
            "Describe it in a pipeline.toml with a compute pass.",
        )  # fmt: skip
    in_groups(name, [bottom, top])
    # ncnn binds any buffer where no padding per channel is used.
    bound = {**_BOUND, "per_channel_pad_blob": "x"} if name.family == "padding" else _BOUND
    step = LayerDispatch(name.family, "y", bound, work_of(top), _SIZES, values)
    return SizedLayer(nodes, {"x": bottom, "y": top}, ("x",), (step,), constants or {})


class Pooling(NcnnLayer):
    """Takes the maximum (`pooling_type` 0) or average (1) over a window; ncnn pads before, with a separate layer."""

    families = ("pooling",)
    defaults = MappingProxyType(
        {**BLOB_DEFAULTS, "pooling_type": 0, "kernel_w": 3, "kernel_h": 3, "stride_w": 2, "stride_h": 2}
    )

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the case without windows that do not fit."""
        kernel, stride = (values["kernel_h"], values["kernel_w"]), (values["stride_h"], values["stride_w"])
        shape = values.shape()
        places = [(shape[2 + axis] - kernel[axis]) // stride[axis] + 1 for axis in range(2)]
        operator = "AveragePool" if values["pooling_type"] else "MaxPool"
        node = Meaning(operator, ("x",), "y", {"kernel_shape": kernel, "strides": stride})
        own = {each: values[each] for each in ("pooling_type", "kernel_w", "kernel_h", "stride_w", "stride_h")}
        top = Blob((1, shape[1], *places), name.pack)
        return _case(name, (node,), Blob(shape, name.pack), top, {**own, "wtailpad": 0, "htailpad": 0})


class GlobalPooling(NcnnLayer):
    """Is pooling_adaptive to one element per channel."""

    families = ("pooling_adaptive",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "pooling_type": 1})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the case with the whole channel as the window."""
        shape = values.shape()
        node = Meaning("GlobalAveragePool" if values["pooling_type"] else "GlobalMaxPool", ("x",), "y")
        top = Blob((1, shape[1], 1, 1), name.pack)
        return _case(name, (node,), Blob(shape, name.pack), top, {"pooling_type": values["pooling_type"]})


class Interp(NcnnLayer):
    """Resizes to `outw` by `outh`: nearest (`resize_type` 1) or bilinear (2)."""

    families = ("interp",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "resize_type": 2, "outw": 14, "outh": 18})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the case; scales are sizes of the input over those of the output."""
        shape = values.shape()
        sizes = (1, shape[1], values["outh"], values["outw"])
        modes = {
            1: {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"},
            2: {"mode": "linear", "coordinate_transformation_mode": "half_pixel"},
        }
        if values["resize_type"] not in modes:
            raise TexelscopeError(
                "interp resize_type", "1 (nearest) or 2 (bilinear)", str(values["resize_type"]),
                "Bicubic has separate shaders.",
            )  # fmt: skip
        node = Meaning("Resize", ("x", "", "", "sizes"), "y", modes[values["resize_type"]])
        own = {
            "resize_type": values["resize_type"], "align_corner": 0,
            "scale_x": shape[3] / sizes[3], "scale_y": shape[2] / sizes[2],
        }  # fmt: skip
        return _case(name, (node,), Blob(shape, name.pack), Blob(sizes, name.pack), own, {"sizes": np.array(sizes)})


class Padding(NcnnLayer):
    """Adds a border of `value` (`type` 0), of the edge (1) or of a mirror (2)."""

    families = ("padding",)
    defaults = MappingProxyType(
        {**BLOB_DEFAULTS, "type": 0, "value": 0.25, "left": 1, "right": 2, "top": 3, "bottom": 1}
    )

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the case for rows and columns."""
        n, c, h, w = values.shape()
        left, right, top, bottom = (values[each] for each in ("left", "right", "top", "bottom"))
        if values["type"] not in (0, 1, 2):
            raise TexelscopeError(
                "padding type", "0 (a value), 1 (the edge) or 2 (a mirror)", str(values["type"]), "Set another one."
            )
        mode = ("constant", "edge", "reflect")[values["type"]]
        node = Meaning("Pad", ("x", "pads", *(("value",) if values["type"] == 0 else ())), "y", {"mode": mode})
        constants = {"pads": np.array([0, 0, top, left, 0, 0, bottom, right])}
        if values["type"] == 0:
            constants["value"] = np.array(values.number("value"), dtype=np.float32)
        own = {"type": values["type"], "value": values.number("value"), "left": left, "top": top, "front": 0}
        top_blob = Blob((n, c, h + top + bottom, w + left + right), name.pack)
        return _case(name, (node,), Blob((n, c, h, w), name.pack), top_blob, own, constants)


class Crop(NcnnLayer):
    """Cuts out `outw` by `outh` from (`woffset`, `hoffset`) on."""

    families = ("crop",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "woffset": 2, "hoffset": 3, "outw": 4, "outh": 5})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the case for rows and columns."""
        n, c, h, w = values.shape()
        down, across, rows, columns = (values[each] for each in ("hoffset", "woffset", "outh", "outw"))
        node = Meaning("Slice", ("x", "starts", "ends", "axes"), "y")
        constants = {
            "starts": np.array([down, across]), "ends": np.array([down + rows, across + columns]),
            "axes": np.array([2, 3]),
        }  # fmt: skip
        own = {"woffset": across, "hoffset": down, "doffset": 0, "coffset": 0}
        return _case(
            name, (node,), Blob((n, c, h, w), name.pack), Blob((n, c, rows, columns), name.pack), own, constants
        )


class PixelShuffle(NcnnLayer):
    """Moves channels to places, `upscale_factor` along each axis; `mode` 0 as in PyTorch, 1 as in ONNX's DCR."""

    families = ("pixelshuffle",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "channels": 32, "upscale_factor": 2, "mode": 0})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns one node."""
        n, c, h, w = values.shape()
        factor = values["upscale_factor"]
        mode = "DCR" if values["mode"] else "CRD"
        node = Meaning("DepthToSpace", ("x",), "y", {"blocksize": factor, "mode": mode})
        top = Blob((n, c // factor**2, h * factor, w * factor), name.pack)
        own = {"upscale_factor": factor, "mode": values["mode"]}
        return _case(name, (node,), Blob((n, c, h, w), name.pack), top, own)


class ShuffleChannel(NcnnLayer):
    """Reorders channels: [group, c / group] transposed."""

    families = ("shufflechannel",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "group": 2})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns one node, a Gather along the channels."""
        shape = values.shape()
        order = np.arange(shape[1]).reshape(values["group"], -1).T.reshape(-1)
        node = Meaning("Gather", ("x", "order"), "y", {"axis": 1})
        blob = Blob(shape, name.pack)
        return _case(name, (node,), blob, blob, {"group": values["group"]}, {"order": order})


LAYERS = (Pooling(), GlobalPooling(), Interp(), Padding(), Crop(), PixelShuffle(), ShuffleChannel())
