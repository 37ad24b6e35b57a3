"""Describes layers by their weights, from a shader's network or a named model: ONNX, or Keras in HDF5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.mpv.network.network import Network
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.model_file.message import array_of, read

KINDS = ("weight", "bias", "slope")


@dataclass(frozen=True)
class WeightLayer:
    """Has `weights` by kind: `weight` [filters, channels, height, width], `bias` [filters], PRelu's `slope` [filters].

    `lines` has the lines of those in a shader, in the same shapes.
    """

    name: str
    weights: Mapping[str, NDArray[Any]]
    lines: Mapping[str, NDArray[np.int32]] = field(default_factory=dict)

    @property
    def filters(self) -> int:
        """Returns the number of its output channels."""
        return int(self.weights["weight"].shape[0])

    @property
    def reads(self) -> tuple[int, ...]:
        """Returns channels, height and width that each filter reads."""
        return tuple(self.weights["weight"].shape[1:])

    @property
    def count(self) -> int:
        """Counts its numbers."""
        return sum(value.size for value in self.weights.values())


def layers_of(network: Network) -> list[WeightLayer]:
    """Returns the network's layers in the order of its blocks; blocks without weights are skipped.

    Channels of several pixels in one texel are separated in the frameworks' order:
    texel by texel, lane by lane.
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
    """Returns the pixels (height, width) that a texel of the node's input becomes."""
    for each in node.attribute:
        if each.name == "blocksize":
            return each.i, each.i
        if each.name == "strides":
            return each.ints[0], each.ints[1]
    return 1, 1


def _behind(network: Network, tensor: str) -> str:
    """Returns the tensor, or the result of an activation of it."""
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
    """Folds [filters, channels, height, width] of texels to [filters, texels·channels, height/s, width/s] of pixels."""
    filters, channels, height, width = weight.shape
    y, x = strides
    if height % y or width % x:
        return weight
    parts = weight.reshape(filters, channels, height // y, y, width // x, x)
    return parts.transpose(0, 3, 5, 1, 2, 4).reshape(filters, y * x * channels, height // y, width // x)


KERAS = (".h5", ".hdf5", ".keras")
_KERNELS = ("kernel", "kernel:0")
_BIASES = ("bias", "bias:0")
_SLOPES = ("alpha", "alpha:0")
# The most elements of an array in a Keras file, which may claim any size.
_MOST_BYTES = 1 << 28


def constants_of(path: Path) -> Mapping[str, NDArray[Any]]:
    """Reads the weights of an ONNX model by name. Raises TexelscopeError for a file that is none."""
    model, name = read(path)
    constants = {each.name: array_of(each, name) for each in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant":
            value = next((each.t for each in node.attribute if each.name == "value"), None)
            if value is not None:
                constants[node.output[0]] = array_of(value, name)
    return constants


def layers_in(path: Path) -> list[WeightLayer]:
    """Reads the convolutions of a model in order, each with the slope of the PRelu after it.

    Raises TexelscopeError for an unreadable file, and for one without a convolution.
    """
    layers = _of_keras(path) if path.suffix.lower() in KERAS else _of_onnx(path)
    if not layers:
        raise TexelscopeError(path.name, "a model with convolutions", "one without", "Name another.")
    return layers


def _of_onnx(path: Path) -> list[WeightLayer]:
    model, _ = read(path)
    constants = constants_of(path)
    layers: list[WeightLayer] = []
    for node in model.graph.node:
        known = [constants.get(each) for each in node.input[1:]]
        if node.op_type == "Conv" and known and known[0] is not None:
            weights = {"weight": known[0]}
            if len(known) > 1 and known[1] is not None:
                weights["bias"] = known[1]
            layers.append(WeightLayer(node.name or node.output[0], weights))
        elif node.op_type == "PRelu" and layers and known and known[0] is not None:
            last = layers[-1]
            slope = np.broadcast_to(known[0].reshape(-1), (last.filters,)) if known[0].size == 1 else known[0]
            layers[-1] = WeightLayer(last.name, {**last.weights, "slope": slope.reshape(-1)})
    return layers


def _of_keras(path: Path) -> list[WeightLayer]:
    try:
        import h5py  # a library for a rare kind of file
    except ImportError as error:
        raise TexelscopeError(
            str(path), "the library h5py, which reads Keras files", "none", "Install it: pip install h5py."
        ) from error
    try:
        with h5py.File(path, "r") as file:
            root = file.get("model_weights", file)
            names = [_text(each) for each in root.attrs.get("layer_names", list(root))]
            return _with_slopes([(name, _arrays(root[name])) for name in names])
    except (OSError, KeyError, ValueError) as error:
        raise TexelscopeError(
            str(path), "weights as Keras saves them in HDF5", str(error), "Save it with model.save('x.h5')."
        ) from error


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _arrays(group: Any) -> dict[str, NDArray[Any]]:
    """Yields every array below a group by the last part of its name."""
    found: dict[str, NDArray[Any]] = {}

    def visit(name: str, item: Any) -> None:
        if hasattr(item, "shape"):
            if item.size * item.dtype.itemsize > _MOST_BYTES:
                raise ValueError(f"'{name}' of {item.size} numbers")
            found[name.rsplit("/", 1)[-1]] = np.asarray(item)

    group.visititems(visit)
    return found


def _with_slopes(entries: list[tuple[str, dict[str, NDArray[Any]]]]) -> list[WeightLayer]:
    layers: list[WeightLayer] = []
    for name, arrays in entries:
        kernel = next((arrays[key] for key in _KERNELS if key in arrays), None)
        bias = next((arrays[key] for key in _BIASES if key in arrays), None)
        slope = next((arrays[key] for key in _SLOPES if key in arrays), None)
        if kernel is not None and kernel.ndim == 4:
            weights = {"weight": kernel.transpose(3, 2, 0, 1)}
            layers.append(WeightLayer(name, weights if bias is None else {**weights, "bias": bias}))
        elif slope is not None and layers and slope.size == layers[-1].filters:
            layers[-1] = WeightLayer(layers[-1].name, {**layers[-1].weights, "slope": slope.reshape(-1)})
    return layers
