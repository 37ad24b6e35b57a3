"""Puts the trained model and its pictures into each variant's folder, which has to be complete in itself.

    python -m examples.webgl_cnn.distribute

Height and width of the model become free, so that one file serves 64x64 and 56x56: the pipeline files say which.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import onnx

FOLDER = Path(__file__).resolve().parent
PICTURES = {
    "as_written": ("townhouse.png", "townhouse_56.png"),
    "fixed": ("townhouse.png", "townhouse_56.png"),
    "broken": ("townhouse.png",),
}


def of_any_size(model: onnx.ModelProto) -> onnx.ModelProto:
    """Name height and width of the inputs and outputs instead of fixing them; the weights do not depend on them."""
    for value in (*model.graph.input, *model.graph.output):
        _, _, height, width = value.type.tensor_type.shape.dim
        height.dim_param, width.dim_param = "height", "width"
    return model


def main() -> None:
    """Write the copies."""
    model = of_any_size(onnx.load(FOLDER / "model.onnx"))
    for variant, pictures in PICTURES.items():
        onnx.save(model, FOLDER / variant / "model.onnx")
        for picture in pictures:
            shutil.copyfile(FOLDER / "inputs" / picture, FOLDER / variant / picture)


if __name__ == "__main__":
    main()
