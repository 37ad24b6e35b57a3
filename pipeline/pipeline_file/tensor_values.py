"""Loads the values of inputs and constants: a file of the folder or a test pattern, as float32."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.inputs.sources import FIT, PATTERNS, PICTURE_SUFFIXES, load_source
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.pipeline_file.schema import TensorEntry
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.quantization import STEPS
from texelscope.pipeline.untrusted_files.arrays import opened_npy


def constant_shape(entry: TensorEntry, folder: Folder) -> Shape:
    """Returns the shape that the entry gives, or that of its .npy file, of which only the header is read.

    Raises TexelscopeError where neither gives one.
    """
    if entry.shape is not None:
        return entry.shape
    if entry.source is None or Path(entry.source).suffix.lower() != ".npy":
        raise TexelscopeError(
            "source", "an .npy file, where there is no 'shape'", f"'{entry.source}'", "Add 'shape = […]'."
        )
    return _npy_shape(folder.file(entry.source), entry.source, folder.path)


def load_values(entry: TensorEntry, stored: StoredTensor, folder: Folder) -> NDArray[np.float32] | None:
    """Loads the values of an entry that `stored` holds; None without a source. Raises TexelscopeError.

    Of a quantised tensor pictures, and .npy files of uint8, have the steps that its texture holds.
    """
    if entry.source is None:
        return None
    values = _load(entry.source, stored.shape, entry.name, folder, stored.dtype)
    if stored.quantization is None:
        return values
    suffix = Path(entry.source).suffix.lower()
    if suffix == ".npy" and _npy_dtype(folder.file(entry.source), entry.source, folder.path) == np.uint8:
        return stored.quantization.values(values / np.float32(STEPS))
    is_picture = suffix in PICTURE_SUFFIXES and entry.source.partition(":")[0] not in PATTERNS
    return stored.quantization.values(values) if is_picture else values


def _load(source: str, shape: Shape, name: str, folder: Folder, dtype: str) -> NDArray[np.float32]:
    is_pattern = source.partition(":")[0] in PATTERNS
    is_file = not is_pattern and Path(source).suffix.lower() in PICTURE_SUFFIXES | {".npy"}
    fit = FIT if source.startswith(FIT) else ""
    place: str = f"{fit}{folder.file(source.removeprefix(FIT))}" if is_file else source
    try:
        return load_source(place, shape, name=name, dtype=dtype, inside=folder.path)
    except TexelscopeError as error:
        advice = "Resize it, or change 'shape'." if "--shape" in error.do_next else error.do_next
        raise TexelscopeError(error.who, error.expected, error.got, advice) from error


def _npy_dtype(path: Path, name: str, folder: Path) -> np.dtype[Any]:
    with opened_npy(path, f"'{name}'", inside=folder) as stored:
        return stored.dtype


def _npy_shape(path: Path, name: str, folder: Path) -> Shape:
    """Returns the shape in the header; the values are not read."""
    with opened_npy(path, f"'{name}'", inside=folder) as stored:
        return stored.shape
