"""Tests that each problem of a capture is one line, and that nothing is read that a file only claims."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.pure.captured.folders import plan, raw, texels, write
from tests.pure.models import model, node, value
from texelscope import pipeline
from texelscope.pipeline.captured import manifest as manifests
from texelscope.pipeline.captured.reading import read_captured
from texelscope.pipeline.errors import TexelscopeError

PLAN = plan()
A = texels(PLAN, "a")
ENTRY = {"name": "a", "file": "a.raw", "type": "float32"}
NPY = {"name": "a", "file": "a.npy"}
PNG = {"name": "a", "file": "a.png"}


def refusal(folder: Path) -> str:
    with pytest.raises(TexelscopeError) as caught:
        read_captured(folder, PLAN)
    return str(caught.value)


def refused(folder: Path, *entries: dict[str, Any], **top: Any) -> str:
    raw(folder, A)
    return refusal(write(folder, *entries, **top))


WRONG_ENTRIES: dict[str, tuple[dict[str, Any], str]] = {
    "unknown tensor": (
        {**ENTRY, "name": "axt"},
        "capture.json tensors 'axt': expected a tensor or pass of net, got 'axt'. Did you mean 'act'?",
    ),
    "no name": (
        {"file": "a.raw", "type": "float32"},
        "capture.json tensors number 1 name: expected a string, got nothing. Add 'name = …'.",
    ),
    "unknown key": (
        {**ENTRY, "flip": True},
        "capture.json tensors 'a' flip: expected a known key, got 'flip'. Did you mean 'flipped'?",
    ),
    "unknown type": (
        {**ENTRY, "type": "float64"},
        "capture.json tensors 'a' type: expected one of float32, float16, uint8, rgb10_a2, r11g11b10, got 'float64'. "
        "Did you mean",
    ),
    "no type": (
        {"name": "a", "file": "a.raw"},
        "capture.json tensors 'a' type: expected one of float32, float16, uint8, rgb10_a2, r11g11b10, got nothing. "
        "Say what raw numbers are; .npy and .png do.",
    ),
    "no values": (
        {"name": "a", "type": "float32"},
        "capture.json tensors 'a': expected one of file, data, got none of them. Say once where the values are.",
    ),
    "values twice": (
        {**ENTRY, "data": "AAAA"},
        "capture.json tensors 'a': expected one of file, data, got file and data. Say once where the values are.",
    ),
    "width alone": (
        {**ENTRY, "width": 15},
        "capture.json tensors 'a' width: expected width and height, or neither, got one of them. Add the other.",
    ),
    "a size beyond any texture": (
        {**ENTRY, "width": 1 << 40, "height": 12},
        "capture.json tensors 'a' width: expected a whole number from 1 to 131072, got 1099511627776. Correct it.",
    ),
    "five channels": (
        {**ENTRY, "channels": 5},
        "capture.json tensors 'a' channels: expected a whole number from 1 to 4, got 5. Correct it.",
    ),
    "flipped as text": (
        {**ENTRY, "flipped": "yes"},
        "capture.json tensors 'a' flipped: expected true or false, got a string, 'yes'. Change its type.",
    ),
    "tensor and texture": (
        {**ENTRY, "shape": [1, 5, 6, 5], "layout": "channel_tiles"},
        "capture.json tensors 'a' shape: expected a tensor in C order, or a texture, got both. "
        "Remove shape, or width, height and layout.",
    ),
    "unknown layout": (
        {**ENTRY, "layout": "channel_tile"},
        "capture.json tensors 'a' layout: expected the name of a layout, got 'channel_tile'. "
        "Did you mean 'channel_tiles'?",
    ),
    "another shape": (
        {**ENTRY, "shape": [1, 5, 6, 6]},
        "capture.json tensors 'a': expected a tensor of shape [1, 5, 6, 5], got [1, 5, 6, 6]. "
        "Correct it, or capture that tensor.",
    ),
    "axes of a texture": (
        {**ENTRY, "axes": "nhwc"},
        "capture.json tensors 'a' axes: expected a buffer with its shape, or an .npy, got a texture. "
        "It has a layout: remove 'axes'.",
    ),
    "channels last": (
        {**ENTRY, "shape": [6, 5, 5]},
        "capture.json tensors 'a': expected a tensor of shape [1, 5, 6, 5], got [6, 5, 5]. "
        "Add axes = 'nhwc' if channels lie last.",
    ),
    "the size of another layout": (
        {**ENTRY, "width": 10, "height": 6},
        "capture.json tensors 'a': expected a texture of 15x12 texels for shape [1, 5, 6, 5] in channel_tiles, "
        "got 10x6. That is its size in channel_tiles_rgba and ncnn_pack8: name the layout.",
    ),
    "one channel": (
        {**ENTRY, "width": 5, "height": 6},
        "capture.json tensors 'a': expected a texture of 15x12 texels for shape [1, 5, 6, 5] in channel_tiles, "
        "got 5x6. That is one channel alone: capture the whole texture, or name its layout.",
    ),
    "another size": (
        {**ENTRY, "width": 7, "height": 7},
        "got 7x7. Name the layout that it has, or capture the whole texture.",
    ),
    "one channel for a layout of four": (
        {**NPY, "layout": "channel_tiles_rgba"},
        "capture.json tensors 'a': expected 4 numbers a texel, which channel_tiles_rgba uses, got 1. "
        "Read it as RGBA, or name the layout that it has.",
    ),
    "bytes of other channels": (
        {**ENTRY, "channels": 4},
        "capture.json tensors 'a' (a.raw): expected 2880 bytes (15 x 12 texels, each 4 numbers of float32), got 720. "
        "This number fits float32 with channels = 1: correct 'channels' or 'type'.",
    ),
    "a folder's way out": (
        {**ENTRY, "file": "../a.raw"},
        "'../a.raw': expected a path inside the capture's folder, got one that leads out of it. "
        "Copy the file into the folder.",
    ),
    "an absolute path": (
        {**ENTRY, "file": "/a.raw"},
        "'/a.raw': expected a path relative to the capture file, with /, got another kind of path. "
        "Copy the file into the folder.",
    ),
    "no such file": (
        {**ENTRY, "file": "b.raw"},
        "'b.raw': expected a file, got none of that name. Did you mean 'a.raw'?",
    ),
    "flipped tensor": (
        {**ENTRY, "shape": [1, 5, 6, 5], "flipped": True},
        "expected a tensor in C order, or a texture, got both.",
    ),
    "no base64": (
        {"name": "a", "data": "!" * 960, "type": "float32"},
        "capture.json tensors 'a' data: expected base64, got ",
    ),
    "base64 that is cut off": (
        {"name": "a", "data": base64.b64encode(A.tobytes()).decode()[:-40], "type": "float32"},
        "capture.json tensors 'a': expected 720 bytes (15 x 12 texels, each the layout's numbers of float32), got 690. "
        "Correct 'type' and 'channels', or capture again: it may be cut off.",
    ),
}


@pytest.mark.parametrize(("entry", "says"), WRONG_ENTRIES.values(), ids=WRONG_ENTRIES)
def test_an_entry_that_is_wrong(tmp_path: Path, entry: dict[str, Any], says: str) -> None:
    np.save(tmp_path / "a.npy", np.zeros((6, 10), np.float32))
    message = refused(tmp_path, entry)
    assert says in message
    assert "\n" not in message


def test_a_file_that_is_cut_off(tmp_path: Path) -> None:
    raw(tmp_path, A.reshape(-1)[:-1])
    assert refusal(write(tmp_path, ENTRY)) == (
        "capture.json tensors 'a' (a.raw): expected 720 bytes (15 x 12 texels, each the layout's numbers of float32), "
        "got 716. Correct 'type' and 'channels', or capture again: it may be cut off."
    )


def test_rows_padded_to_four_bytes(tmp_path: Path) -> None:
    raw(tmp_path, np.zeros((12, 16), np.uint8))
    message = refusal(write(tmp_path, {**ENTRY, "type": "uint8"}))
    assert "got 192. This number fits rows padded to 4 bytes: capture with PACK_ALIGNMENT 1." in message


def test_a_buffer_of_another_length(tmp_path: Path) -> None:
    message = refused(tmp_path, {**ENTRY, "shape": [1, 5, 6, 5]})
    assert "(1 x 5 x 6 x 5 numbers of float32), got 720. Correct 'type', or capture again." in message


@pytest.mark.parametrize(
    ("held", "says"),
    [
        (
            np.zeros((3, 3)),
            "expected an array of shape [1, 5, 6, 5], or of its texture, [12, 15] and channels, got [3, 3]. "
            "Save one of them, or name the layout.",
        ),
        (
            np.zeros((12, 15), complex),
            "expected real numbers, got complex128. Convert it to float32.",
        ),
    ],
)
def test_an_npy_of_something_else(tmp_path: Path, held: NDArray[Any], says: str) -> None:
    np.save(tmp_path / "a.npy", held)
    assert says in refused(tmp_path, NPY)


def test_an_npy_of_objects_is_not_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.full((12, 15), None, dtype=object))
    assert "expected real numbers, got object." in refused(tmp_path, NPY)


def test_an_npy_of_the_tensor_has_no_rows_to_flip(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((1, 5, 6, 5), np.float32))
    message = refused(tmp_path, {**NPY, "flipped": True})
    assert "expected a texture, whose rows may be flipped, got a tensor. Remove 'flipped'." in message


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("a.npy", "a readable .npy file, got other bytes. Save it again with numpy.save."),
        ("a.png", "a readable picture, got another kind of file. Capture it again."),
    ],
)
def test_a_file_that_is_not_what_its_name_says(tmp_path: Path, file: str, says: str) -> None:
    (tmp_path / file).write_bytes(b"something else")
    message = refused(tmp_path, {"name": "a", "file": file})
    assert message == f"capture.json tensors 'a' ({file}): expected {says}"


def test_a_picture_of_another_size_or_of_16_bits(tmp_path: Path) -> None:
    Image.new("L", (7, 7)).save(tmp_path / "a.png")
    assert "expected a picture of 15x12 texels, got 7x7. Capture the whole texture" in refused(tmp_path, PNG)
    Image.new("I;16", (15, 12)).save(tmp_path / "a.png")
    assert "expected a PNG of 8 bits: grey, RGB or RGBA, got mode I;16. Save it as" in refused(tmp_path, PNG)


def test_a_tensor_twice(tmp_path: Path) -> None:
    assert "capture.json tensors: expected each tensor once, got 'a' twice." in refused(tmp_path, ENTRY, ENTRY)
    both = refused(tmp_path, ENTRY, {**ENTRY, "name": "conv"})
    assert "capture.json tensors 'conv': expected each tensor once, got 'a' under two names. Remove one" in both


WRONG_MANIFESTS = {
    "no list": ({"tensors": {"a": 1}}, "capture.json tensors: expected a list of tables, got dict. Write"),
    "nothing": ({"tensors": []}, "capture.json tensors: expected at least one tensor, got none. Add what was dumped."),
    "version": (
        {"version": 2},
        "capture.json version: expected 1, got 2. Capture again, or take a newer program.",
    ),
    "no version": (
        {"version": None},
        "capture.json version: expected a whole number, got nothing. Add 'version = …'.",
    ),
    "unknown key": ({"tensor": []}, "capture.json tensor: expected a known key, got 'tensor'. Did you mean 'tensors'?"),
    "shaders": ({"shaders": "mine"}, "capture.json shaders: expected one of target, other, got 'mine'."),
    "unknown input": (
        {"inputs": [{"name": "z", "source": "ramp"}]},
        "capture.json inputs 'z': expected an input of net, got 'z'. Valid: x.",
    ),
    "no input": (
        {"inputs": []},
        "capture.json input 'x': expected the values that it had, got none. Name them under 'inputs', or with --input "
        "x=FILE.",
    ),
    "an input outside, called like a pattern": (
        {"inputs": [{"name": "x", "source": "other:/../../x.npy"}]},
        "'other:/../../x.npy': expected a path relative to the capture file, with /, got another kind of path.",
    ),
    "an input outside": (
        {"inputs": [{"name": "x", "source": "../x.npy"}]},
        "'../x.npy': expected a path inside the capture's folder, got one that leads out of it.",
    ),
}


@pytest.mark.parametrize(("top", "says"), WRONG_MANIFESTS.values(), ids=WRONG_MANIFESTS)
def test_a_manifest_that_is_wrong(tmp_path: Path, top: dict[str, Any], says: str) -> None:
    assert says in refused(tmp_path, ENTRY, **top)


def test_no_manifest(tmp_path: Path) -> None:
    message = refusal(tmp_path)
    assert message.endswith(
        "expected a manifest, capture.json or capture.toml, got none. Write one: docs/captures.md says what it holds."
    )
    assert refusal(tmp_path / "none").endswith(
        "expected a folder with a capture, or its manifest, got no such file. Check the path."
    )


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"{", "capture.json: expected JSON, got 'Expecting property name"),
        (b"[]", "capture.json: expected an object with 'tensors', got list. See docs/captures.md."),
        (b"\xff", "capture.json: expected UTF-8 text, got byte 0 is not. Save it as UTF-8."),
        (b"[" * 100_000, "capture.json: expected at most 100 text depth, got 101. "),
        (b'{"version": ' + b"1" * 5000 + b"}", "capture.json: expected at most 100 number digits, got 5,000. "),
    ],
)
def test_a_manifest_that_is_none(tmp_path: Path, data: bytes, says: str) -> None:
    (tmp_path / "capture.json").write_bytes(data)
    assert refusal(tmp_path).startswith(says)


def test_a_manifest_in_toml_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "capture.toml").write_text("version =")
    assert refusal(tmp_path).startswith("capture.toml: expected TOML, got 'Invalid value")


def test_a_manifest_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifests, "MAX_MANIFEST_BYTES", 10)
    (tmp_path / "capture.json").write_text(json.dumps({"version": 1}))
    assert refusal(tmp_path) == "capture.json: expected at most 10 bytes, got 14. Put the values into files."


def test_a_manifest_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "capture.json").mkdir()
    assert "expected a manifest, capture.json or capture.toml, got none." in refusal(tmp_path)


def test_a_manifest_that_only_pretends_to_be_a_file() -> None:
    assert refusal(Path("/proc/self/mem")).startswith("mem: expected JSON, got 'Expecting value: line 1 column 1")


def test_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Any, *arguments: Any, **options: Any) -> int:
        if str(path).endswith(".raw"):
            raise PermissionError(13, "Permission denied")
        return real(path, *arguments, **options)

    real = os.open
    monkeypatch.setattr(os, "open", refuse)
    message = refused(tmp_path, ENTRY)
    assert message.endswith(
        "tensors 'a' (a.raw): expected a readable file, got one that you may not read. Check the path."
    )


def test_a_value_of_the_wrong_type_is_not_told_at_length(tmp_path: Path) -> None:
    message = refused(tmp_path, {"name": "a", "data": list(range(10_000)), "type": "float32"})
    assert "capture.json tensors 'a' data: expected a string, got an array, [0, 1, 2," in message
    assert len(message) < 300


def test_channels_last_take_four_axes(tmp_path: Path) -> None:
    flat = pipeline.plan_of(model([node("Flatten", "x", "y")], outputs=[value("y", (1, 192))]))
    raw(tmp_path, np.zeros(192, np.float32))
    write(tmp_path, {"name": "y", "file": "a.raw", "type": "float32", "shape": [192], "axes": "nhwc"})
    with pytest.raises(TexelscopeError) as caught:
        read_captured(tmp_path, flat)
    assert str(caught.value) == (
        "capture.json tensors 'y': expected a tensor of four axes for axes 'nhwc', got shape [1, 192]. Remove 'axes'."
    )
