"""Reads ONNX files to checked messages: external data from inside the folder, tensors as large as stated.

A model is untrusted data: sizes are checked before memory is taken, and no path leads out of the
model's folder.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, TypeVar

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.model_file.apart import Bytes, parted
from texelscope.pipeline.model_file.asked_for import COPIES, check_asked, check_external
from texelscope.pipeline.model_file.local_functions import calls_itself, inlined
from texelscope.pipeline.quotas import hold
from texelscope.pipeline.untrusted_files import copy_file, opened, reason, size_of

# A protobuf message cannot be longer (https://protobuf.dev/programming-guides/proto-limits).
MAX_MESSAGE_BYTES = 2**31 - 1
_KNOWN = frozenset(onnx.TensorProto.DataType.values()) - {onnx.TensorProto.UNDEFINED}
# Types whose bytes in a file are those of numpy's arrays here; `onnx.numpy_helper` knows the others.
_PLAIN: Mapping[int, np.dtype[Any]] = MappingProxyType(
    {
        number: np.dtype(name)
        for number, name in (
            (onnx.TensorProto.FLOAT, "float32"),
            (onnx.TensorProto.FLOAT16, "float16"),
            (onnx.TensorProto.DOUBLE, "float64"),
            (onnx.TensorProto.INT8, "int8"),
            (onnx.TensorProto.UINT8, "uint8"),
            (onnx.TensorProto.INT32, "int32"),
            (onnx.TensorProto.INT64, "int64"),
        )
        if sys.byteorder == "little"
    }
)
_AGAIN = "Export or download it again."

Read = TypeVar("Read")


def read(source: Path | onnx.ModelProto) -> tuple[onnx.ModelProto, str]:
    """Reads the model, its data loaded and its functions inlined, and the name that errors call it by.

    Raises TexelscopeError for a file that is no model, that is truncated, or that lacks its external data.
    """
    if isinstance(source, onnx.ModelProto):
        return _checked(source, _name(source), None), _name(source)
    return _checked(_parse(source), source.name, source.parent), source.name


def read_apart(source: Path | onnx.ModelProto) -> tuple[onnx.ModelProto, str, Mapping[int, Bytes]]:
    """Reads the model as `read`, but for the bytes of large initializers: these come by their numbers, read-only."""
    if isinstance(source, onnx.ModelProto):
        return *read(source), {}
    found = _read_file(source, _parse_apart)
    if found is None:
        return *read(source), {}
    model, weights = found
    held = sum(each.nbytes for each in weights.values())
    return _checked(model, source.name, source.parent, held), source.name, weights


def _checked(model: onnx.ModelProto, name: str, folder: Path | None, held_bytes: int = 0) -> onnx.ModelProto:
    """Returns the model with its data loaded and its functions inlined; `held_bytes` of it are elsewhere."""
    if not model.graph.node or not model.opset_import:
        raise TexelscopeError(name, "an ONNX model with nodes", "a file without any", _AGAIN)
    check_asked(model, name)
    for entry in model.opset_import:
        _check_opset(entry, name)
    outside = [tensor for tensor in _tensors(model) if tensor.data_location == onnx.TensorProto.EXTERNAL]
    if outside:  # protobuf takes as long to count its bytes as to write them
        check_external(outside, folder, name, COPIES * (model.ByteSize() + held_bytes))
    for tensor in outside:
        _load_external(tensor, folder, name)
    return _inlined(model, name)


def _name(model: onnx.ModelProto) -> str:
    name: str | bytes = model.graph.name  # bytes where it is no UTF-8, which is refused later
    return name if isinstance(name, str) and name else "model"


def data_files(path: Path) -> tuple[Path, ...]:
    """Returns the files beside a model that hold its external data. Raises TexelscopeError as `read` does."""
    model = _parse(path)
    outside = [tensor for tensor in _tensors(model) if tensor.data_location == onnx.TensorProto.EXTERNAL]
    locations = dict.fromkeys(
        entry.value for tensor in outside for entry in tensor.external_data if entry.key == "location"
    )
    return tuple(_inside(path.parent, location, f"data of {path.name}") for location in locations)


def array_of(tensor: onnx.TensorProto, who: str, data: Bytes | None = None) -> NDArray[Any]:
    """Returns the tensor's value; `data` are its bytes where `read_apart` left them out.

    Raises TexelscopeError if its data do not fill its shape or its type is unknown.
    """
    what = f"tensor '{tensor.name}' ({who})"
    if any(size < 0 for size in tensor.dims):
        raise TexelscopeError(what, "sizes of at least 0", str(list(tensor.dims)), _AGAIN)
    if tensor.data_type not in _KNOWN:
        raise TexelscopeError(what, "a known element type", f"number {tensor.data_type}", _AGAIN)
    if data is not None and not tensor.HasField("raw_data"):  # of data beside the model, which replace these
        plain = _PLAIN.get(tensor.data_type) if not tensor.HasField("segment") else None
        if plain is not None and data.nbytes == math.prod(tensor.dims) * plain.itemsize:
            return data.view(plain).reshape(tuple(tensor.dims))
        tensor.raw_data = data.tobytes()
    try:
        return numpy_helper.to_array(tensor)
    except (TypeError, ValueError) as error:
        raise TexelscopeError(what, f"data of shape {list(tensor.dims)}", _held(tensor), _AGAIN) from error


def dense(sparse: onnx.SparseTensorProto, who: str) -> NDArray[Any]:
    """Returns a sparse initializer with its zeros. Raises TexelscopeError for indices outside its shape."""
    shape, what = tuple(sparse.dims), f"sparse tensor '{sparse.values.name}' ({who})"
    values, indices = array_of(sparse.values, who), array_of(sparse.indices, who)
    count = math.prod(shape)
    if any(size < 0 for size in shape):
        raise TexelscopeError(what, "sizes of at least 0", str(list(shape)), _AGAIN)
    hold(what, "memory_bytes", count * values.dtype.itemsize, " with its zeros")
    result = np.zeros(count, dtype=values.dtype)
    try:
        result[_linear(indices, shape)] = values.reshape(-1)
    except (IndexError, ValueError) as error:
        raise TexelscopeError(what, f"indices inside {list(shape)}", _first_line(error), _AGAIN) from error
    return result.reshape(shape)


def _linear(indices: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Returns linear indices [nnz] from those of the format: linear ones, or a row of places each [nnz, rank]."""
    if indices.ndim == 2:
        return np.asarray(np.ravel_multi_index(tuple(indices.T), shape))
    return indices


def _parse(path: Path) -> onnx.ModelProto:
    return _read_file(path, lambda file: onnx.load_model_from_string(file.read()))


def _parse_apart(file: BinaryIO) -> tuple[onnx.ModelProto, Mapping[int, Bytes]] | None:
    found = parted(file, size_of(file))
    return (onnx.load_model_from_string(found.message), found.weights) if found is not None else None


def _read_file(path: Path, read_it: Callable[[BinaryIO], Read]) -> Read:
    try:
        with opened(
            path, path.name, what="an ONNX file", most=MAX_MESSAGE_BYTES, if_larger="Use external data."
        ) as file:
            hold(path.name, "memory_bytes", COPIES * size_of(file), " for its constants")
            return read_it(file)
    except TexelscopeError:
        raise
    except Exception as error:
        raise TexelscopeError(path.name, "an ONNX model", "something else or a truncated file", _AGAIN) from error


def _check_opset(entry: onnx.OperatorSetIdProto, name: str) -> None:
    newest = onnx.defs.onnx_opset_version()
    if entry.domain in ("", "ai.onnx") and not 1 <= entry.version <= newest:
        raise UnsupportedError(
            name, f"an opset from 1 to {newest}", str(entry.version), "Convert it with onnx.version_converter."
        )


def _inlined(model: onnx.ModelProto, name: str) -> onnx.ModelProto:
    try:
        return inlined(model)
    except Exception as error:
        circle = calls_itself(model)
        got = f"'{circle}', which calls itself" if circle else "others"
        raise TexelscopeError(name, "functions that can be inlined", got, "Re-export the model.") from error


def _tensors(model: onnx.ModelProto) -> Iterator[onnx.TensorProto]:
    """Yields every tensor of the model: initializers and attributes, those of subgraphs and functions too."""
    yield from _tensors_of_graph(model.graph)
    for function in model.functions:
        yield from _tensors_of_nodes(function.node)


def _tensors_of_graph(graph: onnx.GraphProto) -> Iterator[onnx.TensorProto]:
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield from (sparse.values, sparse.indices)
    yield from _tensors_of_nodes(graph.node)


def _tensors_of_nodes(nodes: Iterable[onnx.NodeProto]) -> Iterator[onnx.TensorProto]:
    for node in nodes:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors
            for graph in (attribute.g, *attribute.graphs):
                yield from _tensors_of_graph(graph)


def _load_external(tensor: onnx.TensorProto, folder: Path | None, name: str) -> None:
    """Loads the data beside a model into the message. The file must lie inside the model's folder."""
    what = f"tensor '{tensor.name}' ({name})"
    if folder is None:
        raise TexelscopeError(
            what, "a model with its data", "external data", "Open the file, or load it with onnx.load."
        )
    entries = {entry.key: entry.value for entry in tensor.external_data}
    location = entries.get("location", "")
    path = _inside(folder, location, what)
    try:
        offset, length = int(entries.get("offset") or 0), int(entries.get("length") or -1)
    except ValueError as error:
        got = f"'{entries.get('offset', '')}' and '{entries.get('length', '')}'"
        raise TexelscopeError(what, "whole numbers as offset and length", got, _AGAIN) from error
    with opened(path, what, inside=folder) as file:
        available = size_of(file)
        length = max(available - offset, 0) if length < 0 else length
        if offset < 0 or offset + length > available:
            got = f"bytes {offset} to {offset + length} of {available}"
            raise TexelscopeError(what, f"a range inside '{location}'", got, _AGAIN)
        try:
            file.seek(offset)
            tensor.raw_data = file.read(length)
        except OSError as error:
            raise TexelscopeError(what, f"its data in '{location}'", reason(error), _AGAIN) from error
    tensor.data_location = onnx.TensorProto.DEFAULT
    del tensor.external_data[:]


def _inside(folder: Path, location: str, what: str) -> Path:
    """Returns the file at `location`, links followed. Raises TexelscopeError if it is missing or outside `folder`."""
    try:
        path = (folder / location).resolve()
        inside = path.is_relative_to(folder.resolve()) and not Path(location).is_absolute()
        if inside and not path.is_file():
            got = "something else" if path.exists() else "no such file"
            raise TexelscopeError(what, f"its data in '{location}' beside the model", got, "Put it there.")
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a zero byte, a name too long
        raise TexelscopeError(what, "a file name for its data", reason(error), _AGAIN) from error
    if not inside:
        got = f"'{location}', which leads out of it"
        raise TexelscopeError(what, "its data inside the model's folder", got, "Put the file beside the model.")
    return path


def _held(tensor: onnx.TensorProto) -> str:
    """Counts the data in a tensor of a file."""
    if tensor.HasField("raw_data"):
        return f"{len(tensor.raw_data)} bytes"
    kinds = (tensor.float_data, tensor.int32_data, tensor.int64_data, tensor.double_data, tensor.uint64_data)
    return f"{max(len(values) for values in kinds)} numbers"


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def copy_model(source: Path | onnx.ModelProto, unfinished: Path) -> None:
    """Writes the model to `unfinished`, byte for byte, unless its weights are in files beside it: these are included.

    Raises TexelscopeError for a file that is no model, and if it does not fit into one file.
    """
    if isinstance(source, Path) and not data_files(source):
        copy_file(source, unfinished)
        return
    model, name = read(source)
    if model.ByteSize() > MAX_MESSAGE_BYTES:
        raise TexelscopeError(
            name, f"a model of at most {MAX_MESSAGE_BYTES} bytes", f"{model.ByteSize()}", "Eject a part of it."
        )
    unfinished.write_bytes(model.SerializeToString())
