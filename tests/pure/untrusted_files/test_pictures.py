"""Pictures of the formats that are meant, as large as they may be, with one line for everything else."""

from __future__ import annotations

import contextlib
import struct
import sys
import zlib
from pathlib import Path

import pytest
from PIL import Image

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.inputs.sources import picture_size, read_picture
from texelscope.pipeline.inputs.video import unpack_frames
from texelscope.pipeline.quotas import QuotaError, Quotas, allowing
from texelscope.pipeline.untrusted_files.pictures import FORMATS, opened_picture


def refusal(path: Path) -> str:
    with pytest.raises(TexelscopeError) as caught:
        read_picture(path, (1, 3, 4, 6), fit=True)
    return str(caught.value)


@pytest.mark.parametrize("kind", FORMATS)
def test_each_format_is_read_whatever_the_name_says(tmp_path: Path, kind: str) -> None:
    Image.new("RGB", (6, 4), (255, 0, 0)).save(tmp_path / "a.png", format=kind, lossless=True)
    assert read_picture(tmp_path / "a.png", (1, 3, 4, 6))[0, 0].min() > 0.9
    whole = (tmp_path / "a.png").read_bytes()
    for share in range(6):
        (tmp_path / "a.png").write_bytes(whole[: len(whole) * share // 12])
        assert "input 'input' (a.png): expected a readable picture, got " in refusal(tmp_path / "a.png")


@pytest.mark.parametrize("kind", ["EPS", "PDF", "PPM", "ICO", "TGA", "PCX", "JPEG2000"])
def test_other_formats_stay_shut(tmp_path: Path, kind: str) -> None:
    """Pillow would start Ghostscript for a PostScript file that calls itself a PNG."""
    Image.new("RGB", (16, 16)).save(tmp_path / "a.png", format=kind)
    assert "expected a readable picture, got another kind of file" in refusal(tmp_path / "a.png")
    assert picture_size(str(tmp_path / "a.png")) is None


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, data: bytes = b"") -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def test_a_bomb_is_told_by_its_header(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png(12_000, 12_000))
    assert "at most 67,108,864 picture pixels, got 144,000,000" in refusal(path)
    path.write_bytes(png(2**31 - 1, 2**31 - 1))
    assert "expected a readable picture, got " in refusal(path)
    with allowing(Quotas(picture_pixels=10)):
        path.write_bytes(png(6, 4))
        with pytest.raises(QuotaError, match="at most 10 picture pixels, got 24"), opened_picture(path):
            pass
        with pytest.raises(QuotaError, match="at most 10 picture pixels"):
            unpack_frames(path, tmp_path)


def test_a_picture_without_its_pixels_or_with_broken_parts(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    for data in (png(6, 4), png(0, 4), png(6, 4)[:40], b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", b"short")):
        path.write_bytes(data)
        assert "expected a readable picture, got " in refusal(path)
    path.write_bytes(b"II*\0\xff\xff\xff\xff")  # a TIFF whose first table lies beyond its end
    assert "expected a readable picture, got " in refusal(path)


def test_libraries_keep_what_they_think_of_a_broken_picture_to_themselves(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.tif"
    Image.new("RGB", (6, 4), (255, 0, 0)).save(path, compression="tiff_lzw")
    whole = path.read_bytes()
    read_picture(path, (1, 3, 4, 6))
    for place in range(8, len(whole), 3):
        path.write_bytes(whole[:place] + b"\xff\xff" + whole[place + 2 :])
        with contextlib.suppress(TexelscopeError):
            read_picture(path, (1, 3, 4, 6), fit=True)
    assert capfd.readouterr() == ("", "")
    sys.stderr.write("still there\n")
    assert capfd.readouterr().err == "still there\n"
