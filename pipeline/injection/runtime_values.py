"""Takes values from ONNX Runtime, if it is installed: another program's results for the tensors of a model."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.model_file.message import MAX_MESSAGE_BYTES, read
from texelscope.pipeline.model_file.nodes import captured

NAME = "onnxruntime"
# Telemetry starts with the import unless this is set.
_QUIET = "ORT_DISABLE_TELEMETRY"
# The most letters of an ONNX Runtime message.
_MOST_LETTERS = 120


def is_installed() -> bool:
    """Reports whether ONNX Runtime can be imported."""
    return importlib.util.find_spec(NAME) is not None


class RuntimeValues:
    """Takes tensors from the model at `target`, run on `inputs` by tensor name.

    All `wanted` tensors are computed in one run. If ONNX Runtime refuses that, each runs alone with only the part of
    the model that it needs.
    """

    title = "ONNX Runtime"

    def __init__(
        self, target: str | Path | onnx.ModelProto, inputs: Mapping[str, NDArray[Any]], wanted: Collection[str]
    ) -> None:
        self._target = target
        self._inputs = dict(inputs)
        self._wanted = tuple(wanted)
        self._model: onnx.ModelProto | None = None
        self._found: dict[str, NDArray[Any]] | None = None

    def value(self, tensor: str) -> NDArray[Any]:
        """Implements `Source.value`."""
        if not is_installed():
            raise TexelscopeError(
                "ONNX Runtime", "it to be installed", "no such package", f"pip install 'texelscope[{NAME}]' brings it."
            )
        model = self._read()
        made = {output for node in model.graph.node for output in node.output}
        if tensor not in made:
            raise TexelscopeError(
                "ONNX Runtime", "a tensor of the file", f"'{tensor}', made of one", "Take another source."
            )
        if self._found is None:
            try:
                self._found = self._run([name for name in self._wanted if name in made])
            except TexelscopeError:
                self._found = {}
        if tensor not in self._found:
            self._found.update(self._run([tensor]))
        return self._found[tensor]

    def _read(self) -> onnx.ModelProto:
        if self._model is None:
            is_model = isinstance(self._target, onnx.ModelProto)
            self._model, _ = read(self._target if is_model else Path(str(self._target)))  # type: ignore[arg-type]
        return self._model

    def _run(self, names: Collection[str]) -> dict[str, NDArray[Any]]:
        os.environ.setdefault(_QUIET, "1")
        import onnxruntime  # a large library that few runs need

        part = part_of(self._read(), names)
        if part.ByteSize() > MAX_MESSAGE_BYTES:
            raise TexelscopeError("ONNX Runtime", "a model of at most 2 GiB", "a larger one", "Take another source.")
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        try:
            session = onnxruntime.InferenceSession(
                part.SerializeToString(), options, providers=["CPUExecutionProvider"]
            )
            feeds = {each.name: self._inputs[each.name] for each in session.get_inputs()}
            results = session.run(list(names), feeds)
        except Exception as error:
            raise TexelscopeError(
                "ONNX Runtime", "a model that it runs", f"'{reason(error)}'", "Take another source."
            ) from error
        return {name: np.asarray(value) for name, value in zip(names, results, strict=True)}


def part_of(model: onnx.ModelProto, names: Collection[str]) -> onnx.ModelProto:
    """Returns the part of a model that computes the tensors `names`, which are its outputs."""
    makers = {output: position for position, node in enumerate(model.graph.node) for output in node.output if output}
    needed: set[int] = set()
    pending, reads = list(names), set(names)
    while pending:
        position = makers.get(pending.pop())
        if position is not None and position not in needed:
            needed.add(position)
            node = model.graph.node[position]
            read_here = [name for name in (*node.input, *captured(node)) if name]
            reads.update(read_here)
            pending.extend(read_here)
    part = onnx.ModelProto(ir_version=model.ir_version, opset_import=model.opset_import)
    part.graph.name = model.graph.name
    part.graph.node.extend(model.graph.node[position] for position in sorted(needed))
    part.graph.initializer.extend(tensor for tensor in model.graph.initializer if tensor.name in reads)
    part.graph.sparse_initializer.extend(
        sparse for sparse in model.graph.sparse_initializer if sparse.values.name in reads
    )
    part.graph.input.extend(value for value in model.graph.input if value.name in reads)
    part.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    return part


def reason(error: BaseException) -> str:
    """Returns ONNX Runtime's message without its codes, cut to a line."""
    text = " ".join(str(error).split())
    text = re.sub(r"^\[ONNXRuntimeError\] : \d+ : [A-Z_]+ : ", "", text)
    return text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 1]}…"
