"""Tests that a file opened by mistake gets one line that says what to do, and the window lives on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper
from PIL import Image

from tests.checkout import ROOT
from tests.gl.commands.test_hostile_names import hostile_model
from tests.gui.desktop import Desktop, Window

DEMO = ROOT / "examples" / "facades" / "facades.onnx"


@pytest.fixture(scope="module")
def files(typed_folder: Path) -> Path:
    """A folder of files that cannot be taken up, and one model of free width."""
    folder = typed_folder
    (folder / "cut.onnx").write_bytes(DEMO.read_bytes()[:100_000])
    (folder / "circle.onnx").symlink_to(folder / "circle.onnx")
    (folder / "text.onnx").write_text("These are the weights, I am told.\n")
    save(folder / "good.onnx", "Relu", (1, 3, 8, 8))
    save(folder / "strange.onnx", "Unheard", (1, 2, 4, 4))
    save(folder / "wide.onnx", "Relu", (1, 1, 40_000, 40_000))
    save(folder / "free.onnx", "Relu", (1, 1, 4, "width"))
    Image.new("RGB", (20, 10)).save(folder / "small.png")
    np.save(folder / "nan.npy", np.full((1, 3, 8, 8), np.nan, dtype=np.float32))
    return folder


def save(path: Path, operator: str, shape: tuple[int | str, ...]) -> None:
    node = helper.make_node(operator, ["x"], ["y"], name="odd_one")
    graph = helper.make_graph(
        [node],
        "made",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.write_bytes(model.SerializeToString())


@pytest.fixture(scope="module")
def window(desktop: Desktop, files: Path) -> Iterator[Window]:
    """Returns one window on a small model for all files."""
    window = desktop.start(files / "good.onnx", "--verbose")
    desktop.wait_until(lambda: "1/1 match" in desktop.title(window), "all passes are compared", window=window)
    yield window
    window.close()


def open_file(desktop: Desktop, window: Window, path: Path, shapes: str = "") -> None:
    """Types Ctrl+O, the path, and the shapes of free dimensions."""
    desktop.press("ctrl+o", "ctrl+a")
    desktop.write(str(path))
    desktop.press("Tab", "ctrl+a", "BackSpace")
    if shapes:
        desktop.write(shapes)
    desktop.press("Return")


MISTAKES = {
    "cut.onnx": "cut.onnx: expected an ONNX model, got something else or a truncated file",
    "text.onnx": "text.onnx: expected an ONNX model, got something else",
    "missing.onnx": "missing.onnx: expected an ONNX file, got no such file.",
    "circle.onnx": "circle.onnx: expected a readable ONNX file, got links that lead round in a circle.",
    "wide.onnx": "expected at most 3.5 GiB of memory, got",
    "free.onnx": "expected a shape without free dimensions, got [1,1,4,width]",
    "small.png": "input 'x' (small.png): expected a picture of 8x8 (width x height), got 20x10.",
    "nan.npy": "expected finite numbers, got 192 NaN or infinite ones",
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_file_that_cannot_be_opened_leaves_the_last_good_one(
    desktop: Desktop, window: Window, files: Path, name: str
) -> None:
    before = len(window.seen()["log"])
    open_file(desktop, window, files / name)
    desktop.wait_for(window, lambda seen: len(seen["log"]) > before, "the log says something")
    (line,) = window.seen()["log"][before:]
    assert line.startswith("error: ")
    assert MISTAKES[name] in line
    assert "\n" not in line
    assert window.seen()["target"] == str(files / "good.onnx")
    assert "1/1 match" in desktop.title(window)


def test_a_free_dimension_of_zero_is_refused(desktop: Desktop, window: Window, files: Path) -> None:
    before = len(window.seen()["log"])
    open_file(desktop, window, files / "free.onnx", " --shape x=1,1,4,0")
    desktop.wait_for(window, lambda seen: len(seen["log"]) > before, "the log says something")
    (line,) = window.seen()["log"][before:]
    assert line.startswith("error: ")
    assert "expected a shape of positive sizes, got [1, 1, 4, 0]." in line


def test_an_operator_that_is_not_known_is_named_with_its_node(desktop: Desktop, window: Window, files: Path) -> None:
    open_file(desktop, window, files / "strange.onnx")
    desktop.wait_for(window, lambda seen: seen["target"].endswith("strange.onnx"), "the rest of the model is open")
    (line,) = [line for line in window.seen()["log"] if line.startswith("warning: ")]
    assert "Unheard" in line
    assert "odd_one" in line
    open_file(desktop, window, files / "good.onnx")
    desktop.wait_until(lambda: "1/1 match" in desktop.title(window), "the good model is back", window=window)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cut.onnx"], "cut.onnx: expected an ONNX model"),
        (["good.onnx", "--input", "x=small.png"], "expected a picture of 8x8"),
    ],
)
def test_a_mistake_on_the_command_line_stands_in_the_window(
    desktop: Desktop, window: Window, files: Path, arguments: list[str], message: str
) -> None:
    arguments = [each.replace("small", f"{files}/small").replace("good", f"{files}/good") for each in arguments]
    second = desktop.start(*[files / each if each == "cut.onnx" else each for each in arguments])
    try:
        desktop.wait_for(second, lambda seen: bool(seen.get("failure")), "the mistake is shown")
        assert message in second.seen()["failure"]
        assert desktop.title(second) == "Texelscope – nothing open"
        open_file(desktop, second, files / "good.onnx")
        desktop.wait_for(second, lambda seen: seen["target"] is not None, "another file can be opened")
    finally:
        second.close()


def test_hostile_names_are_shown_as_letters_and_no_panel_fails(desktop: Desktop, window: Window, files: Path) -> None:
    """In a folder with a file whose name is no UTF-8, which the dialog lists while its path is typed."""
    Path(os.fsdecode(os.fsencode(files) + b"/\xff\x1b.onnx")).write_bytes(b"")
    (files / "hostile.onnx").write_bytes(hostile_model().SerializeToString())
    before = len(window.seen()["log"])
    open_file(desktop, window, files / "hostile.onnx")
    desktop.wait_until(lambda: "3/3 match" in desktop.title(window), "all passes are compared", window=window)
    for _ in range(3):
        desktop.press("Down")
    lines = window.seen()["log"][before:]
    assert not [line for line in lines if "fail" in line or "\n" in line or "\x1b" in line]
