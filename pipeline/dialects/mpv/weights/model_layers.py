"""The layers of a model that somebody names: ONNX, or Keras in HDF5."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.mpv.weights.layer import WeightLayer
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.model_file.message import array_of, read

KERAS = (".h5", ".hdf5", ".keras")
_KERNELS = ("kernel", "kernel:0")
_BIASES = ("bias", "bias:0")
_SLOPES = ("alpha", "alpha:0")
# Of one array in a Keras file, which may claim any size.
_MOST_BYTES = 1 << 28


def constants_of(path: Path) -> Mapping[str, NDArray[Any]]:
    """The weights of an ONNX model by name. Raises TexelscopeError for a file that is none."""
    model, name = read(path)
    constants = {each.name: array_of(each, name) for each in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant":
            value = next((each.t for each in node.attribute if each.name == "value"), None)
            if value is not None:
                constants[node.output[0]] = array_of(value, name)
    return constants


def layers_in(path: Path) -> list[WeightLayer]:
    """The convolutions of a model in order, each with the slope of the PRelu behind it.

    Raises TexelscopeError for a file that cannot be read, and for one without a convolution.
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
        import h5py  # a library for one kind of file that few have
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
    """Every array below a group by the last part of its name."""
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
