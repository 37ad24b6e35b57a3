"""A finished model becomes a file beside the recipes."""

from __future__ import annotations

from pathlib import Path

import onnx

FOLDER = Path(__file__).resolve().parent.parent
LARGEST = 60_000  # bytes


def write(model: onnx.ModelProto, name: str) -> None:
    """Writes NAME.onnx without what says where and when it was made."""
    data = _tidied(model).SerializeToString()
    assert len(data) <= LARGEST, f"{name}: {len(data)} bytes"
    (FOLDER / f"{name}.onnx").write_bytes(data)
    print(f"{name}.onnx: {len(data)} bytes, {len(model.graph.node)} nodes")


def _tidied(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model without stack traces and notes, which name folders of one machine."""
    tidy = onnx.ModelProto()
    tidy.CopyFrom(model)
    tidy.doc_string = ""
    del tidy.metadata_props[:]
    for function in tidy.functions:
        _tidy(function)
        for node in function.node:
            _tidy(node)
    _tidy_graph(tidy.graph)
    return tidy


def _tidy_graph(graph: onnx.GraphProto) -> None:
    _tidy(graph)
    for entry in (*graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer):
        _tidy(entry)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                _tidy_graph(attribute.g)


def _tidy(
    entry: onnx.NodeProto | onnx.GraphProto | onnx.FunctionProto | onnx.ValueInfoProto | onnx.TensorProto,
) -> None:
    entry.doc_string = ""
    del entry.metadata_props[:]
