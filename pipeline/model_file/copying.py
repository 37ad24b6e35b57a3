"""A model as one file: what a folder needs that is to be complete in itself."""

from __future__ import annotations

from pathlib import Path

import onnx

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.model_file.message import MAX_MESSAGE_BYTES, data_files, read
from texelscope.pipeline.untrusted_files import copy_file


def copy_model(source: Path | onnx.ModelProto, unfinished: Path) -> None:
    """Writes the model to `unfinished`; byte for byte, unless its weights lie in files beside it: they are put in.

    Raises TexelscopeError for what is no model, and where it does not fit into one file.
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
