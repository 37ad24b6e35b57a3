"""Files of texels are read as Direct3D stores them, and broken ones are refused."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from texelscope.pipeline.dialects.magpie.texel_files import texels_of
from texelscope.pipeline.errors import TexelscopeError


def _dds(number: int, width: int, height: int, texels: bytes) -> bytes:
    """A file of the newer kind, with the number of DXGI_FORMAT."""
    header = bytearray(128)
    header[:4] = b"DDS "
    struct.pack_into("<II", header, 12, height, width)
    header[84:88] = b"DX10"
    return bytes(header) + struct.pack("<IIIII", number, 3, 0, 1, 0) + texels


def test_half_floats_are_read_row_by_row(tmp_path: Path) -> None:
    values = np.arange(2 * 3 * 4, dtype=np.float16).reshape(2, 3, 4)
    path = tmp_path / "a.dds"
    path.write_bytes(_dds(10, 3, 2, values.tobytes()))
    np.testing.assert_array_equal(texels_of(path, "a.dds", tmp_path), values.astype(np.float32))


def test_a_picture_has_numbers_from_0_to_1(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Image.fromarray(np.array([[[255, 0, 51]]], np.uint8)).save(path)
    np.testing.assert_allclose(texels_of(path, "a.png", tmp_path)[0, 0], [1.0, 0.0, 0.2, 1.0], rtol=1e-6)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"DDS ", "expected a DDS file with uncompressed texels, or a picture, got another file"),
        (_dds(98, 4, 4, b"0" * 16), "got one of the format 98 of DXGI_FORMAT. Save it in another format"),
        (_dds(10, 4096, 4096, b"0" * 16), "got a header of 4096x4096 texels over 16 bytes"),
        (_dds(10, 0, 4, b"0" * 16), "got a header of 0x4 texels over 16 bytes"),
    ],
)
def test_a_broken_file_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.dds"
    path.write_bytes(content)
    with pytest.raises(TexelscopeError) as caught:
        texels_of(path, "a.dds", tmp_path)
    assert message in str(caught.value)
