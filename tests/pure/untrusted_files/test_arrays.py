"""An array from a file, in its own shape and type, with one line for what is none."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.untrusted_files.arrays import npy_values


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


def header(text: str, version: bytes = b"\1\0") -> bytes:
    length = len(text).to_bytes(2 if version == b"\1\0" else 4, "little")
    return b"\x93NUMPY" + version + length + text.encode("latin-1")


def described(descr: object, shape: object, *, fortran_order: object = False) -> bytes:
    return header(repr({"descr": descr, "fortran_order": fortran_order, "shape": shape}) + "\n")


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
@pytest.mark.parametrize(
    "value", [np.float32(2.5), np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.zeros((2, 0, 3))]
)
def test_whatever_numpy_writes_is_read(tmp_path: Path, version: tuple[int, int], value: NDArray[Any]) -> None:
    with (tmp_path / "a.npy").open("wb") as file:
        np.lib.format.write_array(file, np.asanyarray(value), version=version)
        file.write(b"more")
    found = npy_values(tmp_path / "a.npy")
    np.testing.assert_array_equal(found, value, strict=True)
    assert found.flags.writeable


def test_a_file_that_ends_anywhere_is_a_line(tmp_path: Path) -> None:
    np.save(tmp_path / "whole.npy", np.arange(4.0))
    whole = (tmp_path / "whole.npy").read_bytes()
    for count in range(0, len(whole), 3):
        (tmp_path / "a.npy").write_bytes(whole[:count])
        with pytest.raises(TexelscopeError, match=r"^a: expected (a readable \.npy file|data of shape \[4\]), got "):
            npy_values(tmp_path / "a.npy", "a")


@pytest.mark.parametrize(
    ("content", "got"),
    [
        (header("{'descr': '<f4', 'fortran_order': False, 'shape': (4,"), "a header that is none"),
        (header("(" * 3000), "a header that is none"),
        (header("-" * 4000 + "1"), "a header that is none"),
        (header("__import__('os')"), "a header that is none"),
        (header("{[]: 1}"), "a header that is none"),
        (header("{'shape': (), 'descr': '<f4'}"), "a header without type, order or shape"),
        (header("7"), "a header without type, order or shape"),
        (header(" " * 60_000), "a header of 60000 bytes"),
        (header("7", b"\2\0")[:8] + b"\xff\xff\xff\xff", "a header of 4294967295 bytes"),
        (header("7", b"\x09\0"), "version 9.0 of the format"),
        (described("<f4", (-1,)), "a header with a wrong shape or order"),
        (described("<f4", (True,)), "a header with a wrong shape or order"),
        (described("<f4", [4]), "a header with a wrong shape or order"),
        (described("<f4", (2**63,)), "a header with a wrong shape or order"),
        (described("<f4", (), fortran_order=1), "a header with a wrong shape or order"),
        (described("<f999", ()), "numbers of type '<f999'"),
        (described("V1000000000", ()), "void8000000000"),
        (described("(3,)<f4", ()), "void96|float32|tables"),
        (described([("a", "<f4")], ()), "tables of several types"),
        (described("<f4", (0, 2**62)), r"shape \[0, 4611686018427387904\]"),
        (described("<f4", (0, 2**40)), None),
        (described("<f4", (1,) * 65) + bytes(4), "65"),
        (b"PK\3\4", "an archive, as .npz files are"),
    ],
)
def test_a_header_that_lies_is_a_line(tmp_path: Path, content: bytes, got: str | None) -> None:
    (tmp_path / "a.npy").write_bytes(content)
    if got is None:
        assert npy_values(tmp_path / "a.npy").size == 0
        return
    with pytest.raises(TexelscopeError, match=rf"^a: expected .*, got ({got})\. "):
        npy_values(tmp_path / "a.npy", "a")


def test_a_byte_is_a_truth_value_whatever_it_holds(tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_bytes(described("|b1", (3,)) + b"\0\1\7")
    assert npy_values(tmp_path / "a.npy").tolist() == [False, True, True]
