"""A layer as its weights, whoever wrote them; and those of a network that was read out of a shader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.mpv.network.network import Network

KINDS = ("weight", "bias", "slope")


@dataclass(frozen=True)
class WeightLayer:
    """`weights` by kind: `weight` [filters, channels, height, width], `bias` [filters], `slope` (of PRelu) [filters].

    `lines` has of those that stand in a shader the lines, in the same shapes.
    """

    name: str
    weights: Mapping[str, NDArray[Any]]
    lines: Mapping[str, NDArray[np.int32]] = field(default_factory=dict)

    @property
    def filters(self) -> int:
        """How many channels it makes."""
        return int(self.weights["weight"].shape[0])

    @property
    def reads(self) -> tuple[int, ...]:
        """Channels, height and width that each filter reads."""
        return tuple(self.weights["weight"].shape[1:])

    @property
    def count(self) -> int:
        """How many numbers it has."""
        return sum(value.size for value in self.weights.values())


def layers_of(network: Network) -> list[WeightLayer]:
    """The network's layers in the order of its blocks; blocks without weights are none.

    Channels that lie in the texels of one another (several texels for one pixel) are taken apart as the frameworks
    count them: texel by texel, lane by lane.
    """
    nodes = {node.input[1]: node for node in network.model.graph.node if node.op_type == "Conv"}
    spread = {node.input[0]: _spread(node) for node in network.model.graph.node if _is_spread(node)}
    layers = []
    for block, names in network.of_block.items():
        weights = next((name for name in names if name in nodes), None)
        if weights is None:
            continue
        node = nodes[weights]
        strides = next((tuple(each.ints) for each in node.attribute if each.name == "strides"), (1, 1))
        pixels = spread.get(_behind(network, node.output[0]), (1, 1))
        kinds = {name.rsplit(".", 1)[1]: name for name in names}
        kinds = {kind: name for kind, name in kinds.items() if kind in KINDS}
        values = {kind: network.constants[name] for kind, name in kinds.items()}
        lines = {kind: network.lines[name] for kind, name in kinds.items()}
        layers.append(WeightLayer(block, _by_pixel(values, strides, pixels), _by_pixel(lines, strides, pixels)))
    return layers


def _is_spread(node: Any) -> bool:
    return bool(node.op_type == "DepthToSpace" or (node.op_type == "ConvTranspose" and "places" in node.input[1]))


def _spread(node: Any) -> tuple[int, int]:
    """Pixels (height, width) that a texel of the node's input becomes."""
    for each in node.attribute:
        if each.name == "blocksize":
            return each.i, each.i
        if each.name == "strides":
            return each.ints[0], each.ints[1]
    return 1, 1


def _behind(network: Network, tensor: str) -> str:
    """The tensor, or what an activation makes of it."""
    for node in network.model.graph.node:
        if tensor in node.input and node.op_type in ("Relu", "PRelu", "Clip"):
            return str(node.output[0])
    return tensor


def _by_pixel(
    values: Mapping[str, NDArray[Any]], strides: Sequence[int], pixels: Sequence[int]
) -> dict[str, NDArray[Any]]:
    result = {}
    for kind, value in values.items():
        flat = value if kind == "weight" else value.reshape(-1)
        per = int(np.prod(pixels))
        if len(flat) % per == 0:
            flat = np.moveaxis(flat.reshape(-1, per, *flat.shape[1:]), 1, 0).reshape(flat.shape)
        result[kind] = _folded(flat, strides) if kind == "weight" else flat
    return result


def _folded(weight: NDArray[Any], strides: Sequence[int]) -> NDArray[Any]:
    """[filters, channels, height, width] over texels as [filters, texels·channels, height/s, width/s] over pixels."""
    filters, channels, height, width = weight.shape
    y, x = strides
    if height % y or width % x:
        return weight
    parts = weight.reshape(filters, channels, height // y, y, width // x, x)
    return parts.transpose(0, 3, 5, 1, 2, 4).reshape(filters, y * x * channels, height // y, width // x)
