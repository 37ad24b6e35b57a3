"""Reads what parts of buffers held: bytes of a file, as numbers of a tensor or as the members of a uniform."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.recordings.files import Files
from texelscope.pipeline.dialects.webgpu.manifest import Content
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import EXACT_INTEGERS, UniformValue
from texelscope.pipeline.wgsl.layout import leaves, read
from texelscope.pipeline.wgsl.resources import Resource

_LAST_INDICES = re.compile(r"(?:\[[0-9]+\])+$")


def bytes_of(files: Files, content: Content) -> bytes:
    """Returns the recorded bytes. Raises TexelscopeError for a file of another size, or with other bytes."""
    assert content.values is not None
    size_bytes, path = files.size_bytes(content.values), f"'{content.values}'"
    if size_bytes != content.size_bytes:
        raise TexelscopeError(path, f"{content.size_bytes} bytes", str(size_bytes), "Record it again.")
    found = files.read(content.values, size_bytes)
    if hashlib.sha256(found).hexdigest() != content.sha256:
        raise TexelscopeError(path, "the bytes that were recorded", "others", "Record it again, or take the old file.")
    return found


def numbers_of(held: bytes, dtype: str = "") -> NDArray[np.float32]:
    """Returns bytes as float32 [count]: the values of whole numbers of that dtype, or bit by bit without one."""
    if dtype:
        return np.frombuffer(held, np.dtype(dtype).newbyteorder("<")).astype(np.float32)
    return np.frombuffer(held, dtype="<f4").astype(np.float32, copy=False)


def are_exact(held: bytes, dtype: str) -> bool:
    """Reports whether whole numbers of that dtype are values of float32."""
    return bool((np.abs(np.frombuffer(held, dtype).astype(np.int64)) <= EXACT_INTEGERS).all())


def uniforms_in(held: bytes, variable: Resource) -> Mapping[str, UniformValue] | str:
    """Returns the values of a uniform's members by their names, or that of the uniform itself.

    Vectors, matrices by their columns, and arrays of them are flat. Where bytes are missing, it returns that in words.
    """
    found: dict[str, list[int | float]] = {}
    for leaf in leaves(variable.type, variable.name):
        try:
            numbers = read(leaf, held).tolist()
        except ValueError:
            return f"'{leaf.path}' lies behind the {len(held)} bytes that are bound"
        found.setdefault(_LAST_INDICES.sub("", leaf.path), []).extend(numbers)
    return {name: numbers[0] if len(numbers) == 1 else tuple(numbers) for name, numbers in found.items()}
