"""Converts recorded textures to stored tensors: their texels as they are, an image of up to four channels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.channel_tiles import ChannelTiles
from texelscope.layouts.channel_tiles_rgba import ChannelTilesRgba
from texelscope.pipeline.dialects.recordings.files import Files, numbers_of
from texelscope.pipeline.dialects.webgl.manifest import DrawnTexture
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import EXACT_INTEGERS, Role, Storage, StoredTensor
from texelscope.pipeline.planning.storage import values_of

_DTYPES = {"float32": "<f4", "float16": "<f4", "uint8": "u1", "int32": "<i4", "uint32": "<u4"}
_STORAGES: dict[str, Storage] = {"float32": "float32", "float16": "float16", "uint8": "uint8"}
_WHOLE = ("int32", "uint32")
_REASON = "recorded so"


def unfit_to_read(texture: DrawnTexture) -> str:
    """Returns in words why no pass can read a texture; empty if one can."""
    if texture.values is None:
        return f"it uses texture {texture.number} ({texture.format}): {texture.missing}"
    if texture.kind == "other":
        return f"it uses texture {texture.number} of format {texture.format}, which no tensor holds"
    return ""


def unfit_to_write(texture: DrawnTexture) -> str:
    """Returns in words why no pass can write a texture; empty if one can."""
    if texture.kind in _WHOLE:
        return f"it writes whole numbers ({texture.format})"
    return unfit_to_read(texture)


def stored(name: str, texture: DrawnTexture, role: Role) -> StoredTensor:
    """Returns the tensor of a texture's texels, n = 1, channels, rows from row 0 in memory, columns.

    What a draw wrote has the channels of its texture: in the others a page reads constants. What was uploaded has all
    four, as a shader reads them.
    """
    written = role == "activation"
    channels = 1 if texture.lanes == 1 else texture.channels if written else 4
    layout = ChannelTiles() if texture.lanes == 1 else ChannelTilesRgba()
    shape = (1, channels, texture.height, texture.width)
    dtype = texture.kind if texture.kind in _WHOLE else "float32"
    return StoredTensor(name, name, shape, layout, _STORAGES.get(texture.kind, "float32"), role, dtype, _REASON)


def texels_in(files: Files, texture: DrawnTexture) -> NDArray[np.float32]:
    """Returns a texture's recorded texels, float32 [height, width, lanes].

    Raises TexelscopeError for a file of another size, and for whole numbers that no float32 holds.
    """
    assert texture.values is not None
    kind = np.dtype(_DTYPES[texture.kind])
    texels = numbers_of(files, texture.values, (texture.width, texture.height, texture.lanes), kind)
    if texture.kind in _WHOLE and np.abs(texels.astype(np.int64)).max(initial=0) > EXACT_INTEGERS:
        raise TexelscopeError(
            f"'{texture.values}'", f"whole numbers up to {EXACT_INTEGERS}", f"{np.abs(texels.astype(np.int64)).max()}",
            "Record a run with smaller ones: tensors are floats here.",
        )  # fmt: skip
    return values_of(texels, "uint8") if texture.kind == "uint8" else texels.astype(np.float32)
