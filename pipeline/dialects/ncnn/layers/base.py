"""What a layer says of itself: what its shaders are given and make, and the ONNX nodes that mean the same.

Source of every layer's bindings, constants and dispatch: `src/layer/vulkan/*_vulkan.cpp` of ncnn.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.grid import ceil_div
from texelscope.pipeline.dialects.ncnn.layers.meaning import Meaning
from texelscope.pipeline.dialects.ncnn.layers.names import ShaderName
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import Tolerance

# A blob with channels (dims 3), rows of packed channels or of a single one, without alignment (dims 2), a vector
# (dims 1), packed weights.
Kind = Literal["blob", "rows", "vector", "weights"]
Size = tuple[int, int, int]


@dataclass(frozen=True)
class Blob:
    """A tensor as a shader sees it: `pack` channels in a packed element; of weights those of the input, and `out_pack`.

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
        """Numbers in one packed element."""
        return self.pack * self.out_pack

    @property
    def whd_c(self) -> tuple[int, int, int, int, int]:
        """dims, w, h, d and c as ncnn counts them, in packed elements."""
        if self.kind == "vector":
            return 1, self.shape[-1] // self.pack, 1, 1, 1
        _, C, H, W = self.shape
        if self.kind == "rows":
            return (2, W, H, 1, 1) if C == 1 else (2, H * W, C // self.pack, 1, 1)
        return 3, W, H, 1, C // self.pack


@dataclass(frozen=True)
class LayerDispatch:
    """One dispatch. `shader` is the family of its file's name; the file has the target's packs.

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
    """A layer with all its sizes: ONNX nodes, tensors (inputs, weights, results) and dispatches in order.

    `constants` are those of the nodes, `given` those that shaders alone read, as [1, C] or as a blob. `tolerance`
    stands in for the rounding bound at 32 bits where a shader, or the driver, has an approximation of its own.
    """

    nodes: tuple[Meaning, ...]
    blobs: Mapping[str, Blob]
    inputs: tuple[str, ...]
    steps: tuple[LayerDispatch, ...]
    constants: Mapping[str, NDArray[Any]] = field(default_factory=lambda: MappingProxyType({}))
    given: Mapping[str, NDArray[np.float32]] = field(default_factory=lambda: MappingProxyType({}))
    tolerance: Tolerance | None = None


# Of one tensor.
_MOST_WEIGHTS = 1 << 26


class LayerParameters:
    """The parameters of a layer: what a person set, else the layer's own."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> int:
        return int(self._values[name])

    def number(self, name: str) -> float:
        """One that need not be whole."""
        return float(self._values[name])

    def shape(self) -> Shape:
        """1, channels, height, width."""
        return 1, self["channels"], self["height"], self["width"]


class NcnnLayer(ABC):
    """Base of all layers. `families` are the names of its shaders without packs, `defaults` its parameters."""

    families: ClassVar[tuple[str, ...]]
    defaults: ClassVar[Mapping[str, float]]

    @abstractmethod
    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """The layer with those parameters, for the packs that the shader's name says."""


BLOB_DEFAULTS: Mapping[str, float] = MappingProxyType({"channels": 16, "height": 9, "width": 7})


def work_of(blob: Blob) -> Size:
    """w, h and c: what ncnn dispatches over a blob."""
    _, w, h, d, c = blob.whd_c
    return w, h * d, c


def in_groups(name: ShaderName, blobs: Iterable[Blob]) -> None:
    """Raises TexelscopeError unless every blob's channels come in whole packed elements, as ncnn has them."""
    for blob in blobs:
        channels = blob.shape[-1] if blob.kind == "vector" else blob.shape[1]
        if blob.kind != "weights" and channels % blob.pack:
            raise TexelscopeError(
                f"{name.stem}.comp", f"channels in groups of {blob.pack}", f"{channels}",
                f"Set channels to {ceil_div(channels, blob.pack) * blob.pack}.",
            )  # fmt: skip


def noise(seed: int, *shape: int) -> NDArray[np.float32]:
    """Weights: normal, by seed; numbers of 16 bits, so that every mode has the same.

    Raises TexelscopeError for more of them than there is memory for.
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
    """A layer that changes a blob in place, each element by itself."""
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
