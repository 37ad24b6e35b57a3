"""Runs a picture-to-picture ONNX model with the reference implementation and shows inputs above outputs.

python -m examples.facades.preview examples/facades/facades.onnx examples/facades/inputs/*.png --to sheet.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx.reference import ReferenceEvaluator
from PIL import Image

Picture = NDArray[np.uint8]


def load_picture(path: Path) -> Picture:
    """Read a picture as sRGB, [height, width, 3]."""
    with Image.open(path) as file:
        return np.asarray(file.convert("RGB"))


def run_model(model: onnx.ModelProto, pictures: list[Picture]) -> list[Picture]:
    """Return the model's picture of each; its one input and one output are float32 [1, 3, h, w] in [0, 1]."""
    evaluator = ReferenceEvaluator(model)
    name = model.graph.input[0].name
    results = []
    for picture in pictures:
        planes = (picture.astype(np.float32) / 255).transpose(2, 0, 1)[None]
        [output] = np.asarray(evaluator.run(None, {name: planes}))[0].transpose(0, 2, 3, 1)
        results.append(np.asarray(np.clip(output, 0, 1) * 255 + 0.5).astype(np.uint8))
    return results


def main() -> None:
    """Read the command line and write the sheet."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("model", type=Path, help="an ONNX file with one input and one output")
    parser.add_argument("pictures", type=Path, nargs="+", help="pictures of the size that the model takes")
    parser.add_argument("--to", type=Path, required=True, help="the PNG file to write")
    parser.add_argument("--zoom", type=int, default=2, help="pixels per pixel (default: 2)")
    arguments = parser.parse_args()
    inputs = [load_picture(path) for path in arguments.pictures]
    outputs = run_model(onnx.load(arguments.model), inputs)
    sheet = Image.fromarray(np.vstack([np.hstack(inputs), np.hstack(outputs)]))
    size = (sheet.width * arguments.zoom, sheet.height * arguments.zoom)
    sheet.resize(size, Image.Resampling.NEAREST).save(arguments.to, optimize=True)


if __name__ == "__main__":
    main()
