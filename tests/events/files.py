"""What a person might open: targets that are right, and files that cannot be taken up."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper
from PIL import Image

from tests.checkout import ROOT

EXAMPLE = ROOT / "examples" / "webgl_cnn" / "broken"


def base_target(folder: Path) -> Path:
    """A copy of an example with six shaders of its own; they may be overwritten."""
    copy = folder / "own"
    shutil.copytree(EXAMPLE, copy)
    return copy / "pipeline.toml"


def other_files(folder: Path) -> list[Path]:
    """Models and pictures, arrays and texts, good and bad."""
    demo = ROOT / "examples" / "facades" / "facades.onnx"
    (folder / "cut.onnx").write_bytes(demo.read_bytes()[:100_000])
    (folder / "text.onnx").write_text("These are the weights, I am told.\n")
    (folder / "empty.onnx").write_bytes(b"")
    (folder / "bad.toml").write_text("[pipeline\nname = 3")
    (folder / "odd.toml").write_text('[[passes]]\nname = "a"\nshader = "missing.frag"\n')
    (folder / "bundle.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    (folder / "notes.txt").write_text("nothing")
    np.save(folder / "nan.npy", np.full((1, 3, 8, 8), np.nan, dtype=np.float32))
    np.save(folder / "array.npy", np.linspace(0, 1, 3 * 64 * 64, dtype=np.float32).reshape(1, 3, 64, 64))
    Image.new("RGB", (20, 10), (200, 30, 60)).save(folder / "small.png")
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    _model(folder / "good.onnx", "Relu", (1, 3, 8, 8))
    _model(folder / "strange.onnx", "Unheard", (1, 2, 4, 4))
    _model(folder / "wide.onnx", "Relu", (1, 1, 40_000, 40_000))
    _model(folder / "free.onnx", "Relu", (1, 1, 4, "width"))
    made = [path for path in sorted(folder.iterdir()) if path.is_file()]
    return [*made, folder / "there_is_no.onnx", folder]


def _model(path: Path, operator: str, shape: tuple[int | str, ...]) -> None:
    node = helper.make_node(operator, ["x"], ["y"], name="odd_one")
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("x", "y")]
    graph = helper.make_graph([node], "made", [values[0]], [values[1]])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.write_bytes(model.SerializeToString())


def edits(shader: str) -> list[str]:
    """What somebody may save in place of a shader: it as it was, changed, torn, empty."""
    return [
        shader,
        shader.replace("+ 1.0", "+ 0.0"),
        shader.replace(";", "", 1),
        shader[: len(shader) // 2],
        "",
        shader.replace("main", "mian"),
        shader + "\n// " + "x" * 5000,
    ]
