"""A model as one file: what a folder needs that is to be complete in itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import onnx

from pipeline.errors import TexelscopeError
from pipeline.model_file.message import MAX_MESSAGE_BYTES, read


def copy_model(source: Path | onnx.ModelProto, unfinished: Path) -> None:
    """Writes the model to `unfinished`; byte for byte, unless its weights lie in files beside it: they are put in.

    Raises TexelscopeError for what is no model, and where it does not fit into one file.
    """
    if isinstance(source, Path) and not _has_external_data(source):
        shutil.copyfile(source, unfinished)
        return
    model, name = read(source)
    if model.ByteSize() > MAX_MESSAGE_BYTES:
        raise TexelscopeError(
            name, f"a model of at most {MAX_MESSAGE_BYTES} bytes", f"{model.ByteSize()}", "Eject a part of it."
        )
    unfinished.write_bytes(model.SerializeToString())


def _has_external_data(source: Path) -> bool:
    model = onnx.load(str(source), load_external_data=False)
    return any(tensor.data_location == onnx.TensorProto.EXTERNAL for tensor in model.graph.initializer)
