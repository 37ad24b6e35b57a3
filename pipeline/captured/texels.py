"""Bytes that another program wrote become texels, and texels the tensor: raw numbers, .npy, PNG.

What is asked for is known from the target before a file is opened, so that no size in a file is ever believed.
"""

from __future__ import annotations

import base64
import binascii
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from texelscope import layouts
from texelscope.layouts import Layout
from texelscope.pipeline.captured.manifest import Dump, describes_itself
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.plan import Storage
from texelscope.pipeline.planning.storage import DTYPES, values_of
from texelscope.pipeline.untrusted_files import opened, read_bytes, size_of
from texelscope.pipeline.untrusted_files.arrays import Npy, opened_npy
from texelscope.pipeline.untrusted_files.pictures import decoded

Texels = NDArray[np.float32]

# Numbers are little-endian, as every GL that a capture comes from writes them.
_RAW: dict[Storage, np.dtype[np.generic]] = {name: np.dtype(kind).newbyteorder("<") for name, kind in DTYPES.items()}
_KINDS: dict[str, Storage] = {"float32": "float32", "float64": "float32", "float16": "float16", "uint8": "uint8"}
_RANK = 4
_BANDS = {"L": 1, "LA": 2, "RGB": 3, "RGBA": 4}


@dataclass(frozen=True)
class DumpedTensor:
    """A tensor as it was dumped: float32 in its logical shape, what the file held it in, and its texels if it had any.

    `texels` are float32 [height, width, lanes] in `layout`, padding too.
    """

    values: NDArray[np.float32]
    storage: Storage
    layout: Layout
    texels: Texels | None = None


def held(dump: Dump, shape: Shape, layout: Layout, folder: Folder, who: str) -> DumpedTensor:
    """The tensor of that shape; `layout` holds where the dump names none. `who` is what messages begin with.

    Raises TexelscopeError for a file that is missing, unreadable, or not as the manifest says.
    """
    layout = dump.layout or layout
    lying = _lying(dump, shape, who)
    size = _texture_shape(dump, shape, layout, who)
    numbers, storage = _numbers(dump, lying, size, layout, folder, who)
    storage = dump.storage or storage
    if dump.shape is not None or numbers.ndim == 0 or _is_tensor(dump, numbers, lying):
        if dump.flipped:
            raise TexelscopeError(who, "a texture, whose rows may be flipped", "a tensor", "Remove 'flipped'.")
        values = numbers.reshape(lying)
        return DumpedTensor(np.ascontiguousarray(_as_nchw(values, dump)).reshape(shape), storage, layout)
    texels = _lanes(numbers.reshape(*size, -1)[:: -1 if dump.flipped else 1], layout, who)
    return DumpedTensor(layout.decode(texels, shape), storage, layout, np.ascontiguousarray(texels))


def _lying(dump: Dump, shape: Shape, who: str) -> Shape:
    """The tensor's shape in the order in which a buffer holds it, which the manifest's has to be but for ones."""
    if dump.axes == "nhwc" and len(shape) != _RANK:
        raise TexelscopeError(who, "a tensor of four axes for axes 'nhwc'", f"shape {list(shape)}", "Remove 'axes'.")
    last = (shape[0], *shape[2:], shape[1]) if len(shape) == _RANK else shape
    lying = last if dump.axes == "nhwc" else shape
    if dump.shape is not None and _longer(dump.shape) != _longer(lying):
        is_last = _longer(dump.shape) == _longer(last)
        advice = "Add axes = 'nhwc' if channels lie last." if is_last else "Correct it, or capture that tensor."
        raise TexelscopeError(who, f"a tensor of shape {list(lying)}", str(list(dump.shape)), advice)
    return lying


def _longer(shape: Shape) -> list[int]:
    """The sizes above 1."""
    return [size for size in shape if size > 1]


def _as_nchw(values: Texels, dump: Dump) -> Texels:
    return np.moveaxis(values, -1, 1) if dump.axes == "nhwc" else values


def _is_tensor(dump: Dump, numbers: Texels, shape: Shape) -> bool:
    """Whether a file that says its shape holds the tensor rather than its texture."""
    return describes_itself(dump) and str(dump.file).lower().endswith(".npy") and numbers.shape == tuple(shape)


def _numbers(
    dump: Dump, shape: Shape, size: tuple[int, int], layout: Layout, folder: Folder, who: str
) -> tuple[Texels, Storage]:
    """Texels [height, width, channels] of that size, or the tensor in its shape; and what the file holds."""
    height, width = size
    if not describes_itself(dump):
        assert dump.type is not None
        channels = dump.channels or layout.lanes
        asked = tuple(shape) if dump.shape is not None else (height, width, channels)
        data = _bytes(dump, math.prod(asked) * _RAW[dump.type].itemsize, folder, who, _Asked(dump, height, width))
        return values_of(np.frombuffer(data, dtype=_RAW[dump.type]).reshape(asked), dump.type), dump.type
    assert dump.file is not None
    path, who_file = folder.file(dump.file), f"{who} ({dump.file})"
    if path.suffix.lower() == ".npy":
        with opened_npy(path, who_file, inside=folder.path) as stored:
            return _of_npy(stored, shape, size, who)
    with (
        opened(path, who_file, inside=folder.path) as file,
        decoded(file, who_file, formats=("PNG",), do_next="Capture it again.") as picture,
    ):
        return _of_picture(picture, size, who)


def _texture_shape(dump: Dump, shape: Shape, layout: Layout, who: str) -> tuple[int, int]:
    """Height and width of the layout's texture, which the manifest's have to be."""
    height, width = layout.texture_shape(shape)
    if dump.width is None or dump.height is None or (dump.height, dump.width) == (height, width):
        return height, width
    raise TexelscopeError(
        who,
        f"a texture of {width}x{height} texels for shape {list(shape)} in {layout}",
        f"{dump.width}x{dump.height}",
        _other_layout(shape, (dump.height, dump.width)),
    )


def _other_layout(shape: Shape, size: tuple[int, int]) -> str:
    fits = [name for name, kind in layouts.all_layouts().items() if kind().texture_shape(shape) == size]
    if fits:
        return f"That is its size in {' and '.join(fits)}: name the layout."
    if shape[-2:] == size:
        return "That is one channel alone: capture the whole texture, or name its layout."
    return "Name the layout that it has, or capture the whole texture."


@dataclass(frozen=True)
class _Asked:
    """What a raw dump should hold, for saying what it may hold instead."""

    dump: Dump
    height: int
    width: int

    def __str__(self) -> str:
        dump = self.dump
        if dump.shape is not None:
            return f"{' x '.join(map(str, dump.shape))} numbers of {dump.type}"
        each = f"{dump.channels} numbers" if dump.channels else "the layout's numbers"
        return f"{self.width} x {self.height} texels, each {each} of {dump.type}"

    def advice(self, count: int) -> str:
        """What a dump of `count` bytes would fit."""
        if self.dump.shape is not None:
            return "Correct 'type', or capture again."
        texels = self.height * self.width
        for name, kind in _RAW.items():
            for channels in (1, 2, 3, 4):
                row = self.width * channels * kind.itemsize
                if count == texels * channels * kind.itemsize:
                    return f"So many are those of {name} with channels = {channels}: correct 'channels' or 'type'."
                if count == self.height * (row + -row % 4):
                    return "So many are rows padded to 4 bytes: capture with PACK_ALIGNMENT 1."
        return "Correct 'type' and 'channels', or capture again: it may be cut off."


def _bytes(dump: Dump, count: int, folder: Folder, who: str, asked: _Asked) -> bytes:
    if dump.file is not None:
        who = f"{who} ({dump.file})"
        data, got = _read(folder.file(dump.file), count, who, folder.path)
        if data is not None:
            return data
    else:
        assert dump.data is not None
        if abs(len(dump.data) * 3 // 4 - count) <= 3:
            try:
                data = base64.b64decode(dump.data, validate=True)
            except (binascii.Error, ValueError) as error:
                raise TexelscopeError(f"{who} data", "base64", str(error), "Capture it again.") from error
            if len(data) == count:
                return data
        got = len(dump.data) * 3 // 4 - dump.data[-2:].count("=")
    raise TexelscopeError(who, f"{count} bytes ({asked})", str(got), asked.advice(got))


def _read(path: Path, count: int, who: str, inside: Path) -> tuple[bytes | None, int]:
    """A file's bytes if there are `count` of them, and how many there are."""
    with opened(path, who, inside=inside) as file:
        size_bytes = size_of(file)
    data = read_bytes(path, who, inside=inside) if size_bytes == count else b""
    return (data, count) if len(data) == count else (None, size_bytes)


def _of_npy(found: Npy, shape: Shape, size: tuple[int, int], who: str) -> tuple[Texels, Storage]:
    """An .npy of the tensor in its shape, or of its texture: [height, width] or [height, width, channels]."""
    stored, dtype = found.shape, found.dtype
    texture = stored[:2] == size and (len(stored) == 2 or (len(stored) == 3 and 1 <= stored[2] <= 4))
    if stored != tuple(shape) and not texture:
        raise TexelscopeError(
            who,
            f"an array of shape {list(shape)}, or of its texture, {list(size)} and channels",
            str(list(stored)),
            "Save one of them, or name the layout.",
        )
    if dtype.name not in _KINDS:
        raise TexelscopeError(who, f"numbers of {', '.join(_KINDS)}", dtype.name, "Convert them to float32.")
    storage = _KINDS[dtype.name]
    with np.errstate(over="ignore"):
        values = values_of(found.values(), storage)
    return np.ascontiguousarray(values), storage


def _of_picture(picture: Image.Image, size: tuple[int, int], who: str) -> tuple[Texels, Storage]:
    """A PNG of 8 bits, whose numbers are 0 to 1; its first row is the texture's first unless it is flipped."""
    if (picture.height, picture.width) != size:
        raise TexelscopeError(
            who,
            f"a picture of {size[1]}x{size[0]} texels",
            f"{picture.width}x{picture.height}",
            "Capture the whole texture in its own size, or name the layout.",
        )
    if picture.mode not in _BANDS:
        raise TexelscopeError(
            who, "a PNG of 8 bits: grey, RGB or RGBA", f"mode {picture.mode}", "Save it as RGBA, or as raw numbers."
        )
    pixels = np.asarray(picture).reshape(*size, _BANDS[picture.mode])
    return values_of(pixels, "uint8"), "uint8"


def _lanes(texels: Texels, layout: Layout, who: str) -> Texels:
    """The lanes that the layout uses; a texture read as RGBA has more than one that uses the first alone."""
    channels = texels.shape[2]
    if channels < layout.lanes:
        raise TexelscopeError(
            who,
            f"{layout.lanes} numbers a texel, which {layout} uses",
            f"{channels}",
            "Read it as RGBA, or name the layout that it has.",
        )
    return texels[:, :, : layout.lanes]
