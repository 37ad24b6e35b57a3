"""Reads the texels of a `//!SOURCE` file: a picture, or a DDS file of numbers without compression.

DDS is Direct3D's container: a header of 128 bytes, in newer files 20 more, then the texels row by row (Microsoft's
"Programming Guide for DDS").
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.untrusted_files import read_bytes
from texelscope.pipeline.untrusted_files.pictures import opened_picture

_MAGIC, _HEADER, _NEWER = b"DDS ", 128, 20
_NEWER_HEADER = b"DX10"
_MOST_TEXELS = 1 << 24
_ANOTHER = "Save it in another format, such as R16G16B16A16_FLOAT, or as a PNG."


@dataclass(frozen=True)
class _TexelFormat:
    """How one texel is stored: the type of its lanes, their number, and what a stored number is divided by."""

    dtype: str
    lanes: int
    scale: float = 1.0


# By the numbers of DXGI_FORMAT.
_FORMATS: Mapping[int, _TexelFormat] = {
    2: _TexelFormat("<f4", 4), 6: _TexelFormat("<f4", 3), 10: _TexelFormat("<f2", 4),
    11: _TexelFormat("<u2", 4, 65535.0),
    16: _TexelFormat("<f4", 2), 28: _TexelFormat("u1", 4, 255.0), 34: _TexelFormat("<f2", 2),
    35: _TexelFormat("<u2", 2, 65535.0), 41: _TexelFormat("<f4", 1), 49: _TexelFormat("u1", 2, 255.0),
    54: _TexelFormat("<f2", 1), 56: _TexelFormat("<u2", 1, 65535.0), 61: _TexelFormat("u1", 1, 255.0),
}  # fmt: skip
# By the numbers of D3DFORMAT that stand in place of four letters.
_OLDER: Mapping[int, int] = {111: 54, 112: 34, 113: 10, 114: 41, 115: 16, 116: 2, 36: 11}
# By bits of a texel and the mask of red.
_BY_MASKS: Mapping[tuple[int, int], int] = {(32, 0xFF): 28, (8, 0xFF): 61, (16, 0xFFFF): 56, (16, 0xFF): 49}


def texels_of(path: Path, name: str, folder: Path) -> NDArray[np.float32]:
    """Reads a file as float32 [height, width, lanes]. Raises TexelscopeError for a format that is not read here."""
    if path.suffix.lower() != ".dds":
        with opened_picture(path, f"'{name}'", inside=folder) as picture:
            values = np.asarray(picture.convert("RGBA"), dtype=np.float32)
        return values / np.float32(255.0)
    content = read_bytes(path, f"'{name}'", inside=folder)
    if len(content) < _HEADER or not content.startswith(_MAGIC):
        raise _unread(name, "another file", "Name a DDS file or a picture.")
    height, width = struct.unpack_from("<II", content, 12)
    letters, bits, red = content[84:88], *struct.unpack_from("<II", content, 88)
    start = _HEADER
    if letters == _NEWER_HEADER and len(content) >= _HEADER + _NEWER:
        number = struct.unpack_from("<I", content, _HEADER)[0]
        start += _NEWER
    else:
        number = _OLDER.get(int.from_bytes(letters, "little")) or _BY_MASKS.get((bits, red), 0)
    form = _FORMATS.get(number)
    if form is None:
        raise _unread(name, f"one of the format {number} of DXGI_FORMAT", _ANOTHER)
    count = height * width * form.lanes
    if not 0 < height * width <= _MOST_TEXELS or len(content) - start < count * np.dtype(form.dtype).itemsize:
        raise _unread(name, f"a header of {width}x{height} texels over {len(content) - start} bytes", "Save it anew.")
    stored = np.frombuffer(content, form.dtype, count, start).reshape(height, width, form.lanes)
    return stored.astype(np.float32) / np.float32(form.scale)


def _unread(name: str, got: str, do_next: str) -> TexelscopeError:
    return TexelscopeError(f"'{name}'", "a DDS file with uncompressed texels, or a picture", got, do_next)
