"""What a model asks for, counted in its message before anything is made of it: nodes, tensors, names, dimensions.

A few bytes of a file can name more than any machine holds: a function that calls another twice, and that one another,
or a tensor of a thousand shapes. Nothing here takes memory for what it counts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import onnx

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.quotas import hold, present

# Text that is shown to people alone, of any length.
_PROSE = frozenset({"doc_string", "value"})

_Key = tuple[str, str, str]

# Constants are held thrice at times: as the file's bytes, in the message, and as arrays.
COPIES = 3
# Digits of a number of 64 bits.
_LONGEST = 20


def check_asked(model: onnx.ModelProto, name: str) -> None:
    """Raises QuotaError for a model that asks for more than is allowed; `name` is what errors call it.

    Raises TexelscopeError for text that is no UTF-8, which protobuf hands out as bytes.
    """
    graph = model.graph
    fixed = {tensor.name for tensor in graph.initializer}
    hold(name, "nodes", len(graph.node))
    hold(name, "tensors", len(graph.initializer) + len(graph.sparse_initializer) + len(graph.value_info))
    hold(name, "inputs", sum(value.name not in fixed for value in graph.input))
    hold(name, "nodes", _count_nodes(model), ", those that functions stand for with them")
    hold(name, "tensors", _count_tensors(model))
    _check_message(model, name)


def _count_nodes(model: onnx.ModelProto) -> int:
    """Nodes of the graph, of all bodies, and of functions as often as they are called; no more than it takes."""
    most, own, called = present().nodes, dict[_Key, int](), dict[_Key, Counter[_Key]]()
    functions = {(each.domain, each.name, each.overload): each.node for each in model.functions}
    for key, nodes in functions.items():
        own[key], called[key] = _calls(nodes, functions)
    counts: dict[_Key, int] = {}
    for key in _callees_first(called):
        # What calls itself has no count: it is refused later, by its name.
        counts[key] = own[key] + sum(times * counts.get(inner, 0) for inner, times in called[key].items())
        counts[key] = min(counts[key], 2 * most)
    count, calls = _calls(model.graph.node, functions)
    return count + sum(times * counts[inner] for inner, times in calls.items())


def _calls(nodes: Sequence[onnx.NodeProto], functions: Any) -> tuple[int, Counter[_Key]]:
    """How many nodes there are, and which functions they call how often."""
    count, calls = 0, Counter[_Key]()
    for node in nodes_within(nodes):
        count += 1
        key = (node.domain, node.op_type, node.overload)
        if key in functions:
            calls[key] += 1
    return count, calls


def _callees_first(called: dict[_Key, Counter[_Key]]) -> Iterator[_Key]:
    """Every function after those that it calls; without recursion, as they may be thousands deep."""
    done, entered = set[_Key](), set[_Key]()
    for start in called:
        pending = [start]
        while pending:
            key = pending[-1]
            if key in entered or key in done:
                pending.pop()
                if key not in done:
                    done.add(key)
                    yield key
                continue
            entered.add(key)
            pending.extend(inner for inner in called[key] if inner not in entered)


def nodes_within(nodes: Iterable[onnx.NodeProto]) -> Iterator[onnx.NodeProto]:
    """Those nodes and all in their bodies."""
    for node in nodes:
        yield node
        for attribute in node.attribute:
            for body in (attribute.g, *attribute.graphs):
                yield from nodes_within(body.node)


def _count_tensors(model: onnx.ModelProto) -> int:
    """Constants and what nodes make, in functions and bodies too."""
    count = len(model.graph.initializer) + len(model.graph.sparse_initializer)
    for nodes in (model.graph.node, *(function.node for function in model.functions)):
        for node in nodes_within(nodes):
            count += len(node.output)
            for attribute in node.attribute:
                count += len(attribute.tensors) + len(attribute.g.initializer)
    return count


def _check_message(message: Any, name: str) -> None:
    """Names, dimensions, elements and inputs of nodes, in all that a message holds."""
    texts: list[Any] = []
    if isinstance(message, onnx.TensorProto):  # to list its fields would copy its data
        # Whether it is as large as it says, its data tell.
        hold(f"tensor '{message.name}' ({name})", "dimensions", len(message.dims))
        texts = [message.name]
        _check_encoding((text for entry in message.external_data for text in (entry.key, entry.value)), name)
    elif isinstance(message, onnx.AttributeProto):  # its numbers may be many
        texts = [message.name, message.ref_attr_name]
        for inner in _held(message):
            _check_message(inner, name)
    else:
        if isinstance(message, onnx.SparseTensorProto):
            who = f"sparse tensor '{message.values.name}' ({name})"
            hold(who, "dimensions", len(message.dims))
            hold(who, "elements", count_of(message.dims))
        elif isinstance(message, onnx.NodeProto):
            hold(f"{message.op_type} '{message.name}' ({name})", "inputs", max(len(message.input), len(message.output)))
        elif isinstance(message, onnx.TensorShapeProto):
            hold(name, "dimensions", len(message.dim), " of a tensor")
        for field, value in message.ListFields():
            values = value if field.is_repeated else (value,)
            if field.type == field.TYPE_MESSAGE:
                for inner in values:
                    _check_message(inner, name)
            elif field.type == field.TYPE_STRING:
                _check_encoding(values, name)
                texts.extend(values if field.name not in _PROSE else ())
    _check_encoding(texts, name)
    for text in texts:
        hold(name, "name_letters", len(text))


def _held(attribute: onnx.AttributeProto) -> Iterator[Any]:
    """The messages in an attribute, whatever it says to be."""
    for one in ("t", "g", "sparse_tensor", "tp"):
        if attribute.HasField(one):
            yield getattr(attribute, one)
    for many in (attribute.tensors, attribute.graphs, attribute.sparse_tensors, attribute.type_protos):
        yield from many


def _check_encoding(texts: Iterable[Any], name: str) -> None:
    for text in texts:
        if not isinstance(text, str):
            raise TexelscopeError(name, "names in UTF-8", str(text), "Export or download it again.")


def count_of(shape: Sequence[int]) -> int:
    """Elements of a tensor of that shape; sizes of 0 count as 1, as numpy has it where it looks for room."""
    return math.prod(max(size, 1) for size in shape)


def check_external(tensors: Sequence[onnx.TensorProto], folder: Path | None, name: str, held_bytes: int) -> None:
    """Raises QuotaError for data beside a model that are in too many files, or too large together.

    Several tensors may name the same bytes of one file: all of them count. `held_bytes` are those of the model.
    """
    sizes: dict[str, int] = {}
    for tensor in tensors:
        entries = {entry.key: entry.value for entry in tensor.external_data}
        location, length, offset = (entries.get(key, "") for key in ("location", "length", "offset"))
        if location not in sizes:
            sizes[location] = _size_inside(folder, location)
            hold(name, "external_files", len(sizes))
        there = max(sizes[location] - _whole(offset, 0), 0)
        held_bytes += COPIES * min(_whole(length, there), there)
        hold(name, "memory_bytes", held_bytes, " for its constants")


def _size_inside(folder: Path | None, location: str) -> int:
    """Bytes of a file below the folder; 0 for what is none, which is told when it is read."""
    try:
        path = Path(location)
        inside = folder is not None and location and not path.is_absolute() and ".." not in path.parts
        return (folder / path).stat().st_size if folder is not None and inside else 0
    except (OSError, ValueError):
        return 0


def _whole(text: str, other: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < _LONGEST else other
