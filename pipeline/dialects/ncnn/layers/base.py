"""Defines what a layer describes: inputs and results of its shaders, and the equivalent ONNX nodes.

Source of every layer's bindings, constants and dispatch: `src/layer/vulkan/*_vulkan.cpp` of ncnn.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
import onnx
from numpy.typing import NDArray

from texelscope.layouts.grid import ceil_div
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Shape
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.plan import Tolerance

PACKS = (1, 4, 8)
_PACK = re.compile(r"_pack(?P<pack>[148])(?:to(?P<out>[148]))?(?=_|$)")
# Variants of a layer whose names follow the pack: convolution_pack4_1x1s1d1.
_PACK_BEFORE = re.compile(r"(?P<layer>(?:de)?convolution(?:1d)?)(?P<kind>_(?:1x1s1d1|gemm|col2im|3x3s1d1\w*))")


@dataclass(frozen=True)
class ShaderName:
    """Holds a parsed name; `family` lacks the packs: `convolution_1x1s1d1` of convolution_pack4to8_1x1s1d1."""

    family: str
    pack: int = 1
    out_pack: int = 1
    stem: str = ""

    @property
    def suffix(self) -> str:
        """Returns the packs in the name: `_pack4`, `_pack4to8`, empty for single channels."""
        match = _PACK.search(self.stem)
        return match[0] if match is not None else ""


def named(path: Path | str) -> ShaderName:
    """Parses the name of a file."""
    stem = Path(path).stem
    match = _PACK.search(stem)
    if match is None:
        return ShaderName(stem, stem=stem)
    pack = int(match["pack"])
    return ShaderName(stem[: match.start()] + stem[match.end() :], pack, int(match["out"] or pack), stem)


def sibling(path: Path, pack: int) -> Path:
    """Returns the file of the same layer for that elempack, in and out, which ncnn's tree has in the same folder."""
    family, said = named(path).family, f"_pack{pack}" if pack > 1 else ""
    match = _PACK_BEFORE.fullmatch(family)
    stem = f"{match['layer']}{said}{match['kind']}" if match is not None else family + said
    return path.with_name(stem + path.suffix)


_OPSET = 18


@dataclass(frozen=True)
class Meaning:
    """Describes one ONNX node: operator, names of its inputs and outputs, attributes."""

    operator: str
    inputs: tuple[str, ...]
    output: str
    attributes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def graph_of_layer(
    name: str,
    nodes: Sequence[Meaning],
    inputs: Mapping[str, Shape],
    output: str,
    constants: Mapping[str, NDArray[Any]],
) -> Graph:
    """Returns the graph of those nodes, each named after its output."""
    message = onnx.helper.make_graph(
        [
            onnx.helper.make_node(each.operator, list(each.inputs), [each.output], each.output, **each.attributes)
            for each in nodes
        ],
        name,
        [onnx.helper.make_tensor_value_info(each, onnx.TensorProto.FLOAT, shape) for each, shape in inputs.items()],
        [onnx.helper.make_tensor_value_info(output, onnx.TensorProto.FLOAT, None)],
        [onnx.numpy_helper.from_array(np.asarray(value), each) for each, value in constants.items()],
    )
    model = onnx.helper.make_model(message, opset_imports=[onnx.helper.make_opsetid("", _OPSET)])
    model.ir_version = 9
    return graph_of(model, name, {})


# A blob with channels (dims 3), rows of packed channels or of a single one, without alignment (dims 2), a vector
# (dims 1), packed weights.
Kind = Literal["blob", "rows", "vector", "weights"]
Size = tuple[int, int, int]


@dataclass(frozen=True)
class Blob:
    """Describes a tensor in a shader: `pack` channels per packed element; for weights the input's, and `out_pack`.

    `shape` is the logical one: N, C, H, W of a blob and of rows, [1, C] of a vector, [O, I, …] of weights. As an image
    these have inputs along y and outputs along z, or, where they are `flat`, outputs along y.
    """

    shape: Shape
    pack: int = 1
    kind: Kind = "blob"
    out_pack: int = 1
    flat: bool = False

    @property
    def numbers(self) -> int:
        """The count of numbers in one packed element."""
        return self.pack * self.out_pack

    @property
    def whd_c(self) -> tuple[int, int, int, int, int]:
        """Returns dims, w, h, d and c as ncnn counts them, in packed elements."""
        if self.kind == "vector":
            return 1, self.shape[-1] // self.pack, 1, 1, 1
        _, C, H, W = self.shape
        if self.kind == "rows":
            return (2, W, H, 1, 1) if C == 1 else (2, H * W, C // self.pack, 1, 1)
        return 3, W, H, 1, C // self.pack


@dataclass(frozen=True)
class LayerDispatch:
    """Describes one dispatch. `shader` is the family in its file's name; the file has the target's packs.

    `bound` names the blob behind each block, image and sampler, by ncnn's name without `_3d`; a `bottom_top_blob` that
    is not among them is changed in place, `bottom_blob` into `top_blob`. `sizes` says whose dims, w, h, d, c and cstep
    the constants of each prefix are, `values` what other constants are. `work` is what is dispatched along x, y and z.
    """

    shader: str
    output: str
    bound: Mapping[str, str]
    work: Size
    sizes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    values: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    starts_as: str = ""
    local_size: Size = (4, 4, 4)


@dataclass(frozen=True)
class SizedLayer:
    """Describes a layer with all sizes: ONNX nodes, tensors (inputs, weights, results) and dispatches in order.

    `constants` are those of the nodes, `given` those that only shaders read, as [1, C] or as a blob. `tolerance`
    replaces the rounding bound at 32 bits where a shader, or the driver, approximates.
    """

    nodes: tuple[Meaning, ...]
    blobs: Mapping[str, Blob]
    inputs: tuple[str, ...]
    steps: tuple[LayerDispatch, ...]
    constants: Mapping[str, NDArray[Any]] = field(default_factory=lambda: MappingProxyType({}))
    given: Mapping[str, NDArray[np.float32]] = field(default_factory=lambda: MappingProxyType({}))
    tolerance: Tolerance | None = None


# The most numbers of a tensor.
_MOST_WEIGHTS = 1 << 26


class LayerParameters:
    """Holds the parameters of a layer: set by the user, else the layer's defaults."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> int:
        return int(self._values[name])

    def number(self, name: str) -> float:
        """Returns a parameter that need not be whole."""
        return float(self._values[name])

    def shape(self) -> Shape:
        """Returns 1, channels, height, width."""
        return 1, self["channels"], self["height"], self["width"]


class NcnnLayer(ABC):
    """Base of all layers. `families` are the names of its shaders without packs, `defaults` its parameters."""

    families: ClassVar[tuple[str, ...]]
    defaults: ClassVar[Mapping[str, float]]

    @abstractmethod
    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the layer with those parameters, for the packs in the shader's name."""


BLOB_DEFAULTS: Mapping[str, float] = MappingProxyType({"channels": 16, "height": 9, "width": 7})


def work_of(blob: Blob) -> Size:
    """Returns w, h and c: what ncnn dispatches over a blob."""
    _, w, h, d, c = blob.whd_c
    return w, h * d, c


def in_groups(name: ShaderName, blobs: Iterable[Blob]) -> None:
    """Raises TexelscopeError unless every blob's channels fill whole packed elements, as in ncnn."""
    for blob in blobs:
        channels = blob.shape[-1] if blob.kind == "vector" else blob.shape[1]
        if blob.kind != "weights" and channels % blob.pack:
            raise TexelscopeError(
                f"{name.stem}.comp", f"channels in groups of {blob.pack}", f"{channels}",
                f"Set channels to {ceil_div(channels, blob.pack) * blob.pack}.",
            )  # fmt: skip


def noise(seed: int, *shape: int) -> NDArray[np.float32]:
    """Generates weights: normal, by seed; numbers of 16 bits, so that every mode has the same.

    Raises TexelscopeError if they exceed the memory limit.
    """
    if math.prod(shape) > _MOST_WEIGHTS:
        raise TexelscopeError(
            "--param",
            f"sizes that make at most {_MOST_WEIGHTS} weights",
            " x ".join(map(str, shape)),
            "Set smaller ones.",
        )
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float16).astype(np.float32)


def elementwise(
    nodes: tuple[Meaning, ...],
    name: ShaderName,
    values: LayerParameters,
    constants: Mapping[str, float],
    tolerance: Tolerance | None = None,
) -> SizedLayer:
    """Returns a layer that changes each element of a blob alone, in place."""
    blob = Blob(values.shape(), name.pack)
    in_groups(name, [blob])
    step = LayerDispatch(
        name.family,
        "y",
        {"bottom_blob": "x", "top_blob": "y"},
        work_of(blob),
        {"": "x"},
        MappingProxyType({**constants}),
        "x",
    )
    return SizedLayer(nodes, {"x": blob, "y": blob}, ("x",), (step,), tolerance=tolerance)
