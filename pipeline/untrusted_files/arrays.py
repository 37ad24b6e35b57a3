"""Arrays in numpy's .npy format, read from files that may claim anything.

https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html; numpy's own reader ends in a dozen kinds of
errors where a header is cut off, and takes the memory that a header asks for before it looks whether there is as much.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.quotas import hold
from texelscope.pipeline.untrusted_files.door import OutsideFileError, opened, reason, size_of

NPY = "an .npy file"
_SAVE = "Save it again with numpy.save."
_REAL = "fiub"
_ZIP = b"PK"
# A header says type, order and shape: a hundred letters. The longest literal that is read of one.
_MOST_HEADER = 4096
_PIECE_BYTES = 16 << 20


@dataclass(frozen=True)
class Npy:
    """An open .npy file, of which the header was read: real numbers, as many as the file has bytes for."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    is_fortran: bool
    who: str
    file: IO[bytes]

    def values(self) -> NDArray[Any]:
        """The array, in its own type. Raises TexelscopeError for a file that ends before; once."""
        size_bytes = math.prod(self.shape) * self.dtype.itemsize
        held = bytearray(size_bytes)
        view, done = memoryview(held), 0
        while done < size_bytes:
            check()
            piece = self.file.read(min(_PIECE_BYTES, size_bytes - done))
            if not piece:
                raise _unreadable(self.who, "one that ends before its last number")
            view[done : done + len(piece)] = piece
            done += len(piece)
        values = np.frombuffer(held, dtype=self.dtype)
        if self.dtype.kind == "b":
            values = values.view(np.uint8) != 0  # a byte may hold more than numpy knows of a truth value
        try:
            return values.reshape(self.shape, order="F" if self.is_fortran else "C")
        except ValueError as error:  # more dimensions than numpy has, or sizes beside a 0 that it cannot multiply
            raise _unreadable(self.who, f"shape {list(self.shape)}") from error


def npy_values(path: str | Path, who: str = "", *, inside: Path | None = None) -> NDArray[Any]:
    """An .npy file's array of real numbers, in its own shape and type. Raises TexelscopeError as `opened_npy`."""
    with opened_npy(path, who, inside=inside) as found:
        return found.values()


@contextmanager
def opened_npy(path: str | Path, who: str = "", *, inside: Path | None = None) -> Iterator[Npy]:
    """The .npy file at `path`, its header read. Raises TexelscopeError for whatever else lies there."""
    who = who or str(path)
    with opened(path, who, what=NPY, inside=inside) as file:
        try:
            yield npy_of(file, size_of(file), who)
        except OSError as error:
            raise OutsideFileError(who, NPY, reason(error)) from error


def npy_of(file: IO[bytes], size_bytes: int, who: str) -> Npy:
    """The .npy that begins here and has at most so many bytes. Raises TexelscopeError for something else."""
    found = _header(file, who)
    hold(who, "dimensions", len(found.shape))
    if math.prod(found.shape) * found.dtype.itemsize > size_bytes:
        raise TexelscopeError(who, f"data of shape {list(found.shape)}", f"{size_bytes} bytes", _SAVE)
    hold(who, "elements", math.prod(found.shape))
    return found


def _header(file: IO[bytes], who: str) -> Npy:
    start = file.read(len(_ZIP))
    if start == _ZIP:
        raise TexelscopeError(who, NPY, "an archive, as .npz files are", "Save the one array with numpy.save.")
    magic = start + file.read(6)
    if len(magic) < 8 or magic[:6] != b"\x93NUMPY":
        raise _unreadable(who, "other bytes" if magic else "an empty file")
    sizes = {(1, 0): 2, (2, 0): 4, (3, 0): 4}
    width = sizes.get((magic[6], magic[7]))
    if width is None:
        raise _unreadable(who, f"version {magic[6]}.{magic[7]} of the format")
    length = int.from_bytes(file.read(width), "little")
    if length > _MOST_HEADER:
        raise _unreadable(who, f"a header of {length} bytes")
    text = file.read(length)
    if len(text) < length:
        raise _unreadable(who, "a header that ends early")
    return _parsed(text.decode("utf-8" if magic[6] == 3 else "latin-1", errors="replace"), who, file)


def _parsed(text: str, who: str, file: IO[bytes]) -> Npy:
    try:
        with warnings.catch_warnings(action="ignore"):
            found = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise _unreadable(who, "a header that is none") from error
    if not isinstance(found, dict) or found.keys() != {"descr", "fortran_order", "shape"}:
        raise _unreadable(who, "a header without type, order or shape")
    shape, descr = found["shape"], found["descr"]
    is_shape = isinstance(shape, tuple) and all(type(size) is int and 0 <= size < 2**63 for size in shape)
    if not is_shape or type(found["fortran_order"]) is not bool:
        raise _unreadable(who, "a header with a wrong shape or order")
    try:
        dtype = np.dtype(descr) if isinstance(descr, str) else None
    except (TypeError, ValueError, SyntaxError) as error:
        raise _unreadable(who, f"numbers of type {descr!r}") from error
    if dtype is None or dtype.kind not in _REAL or dtype.shape:
        got = dtype.name if dtype is not None else "tables of several types"
        raise TexelscopeError(who, "real numbers", got, "Convert it to float32.")
    return Npy(shape, dtype, found["fortran_order"], who, file)


def _unreadable(who: str, got: str) -> OutsideFileError:
    return OutsideFileError(who, NPY, got, _SAVE)
