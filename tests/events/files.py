"""Lists files that a person might open: right targets, and files that cannot be loaded."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper
from PIL import Image

from tests.checkout import ROOT

# What was once found to break something, where it is there.
CORPUS = ROOT / "tests" / "fuzz" / "corpus" / "files"
EXAMPLE = ROOT / "examples" / "webgl_cnn"


def base_target(folder: Path) -> Path:
    """Copies an example with six shaders; they may be overwritten."""
    copy = folder / "own"
    shutil.copytree(EXAMPLE, copy)
    return copy / "broken.toml"


def other_files(folder: Path) -> list[Path]:
    """Models and pictures, arrays and texts, good and bad; the folder itself too."""
    return [*good_files(folder), *bad_files(folder), *CORPUS.rglob("*.*"), folder]


def good_files(folder: Path) -> list[Path]:
    """A model, one with an operator that nobody knows, a picture and an array."""
    np.save(folder / "array.npy", np.linspace(0, 1, 3 * 64 * 64, dtype=np.float32).reshape(1, 3, 64, 64))
    Image.new("RGB", (20, 10), (200, 30, 60)).save(folder / "small.png")
    _model(folder / "good.onnx", "Relu", (1, 3, 8, 8))
    _model(folder / "strange.onnx", "Unheard", (1, 2, 4, 4))
    return [folder / name for name in ("array.npy", "small.png", "good.onnx", "strange.onnx")]


def bad_files(folder: Path) -> list[Path]:
    """Files that cannot be taken up, of each kind that may be opened or set as an input; some are none at all."""
    made = [folder / name for name in ("there_is_no.onnx", "no_folder/of.png", "x" * 255 + ".onnx")]
    made += _bad_models(folder) + _bad_texts(folder) + _bad_numbers(folder) + _no_files(folder)
    empty = folder / "empty folder"
    empty.mkdir()
    return [*made, empty]


def _bad_models(folder: Path) -> list[Path]:
    demo = (ROOT / "examples" / "facades" / "facades.onnx").read_bytes()
    texts = {
        **{f"cut{size}.onnx": demo[:size] for size in (1, 40, 3000, 100_000)},
        "text.onnx": b"These are the weights, I am told.\n",
        "empty.onnx": b"",
        "zeros.onnx": bytes(4096),
        "long name " + "n" * 200 + ".onnx": demo[:64],
        "line\nbreak\x1b[31m.onnx": demo[:64],
        "bundle.zip": b"PK\x05\x06" + bytes(18),
        "empty.texelscope": b"PK\x05\x06" + bytes(18),
        "torn.texelscope": b"PK\x03\x04" + bytes(40),
        "recording.tfjs.zip": b"PK\x05\x06" + bytes(18),
    }
    for name, content in texts.items():
        (folder / name).write_bytes(content)
    _model(folder / "wide.onnx", "Relu", (1, 1, 40_000, 40_000))
    _model(folder / "free.onnx", "Relu", (1, 1, 4, "width"))
    return [*(folder / name for name in texts), folder / "wide.onnx", folder / "free.onnx"]


def _bad_texts(folder: Path) -> list[Path]:
    texts = {
        "bad.toml": "[pipeline\nname = 3",
        "odd.toml": '[[passes]]\nname = "a"\nshader = "missing.frag"\n',
        "none.toml": '[[pass]]\nname = "a"\nshader = "missing.frag"\noutput = [1, 1, 4, 4]\n',
        "digits.toml": "size = " + "9" * 5000,
        "deep.toml": "a = " + "[" * 5000,
        "twice.toml": "a = 1\na = 2\n",
        "controls.toml": 'name = "\\u0007\\u001b[2J"\n[[pass]]\n"\\u001b" = 1\n',
        "notes.txt": "nothing",
        "hook.glsl": "//!HOOK MAIN\n//!BIND\n//!WHEN )(\nvec4 hook() {",
        "macro.comp": "#version 450\n#define A A A\nvoid main() { A }",
        "manifest.json": '{"version": 1, "entries": [' + "[" * 2000,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "latin.toml").write_bytes(b'name = "\xff\xfe"')
    return [*(folder / name for name in texts), folder / "latin.toml"]


def _bad_numbers(folder: Path) -> list[Path]:
    np.save(folder / "nan.npy", np.full((1, 3, 8, 8), np.nan, dtype=np.float32))
    np.save(folder / "words.npy", np.array(["a", "b"]))
    whole = (folder / "nan.npy").read_bytes()
    Image.new("RGB", (64, 64), (200, 30, 60)).save(folder / "whole.jpg")
    contents = {
        "cut.npy": whole[:200],
        "header.npy": whole[:40],
        "huge.npy": whole.replace(b"(1, 3, 8, 8)", b"(1, 3, 8, 80000000000)".ljust(22))[:400],
        "none.npy": b"",
        "broken.png": b"\x89PNG\r\n\x1a\n" + bytes(40),
        "cut.jpg": (folder / "whole.jpg").read_bytes()[:200],
        "text.png": b"no picture",
        "text.mp4": b"no video",
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [*(folder / name for name in contents), folder / "nan.npy", folder / "words.npy"]


def _no_files(folder: Path) -> list[Path]:
    """Pipes that nobody writes to, links in circles, links to nothing, devices, folders with the names of files."""
    made = []
    for suffix in ("onnx", "png", "toml", "npy"):
        os.mkfifo(folder / f"pipe.{suffix}")
        (folder / f"circle.{suffix}").symlink_to(folder / f"circle.{suffix}")
        (folder / f"nowhere.{suffix}").symlink_to(folder / "nothing")
        (folder / f"zero.{suffix}").symlink_to("/dev/zero")
        made += [folder / f"{kind}.{suffix}" for kind in ("pipe", "circle", "nowhere", "zero")]
    (folder / "folder.onnx").mkdir()
    return [*made, folder / "folder.onnx"]


def _model(path: Path, operator: str, shape: tuple[int | str, ...]) -> None:
    node = helper.make_node(operator, ["x"], ["y"], name="odd_one")
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("x", "y")]
    graph = helper.make_graph([node], "made", [values[0]], [values[1]])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.write_bytes(model.SerializeToString())


def edits(shader: str) -> list[str]:
    """Returns texts that somebody may save in place of a shader: unchanged, changed, torn, empty."""
    return [
        shader,
        shader.replace("+ 1.0", "+ 0.0"),
        shader.replace(";", "", 1),
        shader[: len(shader) // 2],
        "",
        shader.replace("main", "mian"),
        shader + "\n// " + "x" * 5000,
    ]
