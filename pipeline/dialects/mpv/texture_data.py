"""The numbers of a `//!TEXTURE` section: hexadecimal bytes in one of mpv's formats, as a shader reads them."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.mpv.places import FileLine

_FORMAT = re.compile(r"(?P<lanes>rgba|rgb|rg|r)(?P<bits>8|16|32)(?P<kind>f|hf)?")
_LANES = {"r": 1, "rg": 2, "rgb": 3, "rgba": 4}
# Texels of one embedded texture: a file of a megabyte cannot hold more than this many bytes' digits.
_MOST_TEXELS = 1 << 20


def decode(text: str, size: tuple[int, int, int], name: str, place: FileLine) -> NDArray[np.float32]:
    """float32[depth, height, width, lanes] of hexadecimal `text`; unsigned bytes and words count from 0 to 1.

    `size` is width, height, depth. Raises TexelscopeError for a format it does not know, for text that is not
    hexadecimal and for bytes that are too few or too many.
    """
    match = _FORMAT.fullmatch(name)
    if match is None or (match["kind"] is None and match["bits"] == "32"):
        raise place.fault(
            "a FORMAT such as r8, rg16, rgba16f or rgba32f", f"'{name}'", "Choose one that holds its numbers."
        )
    bits, kind = int(match["bits"]), match["kind"]
    if (kind == "f" and bits == 8) or (kind == "hf" and bits != 16):
        raise place.fault("a FORMAT of 16 or 32 bits with f, 16 with hf", f"'{name}'", "For example rgba32f.")
    width, height, depth = size
    lanes = _LANES[match["lanes"]]
    if width * height * depth > _MOST_TEXELS:
        raise place.fault(f"at most {_MOST_TEXELS} texels", f"{width}x{height}x{depth}", "Make SIZE smaller.")
    # mpv's rgba16f is 32 bits wide in the file (the driver rounds it); rgba16hf is halves.
    stored = np.dtype("<f2" if kind == "hf" else "<f4" if kind == "f" else f"<u{bits // 8}")
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        raise place.fault("hexadecimal digits alone behind the directives", "others", "Remove them.") from None
    expected = width * height * depth * lanes * stored.itemsize
    if len(raw) != expected:
        raise place.fault(
            f"{expected} bytes for {width}x{height}x{depth} texels of {name}",
            f"{len(raw)}",
            "Correct SIZE or the data.",
        )
    values = np.frombuffer(raw, stored).astype(np.float32)
    if kind is None:
        values = values / np.float32((1 << bits) - 1)
    return values.reshape(depth, height, width, lanes)
