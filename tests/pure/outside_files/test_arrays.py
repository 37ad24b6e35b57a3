"""An array from a file, in its own shape and type, with one line for what is none."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import TexelscopeError
from pipeline.outside_files.arrays import npy_values


def test_an_array_keeps_its_shape_and_type(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(6, dtype=np.int16).reshape(2, 3))
    value = npy_values(tmp_path / "a.npy", "a")
    assert (value.dtype.name, value.tolist()) == ("int16", [[0, 1, 2], [3, 4, 5]])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"a: expected a readable \.npy file, got .*Save it again with numpy\.save"),
        (b"\x93NUMPY\x01\x00", r"a: expected a readable \.npy file"),
        (np.array(["text"]), r"a: expected real numbers, got str128\. Convert it to float32"),
        (np.array([object()]), r"a: expected real numbers, got object\. Convert"),
    ],
)
def test_what_is_none_is_told(tmp_path: Path, content: object, message: str) -> None:
    path = tmp_path / "a.npy"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        np.save(path, content, allow_pickle=True)  # type: ignore[arg-type]
    with pytest.raises(TexelscopeError, match=message):
        npy_values(path, "a")


def test_more_than_the_file_holds_takes_no_memory(tmp_path: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (1 << 20, 1 << 20)})
    (tmp_path / "a.npy").write_bytes(header.getvalue() + bytes(8))
    with pytest.raises(TexelscopeError, match=r"a: expected data of shape \[1048576, 1048576\], got \d+ bytes\. Save"):
        npy_values(tmp_path / "a.npy", "a")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(TexelscopeError, match=r"a: expected an \.npy file, got no such file\. Check the path"):
        npy_values(tmp_path / "a.npy", "a")
